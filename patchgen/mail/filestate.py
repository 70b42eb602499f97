"""A file while patches are applied to it: known whole, or only where patches showed it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from patchgen.mail.model import Hunk

_SEARCH = 400
"""How far from the stated line a partly known file is searched."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A hunk's old lines are not in the file; ``message`` says what stands there instead."""

    message: str


Rewritten = tuple[int, str, int, int, tuple[str, ...]]
"""Author of a removed line, its text, old line, new line, and what replaces it."""


class Editing(Protocol):
    """One patch being applied to one file, hunk by hunk from the top."""

    def place(self, hunk: Hunk, old: list[str]) -> int | Mismatch:
        """How many lines below its header's place the hunk fits (0: exactly there)."""

    def rewrite(self, hunk: Hunk, offset: int) -> list[Rewritten]:
        """Take the hunk in; returns the series' own lines that it removed."""

    def finish(self) -> FileState:
        """The file after all hunks."""


class FileState(Protocol):
    """A file between two patches."""

    def begin(self, number: int) -> Editing:
        """Start applying patch ``number``."""

    def origin(self, line: int) -> int | None:
        """The patch that wrote a line (from 1), None for other lines."""

    def written_lines(self) -> Iterator[int]:
        """Lines that the series wrote."""


@dataclass(slots=True)
class WholeFile:
    """A file known from start to end; ``lines`` keep their newlines, ``origins`` are patches.

    An origin of 0 is the base.
    """

    lines: list[str]
    origins: list[int]

    @classmethod
    def from_text(cls, text: str) -> WholeFile:
        """A file of the base."""
        lines = [line + "\n" for line in text.split("\n")]
        last = lines.pop().removesuffix("\n")
        if last:
            lines.append(last)
        return cls(lines, [0] * len(lines))

    def text(self) -> str:
        """The content."""
        return "".join(self.lines)

    def origin(self, line: int) -> int | None:
        """See ``FileState.origin``."""
        return (self.origins[line - 1] or None) if 0 < line <= len(self.origins) else None

    def written_lines(self) -> Iterator[int]:
        """See ``FileState.written_lines``."""
        return (n for n, origin in enumerate(self.origins, 1) if origin)

    def begin(self, number: int) -> Editing:
        """See ``FileState.begin``."""
        return _WholeEditing(self, number)


class _WholeEditing:
    """Builds the new file beside the old one, from the top down."""

    def __init__(self, state: WholeFile, number: int) -> None:
        self.old = state
        self.number = number
        self.lines: list[str] = []
        self.origins: list[int] = []
        self.done = 0  # old lines already copied or dropped

    def place(self, hunk: Hunk, old: list[str]) -> int | Mismatch:
        """See ``Editing.place``."""
        lines = self.old.lines
        nominal = self._nominal(hunk)
        at_start = hunk.old_start <= 1
        at_end = bool(hunk.lines) and hunk.lines[-1][:1] in ("+", "-", "\\")
        last = len(lines) - len(old)
        for at in self._candidates(nominal, last, old):
            if (at_start and at != 0) or (at_end and at != last):
                continue
            if lines[at : at + len(old)] == old:
                return at - nominal
        lost = next((o for o in old if o.strip() and o not in self._places), None)
        if lost is None:
            return Mismatch("the old lines of the hunk do not stand together in the file")
        return Mismatch(f"the file has no line {lost.strip()[:60]!r}")

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Where each line of the old file stands."""
        found: dict[str, list[int]] = {}
        for at, line in enumerate(self.old.lines):
            found.setdefault(line, []).append(at)
        return found

    def _nominal(self, hunk: Hunk) -> int:
        """Index in the old file at which the header says that the hunk's old lines stand."""
        if not hunk.old_count:
            return hunk.old_start
        in_new = max(hunk.new_start - (hunk.new_count > 0), 0)
        return in_new - len(self.lines) + self.done

    def _candidates(self, nominal: int, last: int, old: list[str]) -> Iterator[int]:
        """Places to try: the nominal one, then by distance where the rarest old line stands."""
        if self.done <= nominal <= last:
            yield nominal
        if not old:
            yield from (at for at in (self.done, last) if self.done <= at <= last)
            return
        rarest = min(range(len(old)), key=lambda n: len(self._places.get(old[n], ())))
        places = [at - rarest for at in self._places.get(old[rarest], ())]
        # git tries the place above before the one below at the same distance
        for at in sorted(places, key=lambda at: (abs(at - nominal), at)):
            if self.done <= at <= last and at != nominal:
                yield at

    def rewrite(self, hunk: Hunk, offset: int) -> list[Rewritten]:
        """See ``Editing.rewrite``."""
        self._copy_to(self._nominal(hunk) + offset)
        runs: list[tuple[list[tuple[int, str, int, int]], list[str]]] = [([], [])]
        for index, line in enumerate(hunk.lines):
            sign = line[:1]
            bare = index + 1 < len(hunk.lines) and hunk.lines[index + 1][:1] == "\\"
            text = line[1:] + ("" if bare else "\n")
            if sign == "+":
                self.lines.append(text)
                self.origins.append(self.number)
                runs[-1][1].append(line[1:])
            elif sign == "-":
                author = self.old.origins[self.done]
                runs[-1][0].append((author, line[1:], self.done + 1, len(self.lines) + 1))
                self.done += 1
            elif sign == " ":
                self._copy_to(self.done + 1)
                runs.append(([], []))
        return [
            (author, text, at, new, tuple(added))
            for gone, added in runs
            for author, text, at, new in gone
            if author
        ]

    def _copy_to(self, end: int) -> None:
        self.lines += self.old.lines[self.done : end]
        self.origins += self.old.origins[self.done : end]
        self.done = end

    def finish(self) -> FileState:
        """See ``Editing.finish``."""
        self._copy_to(len(self.old.lines))
        return WholeFile(self.lines, self.origins)


