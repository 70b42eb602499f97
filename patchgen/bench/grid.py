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
        blocks = []
        for header, *rows in self.pieces(width):
            widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
            lines = [_line(row, widths) for row in (header, *rows)]
            if self.ruled:
                rule = _line(["-" * size for size in widths], widths)
                lines = [rule, lines[0], rule, *lines[1:]]
            blocks.append("\n".join(lines))
        title = wrap(self.title, width) if self.title else []
        notes = [line for note in self.footnotes for line in wrap(note, width, indent="  ")]
        return "\n".join([*title, "\n\n".join(blocks), *notes])

    def pieces(self, width: int, gap: int = _GAP) -> list[list[tuple[str, ...]]]:
        """The table cut into tables that fit ``width``: lists of rows, the header first."""
        table = [self.columns, *self.rows]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        first = min(widths[0], max(width - gap - max(widths[1:], default=0), 8))
        return [
            [(_short(row[0], first), *(row[place] for place in chosen)) for row in table]
            for chosen in _fit(widths, first, width, gap)
        ]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    parts = [cells[0].ljust(widths[0])]
    parts += [cell.rjust(size) for cell, size in zip(cells[1:], widths[1:], strict=True)]
    return (" " * _GAP).join(parts).rstrip()


def _fit(widths: Sequence[int], first: int, width: int, gap: int) -> list[list[int]]:
    """The columns behind the first, in groups that fit beside it."""
    groups: list[list[int]] = [[]]
    used = first
    for place in range(1, len(widths)):
        need = gap + widths[place]
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
