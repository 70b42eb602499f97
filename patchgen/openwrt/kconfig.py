"""Reading a kernel's own Kconfig files into a symbol table.

Follows Documentation/kbuild/kconfig-language.rst and kconfig-macro-language.rst as far as
dependencies, selects, prompts and defaults go. Macros that ask the compiler stay unexpanded;
``$(SRCARCH)`` and its kin are known. Works from 5.10 to current kernels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from patchgen.errors import InputError, MissingError
from patchgen.openwrt.expr import ExpressionError, macro_end, parse
from patchgen.openwrt.symbols import Definition, SymbolTable, SymbolType, conjunction

_TYPES = frozenset({"bool", "tristate", "int", "hex", "string"})
_CONFIG = re.compile(r"^[ \t]*(?:menu)?config[ \t]+(\w+)", re.M)
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'")
_CONDITION = re.compile(r"\s+if\s+")


@dataclass
class _Block:
    """A ``config`` block while it is read."""

    name: str
    type: str = "unknown"
    depends: list[str] = field(default_factory=list)
    prompt: str | None = None
    defaults: list[tuple[str, str]] = field(default_factory=list)
    selects: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class _Scope:
    """An ``if``, ``menu`` or ``choice`` around the current line."""

    kind: str
    depends: list[str] = field(default_factory=list)
    visible: str = ""


def _columns(line: str) -> int:
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip())


def _without_comment(line: str) -> str:
    """The line up to a ``#`` that is neither quoted nor inside a macro."""
    at = 0 if "#" in line else len(line)
    quote = ""
    while at < len(line):
        char = line[at]
        if line.startswith("$(", at):
            try:
                at = macro_end(line, at)
            except ExpressionError:
                return line
            continue
        if quote:
            quote = "" if char == quote else quote
            at += char == "\\"
        elif char in "\"'":
            quote = char
        elif char == "#":
            return line[:at]
        at += 1
    return line


def _split_condition(text: str) -> tuple[str, str]:
    """``VALUE if CONDITION`` as (value, condition); an ``if`` inside quotes does not count."""
    masked = _QUOTED.sub(lambda found: "\0" * len(found[0]), text)
    found = _CONDITION.search(masked)
    if found is None:
        return text.strip(), ""
    return text[: found.start()].strip(), text[found.end():].strip()


