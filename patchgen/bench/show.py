"""Measurements as tables in the style of cover letters: one row a curve, one column a size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeVar

from patchgen.bench.compare import Comparison, Ratio, summarize
from patchgen.bench.grid import Grid
from patchgen.bench.model import Curve, Measurement
from patchgen.bench.outliers import Outlier
from patchgen.bench.sides import Side
from patchgen.bench.threshold import Crossing
from patchgen.bench.units import show_rate, show_size
from patchgen.errors import InputError

RateUnit = Literal["op/s", "byte/s", "kB/s", "MB/s", "cycles/op"]
UNITS: tuple[RateUnit, ...] = ("op/s", "byte/s", "kB/s", "MB/s", "cycles/op")

Cell = TypeVar("Cell")

_FACTORS = {"byte/s": 1, "kB/s": 1000, "MB/s": 1_000_000}
_MARK_NOTES = (("!", "! slower by more than noise"), ("?", "? suspect, as a run stalled"))
_MARKS = {"": "", "slower": "!", "faster": "", "suspect": "?"}


def natural_unit(measurements: Iterable[Measurement]) -> RateUnit:
    """The unit the figures were given in: MB/s for bytes, else op/s or cycles/op."""
    metrics = {measurement.case.metric for measurement in measurements}
    if metrics == {"cycles"}:
        return "cycles/op"
    return "op/s" if "ops" in metrics else "MB/s"


def in_unit(measurement: Measurement, unit: RateUnit) -> float | None:
    """The figure in a unit; ``None`` when the log does not give what it takes."""
    if unit == "op/s":
        return measurement.ops_per_second
    if unit == "cycles/op":
        return measurement.cycles_per_operation
    rate = measurement.bytes_per_second
    return None if rate is None else rate / _FACTORS[unit]


def rate_grids(
    sides: Sequence[Side], unit: RateUnit | None = None, outliers: Sequence[Outlier] = (),
) -> tuple[Grid, ...]:
    """The figures of every side: tables whose rows share their sizes, in the order of the log.

    Suspect figures are marked ``?`` and explained below their table.
    """
    marked = {outlier.measurement: outlier for outlier in outliers}
    grids: list[Grid] = []
    for side in sides:
        units: dict[RateUnit, dict[Curve, dict[int | None, Measurement]]] = {}
        for curve, found in _curves(side).items():
            wanted = unit or natural_unit(found)
            shown = {each.case.block_bytes: each for each in found
                     if in_unit(each, wanted) is not None}
            if shown:
                units.setdefault(wanted, {})[curve] = shown
        for wanted, curves in units.items():
            for sizes, group in by_sizes(curves):
                grids.append(_rate_grid(side, wanted, sizes, group, marked))
    if not grids and unit is not None:
        raise InputError(f"no figure can be given in {unit}",
                         advice="the log states neither it nor the block size; leave the unit out")
    return tuple(grids)


def _curves(side: Side) -> dict[Curve, list[Measurement]]:
    curves: dict[Curve, list[Measurement]] = {}
    for measurement in side.points.values():
        curves.setdefault(measurement.curve, []).append(measurement)
    return {curve: sorted(found, key=lambda each: each.case.block_bytes or 0)
            for curve, found in curves.items()}


def by_sizes(
    curves: Mapping[Curve, Mapping[int | None, Cell]],
) -> list[tuple[tuple[int | None, ...], dict[Curve, Mapping[int | None, Cell]]]]:
    """Curves in groups that share a table: those whose sizes are all among another's join it."""
    groups: list[tuple[frozenset[int | None], list[Curve]]] = []
    for curve, cells in curves.items():
        sizes = frozenset(cells)
        for place, (known, members) in enumerate(groups):
            hashes = members[0].key_bits is None
            if hashes == (curve.key_bits is None) and (sizes <= known or known <= sizes):
                groups[place] = (known | sizes, [*members, curve])
                break
        else:
            groups.append((sizes, [curve]))
    return [
        (tuple(sorted(sizes, key=lambda size: size or 0)),
         {curve: curves[curve] for curve in members})
        for sizes, members in groups
    ]


def _rate_grid(side: Side, unit: RateUnit, sizes: tuple[int | None, ...],
               curves: Mapping[Curve, Mapping[int | None, Measurement]],
               marked: dict[Measurement, Outlier]) -> Grid:
    repeated = any(each.runs > 1 for found in curves.values() for each in found.values())
    columns = ["", *(show_size(size) if size else unit for size in sizes)]
    if repeated:
        columns.append("spread")
    rows, notes = [], []
    for curve, found in curves.items():
        cells = [curve.label()]
        for size in sizes:
            each = found.get(size)
            value = None if each is None else in_unit(each, unit)
            if each is None or value is None:
                cells.append("-")
                continue
            outlier = marked.get(each)
            cells.append(show_rate(value) + ("?" if outlier is not None and outlier.whole else ""))
            if outlier is not None:
                notes.append(f"? line {outlier.line}: {curve.label()} "
                             f"{show_size(each.case.block_bytes)}: {outlier.reason}")
        if repeated:
            cells.append(f"±{100 * max(each.spread for each in found.values()):.1f}%")
        rows.append(tuple(cells))
    runs = sorted({each.runs for found in curves.values() for each in found.values()})
    if repeated:
        notes.append(f"medians of {runs[0]}"
                     + (f" to {runs[-1]}" if len(runs) > 1 else "") + " runs")
    return Grid(f"{unit}, {side.label}:", tuple(columns), tuple(rows), tuple(notes))


