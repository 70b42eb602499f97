"""Tables as data: a heading, column names and rows; as text of limited width, or for rich."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

MAIL_WIDTH = 78
"""Columns a line of a mail may have."""

_GAP = 2


@dataclass(frozen=True, slots=True)
class Grid:
    """One table: cells are text already; the first column is aligned left, the others right.

    ``footnotes`` go below it, each on lines of its own.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    footnotes: tuple[str, ...] = ()
    ruled: bool = False

    def text(self, width: int = MAIL_WIDTH) -> str:
        """The table as plain text no wider than ``width``, without a final line end.

        Columns that do not fit go into further tables below, each with the first column.
        A first column that leaves no room for a figure is shortened with an ellipsis.
        """
        names = [row[0] for row in self.rows]
        widths = [
            max(len(cell) for cell in column)
            for column in zip(self.columns, *self.rows, strict=True)
        ]
        first = min(widths[0], max(width - _GAP - max(widths[1:], default=0), 8))
        blocks = []
        for chosen in _fit(widths, first, width):
            lines = [self._line(self.columns, chosen, widths, first)]
            lines += [self._line((_short(name, first), *row[1:]), chosen, widths, first)
                      for name, row in zip(names, self.rows, strict=True)]
            if self.ruled:
                rule = self._line(["-" * size for size in (first, *widths[1:])], chosen, widths,
                                  first)
                lines = [rule, lines[0], rule, *lines[1:]]
            blocks.append("\n".join(lines))
        title = [wrapped for wrapped in wrap(self.title, width)] if self.title else []
        notes = [line for note in self.footnotes for line in wrap(note, width, indent="  ")]
        return "\n".join([*title, "\n\n".join(blocks), *notes])

    def _line(self, cells: Sequence[str], chosen: Sequence[int], widths: Sequence[int],
              first: int) -> str:
        parts = [cells[0].ljust(first)]
        parts += [cells[place].rjust(widths[place]) for place in chosen]
        return (" " * _GAP).join(parts).rstrip()


def _fit(widths: Sequence[int], first: int, width: int) -> list[list[int]]:
    """The columns behind the first, in groups that fit beside it."""
    groups: list[list[int]] = [[]]
    used = first
    for place in range(1, len(widths)):
        need = _GAP + widths[place]
        if groups[-1] and used + need > width:
            groups.append([])
            used = first
        groups[-1].append(place)
        used += need
    return groups


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def wrap(text: str, width: int = MAIL_WIDTH, indent: str = "") -> list[str]:
    """Text as lines no wider than ``width``; all but the first are indented."""
    return textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False,
                         break_long_words=True)
