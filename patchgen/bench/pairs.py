"""The two columns of ``diff --side-by-side``, and the single ones of other forms of diff."""

from __future__ import annotations

import re

from patchgen.bench import patterns
from patchgen.bench.column import Column
from patchgen.bench.patterns import Heading
from patchgen.bench.store import MOST, Store
from patchgen.bench.tally import Tally

_BETWEEN = re.compile(r"\s*[|<>\\/]?\s*(?:<\d>)?(?:\[[^\]]{1,40}\] ?)?(?:tcrypt: ?)?$")
_SIGN = re.compile(r"[-+<>](?!\d>)")
_ONLY_LEFT = re.compile(r"\s{2,}[<(]\s*$")
_FAR = 20
_MAX_KNOWN = 4096
_HEADING = patterns.HEADING.encode()

_State = tuple[Heading | None, dict[bytes, Tally]]


class Pairs:
    """Reads lines that hold a cell of either column, or of both."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.left = Column(store, "left")
        self.right = Column(store, "right")
        self._normal_diff = False
        self._known: dict[bytes, tuple[_State, _State]] = {}

    def restart(self) -> None:
        """A new section has begun."""
        self._known.clear()
        self.left.restart()
        self.right.restart()

    def flush(self) -> None:
        """List the tests that were left without a result."""
        self.left.flush()
        self.right.flush()

    def quick(self, line: bytes, number: int) -> bool:
        """Take a line whose two tests, or two headings, have been seen before; whether it is."""
        left_tallies, right_tallies = self.left.tallies, self.right.tallies
        _, _, rest = line.partition(b" (")
        spec, _, rest = rest.partition(b"): ")
        mine = left_tallies.get(spec)
        if mine is None:
            return self._quick_heading(line)
        figure, _, rest = rest.partition(mine.middle)
        size, _, rest = rest.partition(mine.end)
        gap, _, rest = rest.partition(b" (")
        spec, _, rest = rest.partition(b"): ")
        theirs = right_tallies.get(spec)
        if theirs is None or b"|" not in gap:
            return False
        other_figure, _, rest = rest.partition(theirs.middle)
        other_size, _, rest = rest.partition(b" bytes")
        try:
            count, total = int(figure), int(size)
            other_count, other_total = int(other_figure), int(other_size)
        except ValueError:
            return False
        if (
            not theirs.end.endswith(rest) or not 0 < count < MOST or not 0 < other_count < MOST
            or count * mine.block != total or other_count * theirs.block != other_total
        ):
            return False
        self.store.cut += not rest
        mine.values.append(count / mine.divisor)
        mine.lines.append(number)
        theirs.values.append(other_count / theirs.divisor)
        theirs.lines.append(number)
        return True

    def _quick_heading(self, line: bytes) -> bool:
        known = self._known.get(line.partition(_HEADING)[2])
        if known is None or self.left.waits or self.right.waits:
            return False
        (self.left.heading, self.left.tallies), (self.right.heading, self.right.tallies) = known
        return True

    def both(self, line: bytes, text: str, starts: list[int], number: int) -> bool:
        """A line with two cells, which begin at ``starts``; whether it really has two columns."""
        left, right = text[starts[0]:starts[1]], text[starts[1]:]
        gap = _BETWEEN.search(left)
        assert gap is not None
        marked = any(sign in gap[0] for sign in "|<>")
        heading = left.startswith(patterns.HEADING)
        if not (marked or heading or patterns.RESULT.search(left)):
            return False
        if len(starts) > 2:
            self.store.unread(number, "more than two columns", text)
            return True
        self.left.read_cell(left[: gap.start()], number)
        self.right.read_cell(right, number)
        if heading:
            self._complete(self.left, self.right, number)
            self._complete(self.right, self.left, number)
            if len(self._known) < _MAX_KNOWN:
                self._known[line.partition(_HEADING)[2]] = (
                    (self.left.heading, self.left.tallies),
                    (self.right.heading, self.right.tallies))
        return True

    def _complete(self, column: Column, other: Column, number: int) -> None:
        """Give a heading that was cut off the direction of the same test beside it."""
        mine, theirs = column.heading, other.heading
        if mine is None:
            return
        if mine.driver.endswith(patterns.CUT):
            self.store.note(f"line {number}: the {column.label} heading is cut off in its driver, "
                            f"{mine.driver}")
        if (
            not mine.direction and theirs is not None and theirs.direction
            and theirs.algorithm == mine.algorithm
        ):
            column.set_direction(theirs.direction)
            self.store.note(f"line {number}: the {column.label} heading is cut off; "
                            f"{theirs.direction} is what the same test beside it says")

    def column_of(self, text: str, start: int) -> tuple[Column | None, str]:
        """The column a line with one cell belongs to (``None``: no diff), and the cell alone.

        Signs of unified and normal diffs at the start count, and so does the place of the
        marker in side by side ones.
        """
        before, cell = text[:start], text[start:]
        sign = _SIGN.match(before)
        if sign is not None:
            self._normal_diff = self._normal_diff or sign[0] == "<"
            if sign[0] != ">" or self._normal_diff:
                return (self.left if sign[0] in "-<" else self.right), cell
        elif before[_FAR:].rstrip().endswith((">", "|")):
            return self.right, cell
        elif only_left := _ONLY_LEFT.search(cell):
            return self.left, cell[: only_left.start()]
        return None, cell