def side_grids(
    sides: Sequence[Side], unit: RateUnit | None = None, outliers: Sequence[Outlier] = (),
) -> tuple[Grid, ...]:
    """One table an algorithm and direction: a row a key and size, a column a side.

    Suspect figures are marked ``?`` and explained below their table.
    """
    marked = {outlier.measurement: outlier for outlier in outliers if outlier.whole}
    groups: dict[tuple[str, str, str], dict[tuple[int | None, int | None, int | None],
                                            list[Measurement | None]]] = {}
    for place, side in enumerate(sides):
        for point, measurement in side.points.items():
            group = groups.setdefault((point.algorithm, point.direction, point.variant), {})
            row = group.setdefault((point.key_bits, point.block_bytes, point.update_bytes),
                                   [None] * len(sides))
            row[place] = measurement
    grids = []
    for (algorithm, direction, variant), rows in groups.items():
        found = [each for row in rows.values() for each in row if each is not None]
        wanted = unit or natural_unit(found)
        title = " ".join(part for part in (algorithm, variant, direction) if part)
        names, labels = _columns([side.label for side in sides])
        body = tuple(
            (_row_name(*key), *(_cell(each, wanted, each in marked) for each in row))
            for key, row in rows.items()
        )
        notes = tuple(f"? line {marked[each].line}: {marked[each].reason}"
                      for each in found if each in marked)
        grids.append(Grid(f"{wanted}, {title}:", (names, *labels), body, notes, ruled=True))
    return tuple(grids)


def _columns(labels: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The name of a shared parameter and its values, or an empty name and the labels."""
    pairs = [label.partition("=") for label in labels]
    names = {name for name, _, _ in pairs}
    if len(names) == 1 and all(sign for _, sign, _ in pairs):
        return names.pop(), tuple(value for _, _, value in pairs)
    return "", tuple(labels)


def _row_name(key: int | None, block: int | None, update: int | None) -> str:
    parts = [f"{key} bit" if key is not None else "",
             f"{block} bytes" if block is not None else "",
             f"{update} B updates" if update not in (None, block) else ""]
    return " ".join(part for part in parts if part)


def _cell(measurement: Measurement | None, unit: RateUnit, suspect: bool) -> str:
    value = None if measurement is None else in_unit(measurement, unit)
    if value is None:
        return "-"
    text = f"{value:,.0f}" if value >= 99.95 else show_rate(value)
    return text + "?" if suspect else text


def ratio_grid(comparison: Comparison) -> tuple[Grid, ...]:
    """Ratios by curve and size, with the geometric mean of every row.

    ``!`` marks what is slower beyond noise, ``?`` a figure that looks stalled.
    """
    by_curve = {curve: {ratio.block_bytes: ratio for ratio in ratios}
             for curve, ratios in comparison.curves.items()}
    grids = []
    for sizes, curves in by_sizes(by_curve):
        rows = [
            (curve.label(), *(ratio_text(found.get(size)) for size in sizes),
             _mean(tuple(found.values())))
            for curve, found in curves.items()
        ]
        columns = ("", *(show_size(size) if size else "ratio" for size in sizes), "mean")
        cells = "".join(cell for row in rows for cell in row[1:])
        notes = tuple(text for mark, text in _MARK_NOTES if mark in cells)
        grids.append(Grid(f"ratio of {comparison.other} to {comparison.base}:", columns,
                          tuple(rows), notes))
    return tuple(grids)


def ratio_text(ratio: Ratio | None) -> str:
    """``24.5x``, ``0.983x!``: three significant digits and the mark of its verdict."""
    if ratio is None:
        return "-"
    return times(ratio.ratio) + _MARKS[ratio.verdict]


def times(ratio: float) -> str:
    """A ratio with three significant digits: ``24.5x``, ``1.98x``, ``0.952x``."""
    digits = 0 if ratio >= 99.95 else 1 if ratio >= 9.995 else 2 if ratio >= 0.9995 else 3
    return f"{ratio:.{digits}f}x"


def _mean(ratios: Sequence[Ratio]) -> str:
    mean = summarize(ratios).mean
    return "-" if mean is None else times(mean)


def crossing_grid(found: Sequence[Crossing]) -> Grid:
    """Where the hardware overtakes, is even, and pays for the CPU; ratios at both ends."""
    rows = []
    for each in found:
        overtakes = "never" if each.overtakes is None else f"{each.overtakes:.0f} B"
        if each.always:
            overtakes = f"<= {each.overtakes:.0f} B"
        rows.append((
            each.curve.label(), overtakes,
            "never" if each.even_from is None else f"{each.even_from} B",
            "never" if each.offload_from is None else f"{each.offload_from:.0f} B",
            times(each.steps[0].ratio), times(each.final.ratio),
        ))
    first = found[0]
    smallest, largest = first.steps[0].block_bytes, first.final.block_bytes
    if any(each.steps[0].block_bytes != smallest or each.final.block_bytes != largest
           for each in found):
        ends = ("smallest", "largest")
    else:
        ends = (f"at {smallest} B", f"at {largest} B")
    left_out = [f"? {each.curve.label()}: {', '.join(f'{size} B' for size in each.left_out)} left "
                "out, a run stalled there" for each in found if each.left_out]
    return Grid("", ("", "overtakes", "even from", "offload", *ends), tuple(rows),
                tuple(left_out))