@dataclass(slots=True)
class PartialFile:
    """A file of an unknown base: line number to text and origin, where patches showed it."""

    known: dict[int, tuple[str, int]] = field(default_factory=dict)

    def origin(self, line: int) -> int | None:
        """See ``FileState.origin``."""
        return (self.known[line][1] or None) if line in self.known else None

    def written_lines(self) -> Iterator[int]:
        """See ``FileState.written_lines``."""
        return (n for n, (_, origin) in sorted(self.known.items()) if origin)

    def begin(self, number: int) -> Editing:
        """See ``FileState.begin``."""
        return _PartialEditing(self, number)


class _PartialEditing:
    """Collects hunks, then renumbers what was known below them."""

    def __init__(self, state: PartialFile, number: int) -> None:
        self.old = state.known
        self.number = number
        self.hunks: list[tuple[Hunk, int]] = []

    def place(self, hunk: Hunk, old: list[str]) -> int | Mismatch:
        """See ``Editing.place``."""
        wrong = self._compare(hunk.old_start, old)
        if wrong is None:
            return 0
        for distance in range(1, _SEARCH):
            for offset in (-distance, distance):
                start = hunk.old_start + offset
                if start > 0 and self._fits_known(start, old):
                    return offset
        return Mismatch(f"an earlier patch left {wrong.strip()[:60]!r} there")

    def _compare(self, start: int, old: list[str]) -> str | None:
        """The first known line that contradicts the old side, None when none does."""
        for number, text in enumerate(old, start):
            if number in self.old and self.old[number][0] != text.removesuffix("\n"):
                return self.old[number][0]
        return None

    def _fits_known(self, start: int, old: list[str]) -> bool:
        """Every known line agrees, and enough is known to be sure."""
        known = sum(number in self.old for number in range(start, start + len(old)))
        return known >= min(3, len(old)) and self._compare(start, old) is None

    def rewrite(self, hunk: Hunk, offset: int) -> list[Rewritten]:
        """See ``Editing.rewrite``."""
        self.hunks.append((hunk, offset))
        found: list[Rewritten] = []
        gone: list[tuple[int, str, int, int]] = []
        added: list[str] = []

        def flush() -> None:
            found.extend((a, t, at, new, tuple(added)) for a, t, at, new in gone if a)
            gone.clear()
            added.clear()

        for sign, old_line, new_line, text in hunk.numbered():
            if sign == "-":
                author = self.old.get(old_line + offset, ("", 0))[1]
                gone.append((author, text, old_line + offset, new_line + offset))
            elif sign == "+":
                added.append(text)
            else:
                flush()
        flush()
        return found

    def finish(self) -> FileState:
        """See ``Editing.finish``."""
        result: dict[int, tuple[str, int]] = {}
        removed: set[int] = set()
        shifts: list[tuple[int, int]] = []  # old lines at or past the first move by the second
        moved = 0
        for hunk, offset in self.hunks:
            for sign, old_line, new_line, text in hunk.numbered():
                at = old_line + offset
                if sign == "-":
                    removed.add(at)
                    moved -= 1
                    shifts.append((at + 1, moved))
                elif sign == "+":
                    result[new_line + offset] = (text, self.number)
                    moved += 1
                    shifts.append((at, moved))
                else:
                    author = self.old.get(at, ("", 0))[1]
                    result[new_line + offset] = (text, author)
        for number in sorted(self.old):
            if number not in removed:
                result.setdefault(number + self._shift(shifts, number), self.old[number])
        return PartialFile(result)

    @staticmethod
    def _shift(shifts: list[tuple[int, int]], number: int) -> int:
        from bisect import bisect_right

        at = bisect_right(shifts, number, key=lambda pair: pair[0])
        return shifts[at - 1][1] if at else 0
