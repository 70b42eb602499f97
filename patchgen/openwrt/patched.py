"""Kernel symbols that OpenWrt's own patches and files add, so that Linux does not know them."""

from __future__ import annotations

import re

from patchgen.openwrt.layers import GENERIC, ROOT, OpenWrt, Stack
from patchgen.openwrt.symbols import SymbolTable

_ADDED = re.compile(rb"^\+[ \t]*(?:menu)?config[ \t]+(\w+)", re.M)
_CONFIG = re.compile(rb"^[ \t]*(?:menu)?config[ \t]+(\w+)", re.M)
_LARGEST_DEPTH = 8


def is_foreign(stack: Stack, table: SymbolTable) -> bool:
    """Whether the target switches on symbols that the kernel source has nowhere.

    Then the source is not the kernel that OpenWrt builds, with its patches applied, and what
    it says about missing dependencies is no more than a hint.
    """
    if not table.complete:
        return False
    return any(
        value not in (None, "n") and symbol not in table and symbol not in table.elsewhere
        for layer in stack.layers if layer.name != GENERIC
        for symbol, value in layer.config.values.items()
    )


class PatchedSymbols:
    """The symbols that the patches of a tree add, by kernel version and target."""

    def __init__(self, openwrt: OpenWrt) -> None:
        self._tree = openwrt.tree
        self._folders: dict[str, frozenset[str]] = {}

    def of(self, stack: Stack) -> frozenset[str]:
        """The symbols added for one subtarget and kernel version."""
        generic, target = f"{ROOT}/generic", f"{ROOT}/{stack.target}"
        folders = [f"{generic}/{kind}-{stack.kernel}" for kind in ("backport", "pending", "hack")]
        folders += [f"{where}/{name}" for where in (generic, target)
                    for name in (f"patches-{stack.kernel}", "files", f"files-{stack.kernel}")]
        return frozenset().union(*(self._folder(folder) for folder in folders))

    def _folder(self, folder: str) -> frozenset[str]:
        if folder not in self._folders:
            names: set[str] = set()
            self._collect(folder, names, 0)
            self._folders[folder] = frozenset(names)
        return self._folders[folder]

    def _collect(self, folder: str, names: set[str], depth: int) -> None:
        for name in self._tree.list_dir(folder) if depth < _LARGEST_DEPTH else ():
            path = f"{folder}/{name}"
            pattern = _ADDED if name.endswith(".patch") else (
                _CONFIG if name.startswith("Kconfig") else None)
            if pattern is not None:
                entry = self._tree.entry(path)
                if entry is not None:
                    names.update(m.decode("ascii") for m in pattern.findall(entry.data))
            elif "." not in name:
                self._collect(path, names, depth + 1)
