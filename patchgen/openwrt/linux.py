"""Symbol tables for the stacks of a tree: from a Linux source where one is given."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from patchgen.errors import InputError
from patchgen.openwrt.kconfig import kernel_version, names_everywhere, read_linux
from patchgen.openwrt.symbols import SymbolTable


class LinuxTables:
    """The symbol tables of one Linux source, one an architecture, read when asked for.

    Raises ``MissingError`` when the folder is no kernel source and ``InputError`` when its
    Makefile does not say which version it is.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._everywhere: frozenset[str] | None = None
        self._tables: dict[str, SymbolTable] = {}
        version = kernel_version(root)
        if version is None:
            raise InputError("does not say which kernel version it is", path=root / "Makefile",
                             advice="give --linux an unpacked kernel source")
        self.kernel = version

    def table(self, arch: str) -> SymbolTable:
        """The table of an architecture, by the name of its folder below ``arch/``."""
        if arch not in self._tables:
            if self._everywhere is None:
                self._everywhere = names_everywhere(self.root)
            self._tables[arch] = read_linux(self.root, arch, self._everywhere)
        return self._tables[arch]

    def serves(self, kernels: Iterable[str]) -> None:
        """Raises ``InputError`` unless the source is of one of these versions."""
        versions = tuple(kernels)
        if self.kernel not in versions:
            raise InputError(
                f"is Linux {self.kernel}, but the tree has {', '.join(versions) or 'none'}",
                path=self.root, advice="give --linux a source of one of these versions",
            )
