"""Summary tables as authors write them into cover letters: by block size or by parameter."""

from __future__ import annotations

import re

from patchgen.bench.model import Case
from patchgen.bench.patterns import Heading
from patchgen.bench.store import Store, case
from patchgen.bench.tally import Tally
from patchgen.bench.units import Unit, find_sizes, find_unit, number, without_unit

SOFTWARE_WORDS = ("software", "generic", "fallback", "cpu")
HARDWARE_WORDS = ("hardware", "offload", "engine", "accelerat")

_DASHES = re.compile(r"\s*-{3,}(?:\s+-{3,})*\s*")
_NAME = re.compile(
    r"(?P<algorithm>[^\s\d(][^\s]*)(?P<variant> multibuffer)?(?: \((?P<driver>[^\s]+)\))?"
    r"(?: (?P<key>\d{1,5}) ?bits?)?(?: (?P<direction>enc|dec)(?:rypt(?:ion)?)?)?"
    r"(?: (?P<update>\d{1,9}) B updates)?"
)
_SIZE_ROW = re.compile(
    r"\s*(?:(?P<key>\d{1,5}) bits?\s+)?(?P<block>\d{1,9}) (?:bytes?|B)"
    r"(?:\s+(?P<update>\d{1,9}) B updates)?\s+(?P<cells>\S.*)"
)
_MISSING = ("-", "n/a", "N/A")
_MARKS = "?*!+"
_UNIT_REACH = 3
_MOST_DIGITS = 18
_MAX_ROWS = 4096


