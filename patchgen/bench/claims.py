"""Figures in a letter's text, and whether a log backs each of them.

A table row has to be a row of one of the letter's own tables, word for word. A figure in a
sentence (``24.5 times``, ``567 MB/s``, ``2 %``) has to be what some measurement, or some ratio
of two sides at one size, comes to when rounded to the digits given.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Literal

from patchgen.bench import patterns
from patchgen.bench.compare import Comparison, compare
from patchgen.bench.letter import cover_table, read_logs
from patchgen.bench.model import BenchLog
from patchgen.bench.sides import common_points, split_sides
from patchgen.bench.units import find_unit, number

ClaimKind = Literal["row", "rate", "ratio", "percent"]

_NUMBER = r"(?P<number>\d{1,3}(?:,\d{3})+|\d{1,15}(?:\.\d{1,6})?)"
_RANGE = r"(?:(?P<from>\d{1,6}(?:\.\d{1,6})?) ?(?:-|\u2013|to) ?)?"
_CLAIM = re.compile(
    r"(?<![\w./-])" + _RANGE + _NUMBER + r"(?:"
    r" ?(?P<ratio>x(?!\w)|-?fold\b|times\b)"
    r"| ?(?P<percent>%|percent\b|per cent\b)"
    r"| ?(?P<rate>(?:op(?:er)?s?|operations?|[kKMG]?i?B|[kKMG]?bytes?|[kKMG]bits?)"
    r"(?:/| per )(?:s(?:ec(?:onds?)?)?)\b)"
    r")"
)
_ROW_CELLS = 3
_DIFFSTAT = re.compile(r"\s*\S.*\|\s+(?:\d+|Bin)\b.*|\s*\d+ files? changed.*")
_CELL_END = "x?!%"


@dataclass(frozen=True, slots=True)
class Table:
    """A table as ``series.toml`` names it: the arguments of ``cover_table``."""

    logs: tuple[Path, ...]
    kind: str = "rates"
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure in a text: its line (from 1), its words, its kind, and its value.

    ``values`` holds the number (both, of a range) in units/s, as a factor, or in percent;
    ``digits`` the digits behind the decimal point, ``unit`` the unit of a rate.
    """

    line: int
    text: str
    kind: ClaimKind
    values: tuple[float, ...] = ()
    digits: int = 0
    unit: str = ""


def numbers_in(text: str) -> tuple[Claim, ...]:
    """Every figure of speed a text states: table rows, rates, ratios, percentages.

    A figure may be on one line and its unit on the next; diffstat lines are no figures.
    """
    claims: list[Claim] = []
    lines = ["" if _DIFFSTAT.fullmatch(line) else line for line in text.split("\n")]
    for place, line in enumerate(lines, 1):
        if _is_row(line):
            claims.append(Claim(place, " ".join(line.split()), "row"))
            lines[place - 1] = ""
    starts, offset = [], 0
    for line in lines:
        starts.append(offset)
        offset += len(line) + 1
    claims += _in_prose(" ".join(lines), starts)
    return tuple(sorted(claims, key=lambda claim: claim.line))


def _is_row(line: str) -> bool:
    if patterns.SUSPECT.search(line):
        return True
    cells = 0
    for token in reversed(line.split()):
        if token != "-" and number(token.rstrip(_CELL_END)) is None:
            break
        cells += token != "-"
    return cells >= _ROW_CELLS


def _in_prose(text: str, starts: Sequence[int]) -> Iterator[Claim]:
    for match in _CLAIM.finditer(text):
        line = bisect_right(starts, match.start())
        figures = [match["number"], *([match["from"]] if match["from"] else [])]
        values = tuple(float(figure.replace(",", "")) for figure in figures)
        digits = len(match["number"].partition(".")[2])
        if match["rate"]:
            yield Claim(line, match[0], "rate", values, digits, match["rate"])
        else:
            yield Claim(line, match[0], "ratio" if match["ratio"] else "percent", values, digits)


def unsupported(text: str, tables: Iterable[Table]) -> tuple[Claim, ...]:
    """The figures of a letter's ``text`` that none of its tables and none of their logs backs.

    Raises ``InputError`` as ``cover_table`` does, for tables that cannot be made.
    """
    rows: set[str] = set()
    sets: dict[tuple[str, ...], Sequence[BenchLog]] = {}
    for table in tables:
        made = cover_table(table.logs, table.kind, **table.options)
        rows.update(" ".join(line.split()) for line in made.split("\n"))
        paths = tuple(map(str, table.logs))
        if paths not in sets:
            sets[paths] = read_logs(paths)
    backing = _Backing(sets.values())
    said = {claim.text for row in rows for claim in numbers_in(row)}
    return tuple(
        claim for claim in numbers_in(text)
        if claim.text not in rows and claim.text not in said and not backing.supports(claim)
    )


class _Backing:
    """Everything some sets of logs say: figures by unit, and ratios between their sides."""

    def __init__(self, sets: Iterable[Sequence[BenchLog]]) -> None:
        self.operations: set[float] = set()
        self.bytes: set[float] = set()
        self.ratios: set[float] = set()
        for logs in sets:
            for measurement in (each for log in logs for each in log.measurements):
                if measurement.ops_per_second is not None:
                    self.operations.add(measurement.ops_per_second)
                if measurement.bytes_per_second is not None:
                    self.bytes.add(measurement.bytes_per_second)
            for pair in permutations(split_sides(logs), 2):
                if common_points(pair):
                    self._ratios(compare(pair)[0])

    def _ratios(self, comparison: Comparison) -> None:
        self.ratios.update(
            ratio.ratio for ratio in comparison.ratios if ratio.verdict != "suspect")
        self.ratios.update(
            summary.mean for summary in comparison.by_algorithm().values()
            if summary.mean is not None)

    def supports(self, claim: Claim) -> bool:
        """Whether every number of the claim is a figure rounded to its digits."""
        if claim.kind == "row":
            return False
        found, factor = self._figures(claim)
        reach = factor * 0.5 * 10.0**-claim.digits * (1 + 1e-9)
        return all(
            any(abs(figure - value * factor) <= reach for figure in found)
            for value in claim.values
        )

    def _figures(self, claim: Claim) -> tuple[Iterable[float], float]:
        if claim.kind == "ratio":
            return self.ratios, 1.0
        if claim.kind == "percent":
            return {100 * abs(1 - ratio) for ratio in self.ratios}, 1.0
        unit = find_unit(claim.unit)
        if unit is None:
            return (), 1.0
        return (self.operations, 1.0) if unit.metric == "ops" else (self.bytes, unit.factor)
