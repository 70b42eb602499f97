"""What the build rules read: the tree after a patch, and what a symbol builds."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from patchgen.checks.build.kconfig import Entry, Kconfig, parse_kconfig
from patchgen.checks.build.makefile import Line, parse_makefile
from patchgen.errors import InputError
from patchgen.tree import Tree

_SYMBOLS = Path(__file__).with_name("symbols.txt")
_WIDER = ("crypto/Kconfig", "lib/Kconfig", "lib/crypto/Kconfig", "drivers/crypto/Kconfig")


@functools.cache
def kernel_symbols() -> frozenset[str]:
    """The names of all configuration symbols of Linux 6.1 and 6.12."""
    return frozenset(_SYMBOLS.read_text(encoding="ascii").split())


def is_kconfig(path: str) -> bool:
    """Whether a path is a Kconfig file."""
    return posixpath.basename(path).startswith("Kconfig") or path.endswith(".Kconfig")


def is_makefile(path: str) -> bool:
    """Whether a path is a kernel makefile."""
    return posixpath.basename(path) in ("Makefile", "Kbuild") or path.endswith(".Makefile")


@dataclass(slots=True)
class Module:
    """What one symbol builds: its sources, and where the makefile says so."""

    symbol: str
    makefile: str
    line: int
    sources: set[str] = field(default_factory=set)


class BuildContext:
    """The tree, the paths a series touches, and both parsed."""

    def __init__(self, tree: Tree, touched: Iterable[str], before: Tree | None) -> None:
        self.tree = tree
        self.before = before
        self.touched = tuple(sorted(set(touched)))
        self.kconfigs: dict[str, Kconfig] = {}
        self.makefiles: dict[str, list[Line]] = {}
        for path in self.touched:
            if is_kconfig(path) and tree.exists(path):
                self.kconfigs[path] = parse_kconfig(tree.read(path))
            elif is_makefile(path) and tree.exists(path):
                self.makefiles[path] = parse_makefile(tree.read(path))
        self._lines: dict[str, tuple[list[str], frozenset[str]]] = {}
        self._wide: frozenset[str] | None = None

    def text(self, path: str) -> str | None:
        """The text of a file of the tree, None when there is none or it is not text."""
        try:
            return self.tree.read(path)
        except InputError:
            return None

    def is_new_entry(self, path: str, entry: Entry) -> bool:
        """Whether the series adds this entry (everything is new without a tree before)."""
        if self.before is None or not self.before.exists(path):
            return True
        return self._old(path).entry(entry.name) is None

    def is_new_line(self, path: str, line: int) -> bool:
        """Whether the series adds this line of a file."""
        if self.before is None or not self.before.exists(path):
            return True
        if path not in self._lines:
            self._lines[path] = (self.tree.read(path).split("\n"),
                                 frozenset(self.before.read(path).split("\n")))
        lines, old = self._lines[path]
        return lines[line - 1] not in old

    def _old(self, path: str) -> Kconfig:
        assert self.before is not None
        return parse_kconfig(self.before.read(path))

    def defines(self, symbol: str) -> bool:
        """Whether a symbol is defined: by a touched file, the kernel, or the tree's own."""
        if symbol in kernel_symbols():
            return True
        if any(k.entry(symbol) for k in self.kconfigs.values()):
            return True
        if self._wide is None:
            self._wide = frozenset(self._read_wider())
        return symbol in self._wide

    def _read_wider(self) -> Iterable[str]:
        paths = set(_WIDER)
        for path in self.touched:
            folder = posixpath.dirname(path)
            while folder:
                paths.add(f"{folder}/Kconfig")
                folder = posixpath.dirname(folder)
        for path in paths:
            text = self.text(path)
            if text is not None:
                yield from (entry.name for entry in parse_kconfig(text).entries)

    def modules(self) -> list[Module]:
        """What each symbol of the touched makefiles builds."""
        found: list[Module] = []
        for path, lines in self.makefiles.items():
            for line in lines:
                if line.target == "obj" and line.symbol is not None:
                    found.extend(self._built_by(path, line, lines))
        return found

    def _built_by(self, path: str, line: Line, lines: list[Line]) -> Iterable[Module]:
        folder = posixpath.dirname(path)
        for word in line.objects:
            assert line.symbol is not None
            module = Module(line.symbol, path, line.line)
            if word.endswith("/"):
                inner_path = posixpath.normpath(f"{folder}/{word}Makefile")
                inner = self.makefiles.get(inner_path)
                if inner is None:
                    text = self.text(inner_path)
                    inner = parse_makefile(text) if text is not None else []
                for below in inner:
                    if below.target == "obj" and below.symbol in (None, line.symbol):
                        for name in below.objects:
                            self._add_sources(module, posixpath.dirname(inner_path), name, inner)
            else:
                self._add_sources(module, folder, word, lines)
            yield module

    def _add_sources(self, module: Module, folder: str, name: str, lines: list[Line]) -> None:
        if name.endswith("/"):
            return
        base = name.removesuffix(".o")
        parts = [p for line in lines if line.target == base for p in line.objects]
        for part in parts or [name]:
            for ending in (".c", ".S"):
                source = posixpath.normpath(f"{folder}/{part.removesuffix('.o')}{ending}")
                if self.tree.exists(source):
                    module.sources.add(source)

    def sources_text(self, sources: Iterable[str]) -> Mapping[str, str]:
        """Sources and the headers beside them, path to text."""
        paths = set(sources)
        for folder in {posixpath.dirname(path) for path in paths}:
            own = [p for p in self.touched if posixpath.dirname(p) == folder
                   and p.endswith(".h")]
            paths.update(own)
        return {p: t for p in sorted(paths) if (t := self.text(p)) is not None}