class TableReader:
    """Reads tables line by line; a heading with a unit serves the tables right below it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._unit: Unit | None = None
        self._label = ""
        self._age = 0
        self._sizes: tuple[int, ...] = ()
        self._labels: tuple[str, ...] = ()
        self._candidate: tuple[str, ...] = ()
        self._after_dashes = False
        self._rows: dict[
            tuple[str, tuple[int, ...], Unit | None, str, str], tuple[Tally, ...]] = {}

    def read(self, text: str, line: int, heading: Heading | None) -> bool:
        """Whether the line belongs to a table; its figures are then stored or listed.

        ``heading`` is the ``testing speed of`` line in force: a table by parameter values
        has its algorithm there.
        """
        if not text.strip():
            self._sizes, self._labels, self._candidate = (), (), ()
            return True
        if "---" in text and _DASHES.fullmatch(text):
            self._labels, self._candidate = self._candidate or self._labels, ()
            self._after_dashes = True
            return True
        after_dashes, self._after_dashes = self._after_dashes, False
        if self._labels and self._label_row(text, line, heading):
            return True
        if self._column_line(text):
            return True
        if self._sizes and self._size_row(text, line):
            return True
        if after_dashes and self._label_line(text):
            return True
        self._sizes, self._labels = (), ()
        return self._heading(text)

    def _heading(self, text: str) -> bool:
        stripped = text.strip()
        unit = find_unit(stripped) if stripped.endswith(":") else None
        rest = without_unit(stripped) if unit is not None else ""
        if unit is None or any(map(str.isdigit, rest)):
            self._age += 1
            if self._age > _UNIT_REACH:
                self._unit, self._label = None, ""
            return False
        self._unit, self._label, self._age = unit, side_label(rest), 0
        return True

    def _column_line(self, text: str) -> bool:
        if not ("B" in text or "byte" in text) or not text.rstrip().endswith(("B", "bytes")):
            return False
        sizes, rest = find_sizes(text)
        if len(sizes) < 2 or len(rest.split()) > 1 or any(map(str.isdigit, rest)):
            return False
        if list(sizes) != sorted(set(sizes)):
            return False
        self._sizes = sizes
        return True

    def _side(self, label: str) -> str:
        return " ".join(part for part in (self.store.side, label) if part)

    def _size_row(self, text: str, line: int) -> bool:
        tokens = text.split()
        if tokens[-1].startswith("±"):
            tokens.pop()
        place = len(tokens)
        while place and _is_cell(tokens[place - 1]):
            place -= 1
        count = len(tokens) - place
        if not count:
            return False
        title = " ".join(tokens[:place])
        known = self._rows.get((title, self._sizes, self._unit, self._label, self.store.side))
        if known is not None and count == len(known):
            return self._known_row(known, tokens[place:], line)
        name = _NAME.fullmatch(title)
        if name is None or count != len(self._sizes):
            if count == 1 and (name is None or name["key"] is None):
                return False
            self.store.unread(
                line, f"{count} figures below {len(self._sizes)} sizes" if name
                else "a row whose name is not ALGORITHM [N bit] [encrypt|decrypt]", text)
            return True
        if self._unit is None:
            self.store.unread(line, "a row of a table whose heading names no unit", text)
            return True
        stored = [
            (value := _cell(cell)) is not None and self._add(name, size, value, line, text)
            for size, cell in zip(self._sizes, tokens[place:], strict=True)
        ]
        if all(stored) and len(self._rows) < _MAX_ROWS:
            key = (title, self._sizes, self._unit, self._label, self.store.side)
            self._rows[key] = tuple(
                self.store.tally(self._case(name, size)) for size in self._sizes)
        return True

    def _known_row(self, tallies: tuple[Tally, ...], cells: list[str], line: int) -> bool:
        """A row that came before, in the same table of a repeated run."""
        assert self._unit is not None
        values = [_cell(cell) for cell in cells]
        for tally, value in zip(tallies, values, strict=True):
            if value:
                tally.add(value * self._unit.factor, line)
        return True

    def _add(self, name: re.Match[str], size: int, value: float, line: int, text: str) -> bool:
        assert self._unit is not None
        return self.store.add(self._case(name, size), value * self._unit.factor, line, text)

    def _case(self, name: re.Match[str], size: int) -> Case:
        assert self._unit is not None
        update = name["update"]
        return case(
            self.store, name["algorithm"], self._unit.metric, driver=name["driver"] or "",
            direction=f"{name['direction']}rypt" if name["direction"] else "",
            key_bits=int(name["key"]) if name["key"] else None, block_bytes=size,
            update_bytes=int(update) if update else None,
            variant=(name["variant"] or "").strip(), side=self._side(self._label),
        )

    def _label_line(self, text: str) -> bool:
        words = text.split()
        if len(words) < 3:
            return False
        name, *labels = words
        if all(number(label) is not None for label in labels):
            labels = [f"{name}={label.replace(',', '')}" for label in labels]
        self._candidate = tuple(labels)
        return True

    def _label_row(self, text: str, line: int, heading: Heading | None) -> bool:
        row = _SIZE_ROW.fullmatch(text)
        if row is None:
            return False
        cells = row["cells"].split()
        if len(cells) != len(self._labels) or not all(map(_is_cell, cells)):
            self.store.unread(line, f"not {len(self._labels)} figures in the row", text)
            return True
        if heading is None:
            self.store.unread(line, "a table without a 'testing speed of' line above it", text)
            return True
        block = int(row["block"])
        unit = self._unit or self._implied_unit(block, cells)
        if unit is None or not block:
            self.store.unread(line, "a table that names no unit, and the figures are not bytes/s "
                              "(multiples of the block size)", text)
            return True
        update = row["update"]
        for label, cell in zip(self._labels, cells, strict=True):
            value = _cell(cell)
            if value is None:
                continue
            found = case(
                self.store, heading.algorithm, unit.metric, driver=heading.driver,
                direction=heading.direction, key_bits=int(row["key"]) if row["key"] else None,
                block_bytes=block, update_bytes=int(update) if update else None,
                variant=heading.variant, side=self._side(label),
            )
            self.store.add(found, value * unit.factor, line, text)
        return True

    def _implied_unit(self, block: int, cells: list[str]) -> Unit | None:
        """Bytes/s, if every figure is a whole number of blocks as tcrypt's one-second runs are."""
        values = [value for cell in cells if (value := _cell(cell)) is not None]
        if not block or not values or any(value % block for value in values):
            return None
        self.store.note("the table by parameter names no unit: its figures are read as bytes/s, "
                        "because each is a whole number of blocks")
        return Unit("bytes", 1)


def side_label(text: str) -> str:
    """The side a table's heading speaks of: ``software``, ``hardware`` or its own words."""
    words = text.lower()
    software = any(word in words for word in SOFTWARE_WORDS)
    hardware = any(word in words for word in HARDWARE_WORDS)
    if software != hardware:
        return "software" if software else "hardware"
    return " ".join(text.strip(" :,-").split())[:40]


def _is_cell(text: str) -> bool:
    if text.isdecimal():
        return len(text) <= _MOST_DIGITS
    return text in _MISSING or number(text.rstrip(_MARKS)) is not None


def _cell(text: str) -> float | None:
    if text.isdecimal():
        return float(text)
    return None if text in _MISSING else number(text.rstrip(_MARKS))
