"""Kconfig files: the entries, and what each line of them says.

Source of the language: Documentation/kbuild/kconfig-language.rst.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_BLOCK_WORDS = frozenset({"menu", "endmenu", "if", "endif", "choice", "endchoice", "source",
                          "comment", "mainmenu", "rsource", "osource", "orsource"})
_TYPES = frozenset({"bool", "tristate", "int", "hex", "string", "def_bool", "def_tristate"})
_ATTRIBUTES = frozenset({"prompt", "default", "depends", "select", "imply", "range", "visible",
                         "option", "modules", "optional", "transitional"})
SYMBOL = re.compile(r"[A-Za-z0-9_]*[A-Z][A-Za-z0-9_]*|\d+[A-Za-z_]\w*")
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'')


@dataclass(frozen=True, slots=True)
class Reference:
    """A symbol that a line names; ``how`` is select, imply, depends, default, if or range."""

    symbol: str
    how: str
    line: int


@dataclass(slots=True)
class Entry:
    """One ``config`` or ``menuconfig``."""

    name: str
    line: int
    type: str = ""
    prompt: str | None = None
    help_line: int | None = None
    help: list[str] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    has_range: bool = False
    conditions: tuple[str, ...] = ()

    def selects(self) -> set[str]:
        """The symbols it selects, with or without condition."""
        return {r.symbol for r in self.references if r.how in ("select", "imply")}

    def depends(self) -> set[str]:
        """The symbols in its own dependencies and those of the blocks around it."""
        own = {r.symbol for r in self.references if r.how == "depends"}
        around = {s for text in self.conditions for s in SYMBOL.findall(text)}
        return own | around


@dataclass(slots=True)
class Kconfig:
    """One parsed file; ``unknown`` holds lines whose first word is none of the language."""

    entries: list[Entry] = field(default_factory=list)
    sources: list[tuple[str, int]] = field(default_factory=list)
    unknown: list[tuple[str, int]] = field(default_factory=list)
    open_blocks: list[tuple[str, int]] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)

    def entry(self, name: str) -> Entry | None:
        """The first entry of this symbol."""
        return next((e for e in self.entries if e.name == name), None)


class _Reader:
    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._result = Kconfig()
        self._entry: Entry | None = None
        self._conditions: list[str] = []
        self._at = 0

    def read(self) -> Kconfig:
        while self._at < len(self._lines):
            number = self._at + 1
            line = self._lines[self._at]
            self._at += 1
            while line.endswith("\\") and self._at < len(self._lines):
                line = line[:-1] + self._lines[self._at]
                self._at += 1
            bare = _strip_comment(line).strip()
            if bare:
                self._line(line, bare, number)
        return self._result

    def _line(self, line: str, bare: str, number: int) -> None:
        word, _, rest = bare.partition(" ")
        word = word.split("\t")[0]
        rest = bare[len(word) :].strip()
        if word in ("config", "menuconfig"):
            self._entry = Entry(rest, number, conditions=tuple(self._conditions))
            self._result.entries.append(self._entry)
        elif word in _BLOCK_WORDS:
            self._block(word, rest, number)
        elif word in ("help", "---help---"):
            self._help(line, number)
        elif word in _TYPES or word in _ATTRIBUTES:
            self._attribute(word, rest, number)
        elif re.match(r"\$\(|[\w-]+\s*[:+]?=", bare):
            pass
        else:
            self._result.unknown.append((word, number))

    def _block(self, word: str, rest: str, number: int) -> None:
        self._entry = None
        if word in ("menu", "if", "choice"):
            self._result.open_blocks.append((word, number))
            self._conditions.append(rest if word == "if" else "")
            self._refer(rest if word == "if" else "", "if", number)
        elif word in ("endmenu", "endif", "endchoice"):
            if self._result.open_blocks:
                self._result.open_blocks.pop()
                self._conditions.pop()
            else:
                self._result.unknown.append((word, number))
        elif word.endswith("source"):
            self._result.sources.append((rest.strip('"'), number))

    def _attribute(self, word: str, rest: str, number: int) -> None:
        entry = self._entry
        body, _, condition = _split_condition(rest)
        self._refer(condition, "if", number)
        how = word if word in ("select", "imply", "depends", "default", "range") else "default"
        if word == "depends":
            body = body.removeprefix("on").strip()
            if entry is None and self._conditions:
                self._conditions[-1] = f"{self._conditions[-1]} {body}"
        if word in _TYPES:
            if entry is not None:
                entry.type = word.removeprefix("def_")
                quoted = _QUOTED.match(body)
                if quoted is not None:
                    entry.prompt = quoted[0][1:-1]
            if word.startswith("def_"):
                self._refer(body, "default", number)
            return
        if word == "prompt" and entry is not None:
            entry.prompt = body.strip("\"'")
            return
        if word == "range" and entry is not None:
            entry.has_range = True
        self._refer(body, how, number)

    def _refer(self, text: str, how: str, number: int) -> None:
        for symbol in SYMBOL.findall(_QUOTED.sub(" ", text)):
            if re.fullmatch(r"0[xX][0-9a-fA-F]+|\d+", symbol):
                continue
            reference = Reference(symbol, how, number)
            self._result.references.append(reference)
            if self._entry is not None:
                self._entry.references.append(reference)

    def _help(self, line: str, number: int) -> None:
        entry = self._entry
        if entry is not None:
            entry.help_line = number
        base: int | None = None
        while self._at < len(self._lines):
            text = self._lines[self._at]
            if text.strip():
                indent = len(text.expandtabs(8)) - len(text.expandtabs(8).lstrip())
                if base is None:
                    if indent <= 0:
                        return
                    base = indent
                if indent < base:
                    return
                if entry is not None:
                    entry.help.append(text.strip())
            self._at += 1


def _strip_comment(line: str) -> str:
    if "#" not in line:
        return line
    masked = _QUOTED.sub(lambda m: "x" * len(m[0]), line)
    position = masked.find("#")
    return line if position < 0 else line[:position]


def _split_condition(rest: str) -> tuple[str, str, str]:
    masked = _QUOTED.sub(lambda m: "x" * len(m[0]), rest)
    match = re.search(r"(?:^|\s)if\s", masked)
    if match is None:
        return rest, "", ""
    return rest[: match.start()].strip(), "if", rest[match.end() :].strip()


def parse_kconfig(text: str) -> Kconfig:
    """The entries of a Kconfig file; never fails, what it cannot read is in ``unknown``."""
    return _Reader(text).read()