def statements(text: str) -> Iterator[tuple[int, str]]:
    """(line number, statement) of a Kconfig text; help texts and comments are left out."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        number, line = at + 1, lines[at]
        at += 1
        while line.endswith("\\") and at < len(lines):
            line = line[:-1] + " " + lines[at]
            at += 1
        stripped = _without_comment(line).strip()
        if not stripped:
            continue
        if stripped in ("help", "---help---"):
            at = _after_help(lines, at)
            continue
        yield number, stripped


def _after_help(lines: list[str], at: int) -> int:
    indent = 0
    while at < len(lines):
        if lines[at].strip():
            columns = _columns(lines[at])
            if columns == 0 or columns < indent:
                break
            indent = indent or columns
        at += 1
    return at


class KconfigReader:
    """Reads the Kconfig files of one architecture, starting at the top one."""

    def __init__(self, root: Path, arch: str) -> None:
        if not (root / "Kconfig").is_file():
            raise MissingError(f"{root}: has no Kconfig; give --linux an unpacked kernel source")
        self.root = root
        self.variables = {"SRCARCH": arch, "ARCH": arch, "srctree": str(root)}
        self.symbols: dict[str, list[Definition]] = {}
        self._scopes: list[_Scope] = []
        self._block: _Block | None = None

    def read(self) -> dict[str, tuple[Definition, ...]]:
        """All symbols; raises ``InputError`` with file and line for what is not Kconfig."""
        self._file("Kconfig")
        self._close_block()
        return {name: tuple(found) for name, found in self.symbols.items()}

    def _file(self, name: str) -> None:
        path = self.root / name
        try:
            text = path.read_text("utf-8", "replace")
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=path,
                             advice="is the source tree whole?") from error
        depth = len(self._scopes)
        for number, statement in statements(text):
            try:
                self._statement(statement)
            except (ExpressionError, IndexError) as error:
                raise InputError(f"is not understood: {statement[:60]!r} ({error})",
                                 path=path, line=number) from error
        self._close_block()
        if len(self._scopes) != depth:
            raise InputError(f"ends inside a {self._scopes[-1].kind}", path=path)

    def _expand(self, text: str) -> str:
        return re.sub(r"\$\((\w+)\)", lambda f: self.variables.get(f[1], f[0]), text)

    def _statement(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if "\t" in word:
            word, _, rest = line.partition("\t")
        rest = rest.strip()
        if word in ("config", "menuconfig"):
            self._close_block()
            self._block = _Block(rest.split()[0])
        elif word in ("if", "menu", "choice"):
            self._close_block()
            scope = _Scope(word)
            if word == "if":
                scope.depends.append(self._condition(rest))
            self._scopes.append(scope)
        elif word in ("endif", "endmenu", "endchoice"):
            self._close_block()
            self._scopes.pop()
        elif word == "source":
            self._close_block()
            found = _QUOTED.match(rest)
            self._file(self._expand((found[1] or found[2]) if found else rest))
        elif word in ("comment", "mainmenu"):
            self._close_block()
            self._block = _Block("")
        else:
            self._attribute(word, rest)

    def _condition(self, text: str) -> str:
        text = " ".join(self._expand(text).split())
        parse(text)
        return text

    def _attribute(self, word: str, rest: str) -> None:
        block = self._block
        if word == "depends":
            condition = self._condition(rest.removeprefix("on").strip())
            if block is not None:
                block.depends.append(condition)
            else:
                self._scopes[-1].depends.append(condition)
        elif word == "visible":
            if block is None:
                self._scopes[-1].visible = self._condition(rest.removeprefix("if").strip())
        elif block is None or not block.name:
            return
        elif word in _TYPES:
            block.type = word
            if rest:
                self._prompt(block, rest)
        elif word == "prompt":
            self._prompt(block, rest)
        elif word in ("def_bool", "def_tristate"):
            block.type = word.removeprefix("def_")
            self._default(block, rest)
        elif word == "default":
            self._default(block, rest)
        elif word == "select":
            target, condition = _split_condition(rest)
            block.selects.append((target, self._condition(condition) if condition else ""))

    def _prompt(self, block: _Block, rest: str) -> None:
        _, condition = _split_condition(rest)
        block.prompt = self._condition(condition) if condition else ""

    def _default(self, block: _Block, rest: str) -> None:
        value, condition = _split_condition(self._expand(rest))
        block.defaults.append((value, self._condition(condition) if condition else ""))

    def _close_block(self) -> None:
        block, self._block = self._block, None
        if block is None or not block.name:
            return
        outer = [c for scope in self._scopes for c in scope.depends]
        depends = conjunction(*outer, *block.depends)
        prompt = block.prompt
        if prompt is not None:
            prompt = conjunction(prompt, *(s.visible for s in self._scopes))
        self.symbols.setdefault(block.name, []).append(
            Definition(
                type=cast(SymbolType, block.type),
                depends=depends,
                prompt=prompt,
                defaults=tuple(block.defaults),
                selects=tuple(block.selects),
                choice=any(scope.kind == "choice" for scope in self._scopes),
            )
        )


def kernel_version(root: Path) -> str | None:
    """``6.12`` from the tree's Makefile, or None."""
    from patchgen.tree import DirectoryBase

    return DirectoryBase(root).kernel_version


def names_everywhere(root: Path) -> frozenset[str]:
    """Every symbol that any Kconfig file of the tree defines, whatever the architecture."""
    names: set[str] = set()
    for folder in ("arch", "block", "certs", "crypto", "drivers", "fs", "init", "io_uring", "ipc",
                   "kernel", "lib", "mm", "net", "rust", "samples", "security", "sound", "usr",
                   "virt"):
        for path in (root / folder).rglob("Kconfig*"):
            if path.is_file():
                names.update(_CONFIG.findall(path.read_text("utf-8", "replace")))
    return frozenset(names)


def read_linux(root: Path, arch: str, everywhere: frozenset[str] | None = None) -> SymbolTable:
    """The symbol table of a kernel source for one architecture (its ``arch/`` folder's name).

    Raises ``MissingError`` when there is no such tree and ``InputError`` where a Kconfig file
    is not understood.
    """
    symbols = KconfigReader(root, arch).read()
    names = names_everywhere(root) if everywhere is None else everywhere
    return SymbolTable(
        kernel=kernel_version(root) or "",
        arch=arch,
        symbols=symbols,
        complete=True,
        elsewhere=names.difference(symbols),
        source=f"Kconfig of {root.name}",
    )
