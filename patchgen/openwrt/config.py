"""OpenWrt kernel configuration files: read without loss, written byte for byte.

A file is a flat list of ``CONFIG_X=value`` and ``# CONFIG_X is not set`` lines, ordered by
the symbol without prefix in byte order (what OpenWrt's ``scripts/kconfig.pl`` prints).
Reading never fails and never drops a line: what ``kconfig.pl`` would discard with a warning
is kept as a line with a ``problem``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from patchgen.errors import InputError

PREFIX = "CONFIG_"
Value = str | None
"""``None`` is "is not set"; everything else is the text after ``=`` (``y``, ``m``, ``"…"``)."""
Values = Mapping[str, Value]

Problem = Literal["crlf", "conflict", "empty", "unparsable"]

_SET = re.compile(r"CONFIG_([^=\s]+)=(.+)\Z")
_UNSET = re.compile(r"# CONFIG_(\S+) is not set\Z")
_CONFLICT = re.compile(r"(?:<{7}|>{7}|\|{7})(?: .*)?\Z|={7}\Z")
_EMPTY = re.compile(r"CONFIG_([^=\s]+)=\Z")

ADVICE: Mapping[Problem, str] = {
    "crlf": "convert the file to Unix line ends (dos2unix)",
    "conflict": "resolve the merge conflict first",
    "empty": 'write "# CONFIG_… is not set", or CONFIG_…="" for an empty string',
    "unparsable": "write CONFIG_X=value or # CONFIG_X is not set",
}


class ConfigLine(NamedTuple):
    """One line as it stands: its number (from 1), text without line end, and what it says.

    ``symbol`` is None for comments, blank lines and lines that say nothing; with a symbol,
    a ``value`` of None means "is not set".
    """

    number: int
    text: str
    symbol: str | None = None
    value: Value = None
    problem: Problem | None = None


def _read_line(number: int, text: str) -> ConfigLine:
    problem: Problem | None = None
    body = text
    if body.endswith("\r"):
        body, problem = body[:-1], "crlf"
    found = _SET.match(body)
    if found:
        return ConfigLine(number, text, found[1], found[2], problem)
    found = _UNSET.match(body)
    if found:
        return ConfigLine(number, text, found[1], None, problem)
    if not body or (body.startswith("#") and not _CONFLICT.match(body)):
        return ConfigLine(number, text, problem=problem)
    if _CONFLICT.match(body):
        return ConfigLine(number, text, problem="conflict")
    return ConfigLine(number, text, problem="empty" if _EMPTY.match(body) else "unparsable")


@dataclass(frozen=True)
class ConfigFile:
    """A configuration file: every line of it, in order."""

    path: str
    lines: tuple[ConfigLine, ...]
    final_newline: bool = True

    @classmethod
    def parse(cls, data: bytes, path: str) -> ConfigFile:
        """From the bytes of a file; bytes that are not UTF-8 survive a round trip."""
        text = data.decode("utf-8", "surrogateescape")
        parts = text.split("\n")
        final_newline = parts[-1] == ""
        if final_newline:
            parts.pop()
        return cls(
            path,
            tuple(_read_line(number, part) for number, part in enumerate(parts, 1)),
            final_newline or not parts,
        )

    def to_bytes(self) -> bytes:
        """The bytes that ``parse`` read."""
        text = "\n".join(line.text for line in self.lines)
        if self.lines and self.final_newline:
            text += "\n"
        return text.encode("utf-8", "surrogateescape")

    @cached_property
    def values(self) -> dict[str, Value]:
        """What the file sets; of duplicates the last line wins."""
        return {line.symbol: line.value for line in self.lines if line.symbol is not None}

    @cached_property
    def where(self) -> dict[str, int]:
        """The line number that decides each symbol."""
        return {line.symbol: line.number for line in self.lines if line.symbol is not None}

    def place_of(self, symbol: str) -> int:
        """The line of a symbol, or the one it would follow (1 at the head of the file)."""
        if symbol in self.where:
            return self.where[symbol]
        return max((line for name, line in self.where.items() if name < symbol), default=1)

    @cached_property
    def problems(self) -> tuple[ConfigLine, ...]:
        """The lines that ``kconfig.pl`` would misread or drop."""
        return tuple(line for line in self.lines if line.problem is not None)

    def require_sound(self) -> None:
        """Raises ``InputError`` at the first line that a rewrite could lose or misread."""
        for line in self.problems:
            assert line.problem is not None
            raise InputError(f"cannot be read as configuration: {line.text.strip()[:60]!r}",
                             path=self.path, line=line.number, advice=ADVICE[line.problem])

    @cached_property
    def duplicates(self) -> tuple[tuple[ConfigLine, ConfigLine], ...]:
        """Pairs of (earlier line, later line that overrides it) for one symbol."""
        seen: dict[str, ConfigLine] = {}
        pairs: list[tuple[ConfigLine, ConfigLine]] = []
        for line in self.lines:
            if line.symbol is None:
                continue
            if line.symbol in seen:
                pairs.append((seen[line.symbol], line))
            seen[line.symbol] = line
        return tuple(pairs)

    @cached_property
    def misplaced(self) -> tuple[tuple[ConfigLine, str], ...]:
        """The fewest lines that break the order, each with the symbol it belongs before.

        The lines outside a longest increasing subsequence; the partner is the symbol of the
        first well-placed line that sorts after it (empty at the end of the file).
        """
        marked = [line for line in self.lines if line.symbol is not None]
        symbols = [line.symbol or "" for line in marked]
        if symbols == sorted(symbols):
            return ()
        kept = _longest_increasing(symbols)
        good = [symbols[index] for index in sorted(kept)]
        moved = []
        for index, line in enumerate(marked):
            if index not in kept:
                place = bisect_left(good, symbols[index])
                moved.append((line, good[place] if place < len(good) else ""))
        return tuple(moved)

    def with_values(self, changes: Values) -> bytes:
        """The file with symbols added at their sorted place or changed where they stand.

        Every other line keeps its bytes. Raises ``InputError`` when a line of the file
        cannot be read.
        """
        self.require_sound()
        texts: dict[int, list[str]] = {}
        for symbol, value in changes.items():
            if symbol in self.where:
                texts[self.where[symbol]] = [format_line(symbol, value)]
        after = _insertion_points(self.lines, [s for s in changes if s not in self.where])
        out = [format_line(s, changes[s]) for s in after.get(0, ())]
        for line in self.lines:
            out.extend(texts.get(line.number, [line.text]))
            out.extend(format_line(s, changes[s]) for s in after.get(line.number, ()))
        return ("\n".join(out) + "\n" if out else "").encode("utf-8", "surrogateescape")


def _longest_increasing(symbols: list[str]) -> set[int]:
    """Indexes of a longest non-decreasing subsequence (patience sorting)."""
    from bisect import bisect_right

    tails: list[str] = []
    ends: list[int] = []
    previous: list[int] = []
    for index, symbol in enumerate(symbols):
        place = bisect_right(tails, symbol)
        previous.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(symbol)
            ends.append(index)
        else:
            tails[place] = symbol
            ends[place] = index
    kept: set[int] = set()
    index = ends[-1] if ends else -1
    while index >= 0:
        kept.add(index)
        index = previous[index]
    return kept


def _insertion_points(
    lines: Iterable[ConfigLine], symbols: list[str]
) -> dict[int, list[str]]:
    """For each line number (0: the top) the new symbols that go right behind it, sorted."""
    known = sorted((line.symbol, line.number) for line in lines if line.symbol is not None)
    names = [name for name, _ in known]
    after: dict[int, list[str]] = {}
    for symbol in sorted(symbols):
        place = bisect_left(names, symbol)
        after.setdefault(known[place - 1][1] if place else 0, []).append(symbol)
    return after


def format_line(symbol: str, value: Value) -> str:
    """One line as ``kconfig.pl`` prints it; ``n`` becomes "is not set"."""
    if value is None or value == "n":
        return f"# {PREFIX}{symbol} is not set"
    return f"{PREFIX}{symbol}={value}"


def format_values(values: Values) -> bytes:
    """A whole file in ``kconfig.pl``'s form and order."""
    text = "".join(f"{format_line(name, values[name])}\n" for name in sorted(values))
    return text.encode("utf-8", "surrogateescape")
