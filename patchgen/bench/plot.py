"""Throughput and ratio curves as SVG or PNG, readable in black and white.

A panel an algorithm and direction, both axes logarithmic. Sides differ by line and grey,
keys (or update sizes) by marker; suspect figures are crossed out. Needs the extra ``plot``.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from patchgen.bench.compare import Comparison
from patchgen.bench.model import Curve, Measurement
from patchgen.bench.outliers import find_outliers, suspects
from patchgen.bench.sides import Side
from patchgen.errors import InputError, ToolMissingError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.ticker import FuncFormatter

Format = Literal["svg", "png"]
PlotKind = Literal["throughput", "ratio"]

MAX_PANELS = 24

_LINES: tuple[Literal["-", "--", ":", "-."], ...] = ("-", "--", ":", "-.")
_GREYS = ("0.0", "0.35", "0.55", "0.2")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "p", "h", "d", "8", "H", "4")
_PANEL_WIDTH, _PANEL_HEIGHT, _LEGEND_HEIGHT = 3.2, 2.6, 0.22
_LETTER_WIDTH, _HANDLE_WIDTH = 0.068, 0.6
_WIDE_DECADES, _NARROW_DECADES = 3.0, 1.0
_STYLE = {
    "font.family": "DejaVu Sans", "font.size": 8, "svg.hashsalt": "patchgen",
    "svg.fonttype": "path", "axes.grid": True, "grid.linewidth": 0.4, "grid.color": "0.85",
    "lines.linewidth": 1.1, "lines.markersize": 4, "figure.dpi": 100, "savefig.dpi": 150,
}

Line = tuple[str, int, Curve, list[tuple[float, float, bool]]]
"""Label of the side, its number, the curve, and points (bytes, value, suspect)."""


def throughput_plot(sides: Sequence[Side], fmt: Format = "svg") -> bytes:
    """Bytes/s over block size for every side; raises ``InputError`` if there is no size."""
    stalled = suspects(find_outliers(m for side in sides for m in side.points.values()))
    lines: list[Line] = []
    cycles = all(m.case.metric == "cycles" for side in sides for m in side.points.values())
    for place, side in enumerate(sides):
        curves: dict[Curve, list[Measurement]] = {}
        for measurement in side.points.values():
            curves.setdefault(measurement.curve, []).append(measurement)
        for curve, found in curves.items():
            points = [
                (float(m.case.block_bytes), value, m in stalled) for m in found
                if m.case.block_bytes and (value := _rate(m, cycles=cycles)) is not None
            ]
            if points:
                lines.append((side.label, place, curve, sorted(points)))
    return _draw(lines, "bytes a cycle" if cycles else "bytes/s", fmt, even=False)


def ratio_plot(comparisons: Sequence[Comparison], fmt: Format = "svg") -> bytes:
    """Ratios to the first side over block size, with a line where both are even."""
    lines: list[Line] = []
    for place, comparison in enumerate(comparisons):
        label = f"{comparison.other} / {comparison.base}"
        for curve, ratios in comparison.curves.items():
            points = [(float(r.block_bytes), r.ratio, r.verdict == "suspect")
                      for r in ratios if r.block_bytes]
            if points:
                lines.append((label, place, curve, sorted(points)))
    return _draw(lines, "ratio", fmt, even=True)


def _rate(measurement: Measurement, *, cycles: bool) -> float | None:
    if cycles:
        return (measurement.case.block_bytes or 0) / measurement.value
    return measurement.bytes_per_second


def _draw(lines: Sequence[Line], quantity: str, fmt: Format, *, even: bool) -> bytes:
    panels: dict[tuple[str, str, str], list[Line]] = {}
    for line in lines:
        curve = line[2]
        panels.setdefault((curve.algorithm, curve.variant, curve.direction), []).append(line)
    if not panels:
        raise InputError("no figure has a block size to plot over",
                         advice="plot tcrypt or openssl speed logs")
    if len(panels) > MAX_PANELS:
        raise InputError(f"{len(panels)} algorithms are too many for one picture",
                         advice=f"choose at most {MAX_PANELS} with --algorithm")
    matplotlib = _matplotlib()
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, **_STYLE}):
        markers = _markers(lines)
        handles = _handles(lines, markers)
        figure = _figure(len(panels), handles)
        columns = _columns(len(panels))
        rows = math.ceil(len(panels) / columns)
        for place, ((algorithm, variant, direction), members) in enumerate(panels.items(), 1):
            axes = figure.add_subplot(rows, columns, place)
            title = " ".join(part for part in (algorithm, variant, direction) if part)
            _panel(axes, title, members, markers, even=even)
            if (place - 1) % columns == 0:
                axes.set_ylabel(quantity)
            if place > len(panels) - columns:
                axes.set_xlabel("block size (bytes)")
        return _saved(figure, fmt)


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError as error:
        raise ToolMissingError("matplotlib", "pip install 'patchgen[plot]'",
                               why="plots need it") from error
    return matplotlib


def _columns(panels: int) -> int:
    return min(panels, 2 if panels <= 4 else 3)


def _figure(panels: int, handles: Sequence[Line2D]) -> Figure:
    """An empty figure for so many panels, with its legend below."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    columns = _columns(panels)
    rows = math.ceil(panels / columns)
    width = max(columns * _PANEL_WIDTH, 4.5)
    longest = max(len(str(handle.get_label())) for handle in handles)
    per_row = max(1, min(len(handles), int(width / (_HANDLE_WIDTH + longest * _LETTER_WIDTH))))
    legend_rows = math.ceil(len(handles) / per_row)
    height = rows * _PANEL_HEIGHT + (legend_rows + 1) * _LEGEND_HEIGHT
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    figure.legend(handles=handles, loc="outside lower center", frameon=False, ncols=per_row)
    return figure


def _panel(axes: Axes, title: str, members: Sequence[Line], markers: Mapping[str, str], *,
           even: bool) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator

    axes.set_title(title)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    sizes: set[float] = set()
    for _, side, curve, points in members:
        grey = _GREYS[side % len(_GREYS)]
        sizes.update(point[0] for point in points)
        sound = [point for point in points if not point[2]]
        axes.plot(
            [point[0] for point in sound], [point[1] for point in sound],
            linestyle=_LINES[side % len(_LINES)],
            color=grey, marker=markers[_variant(curve)],
            markerfacecolor="white" if side else grey,
        )
        stalled = [point for point in points if point[2]]
        axes.plot([point[0] for point in stalled], [point[1] for point in stalled],
                  linestyle="none", marker="x", markersize=9, color="black")
    if even:
        axes.axhline(1.0, color="black", linewidth=0.7)
    axes.set_xticks(_ticks(sorted(sizes)))
    axes.xaxis.set_major_formatter(FuncFormatter(_size_name))
    axes.xaxis.set_minor_locator(NullLocator())
    _value_axis(axes, FuncFormatter(_ratio_name if even else _rate_name))


def _value_axis(axes: Axes, name: FuncFormatter) -> None:
    """Label powers of ten, and what lies between them where there are few."""
    from matplotlib.ticker import LogLocator, NullFormatter

    low, high = axes.get_ylim()
    decades = math.log10(high / low)
    axes.yaxis.set_major_formatter(name)
    if decades < _NARROW_DECADES:
        axes.yaxis.set_minor_formatter(name)
        return
    if decades < _WIDE_DECADES:
        axes.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _ticks(sizes: Sequence[float]) -> list[float]:
    """Sizes with a label of their own: those at least a factor of 1.7 from the last one."""
    ticks: list[float] = []
    for size in sizes:
        if not ticks or size >= 1.7 * ticks[-1]:
            ticks.append(size)
    return ticks


def _size_name(size: float, _: object = None) -> str:
    return f"{size / 1024:g}k" if size >= 1024 else f"{size:g}"


def _rate_name(rate: float, _: object = None) -> str:
    for factor, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= factor:
            return f"{rate / factor:.3g}{letter}"
    return f"{rate:.3g}"


def _ratio_name(ratio: float, _: object = None) -> str:
    return f"{ratio:.3g}x"


def _variant(curve: Curve) -> str:
    """What tells curves of one panel apart: the key, or the size of the updates."""
    if curve.update_bytes is not None:
        return f"{curve.update_bytes} B updates"
    return "one update" if curve.key_bits is None else f"{curve.key_bits} bit"


def _markers(lines: Iterable[Line]) -> dict[str, str]:
    """A marker for every key and update size, in the order of their size."""
    names = {_variant(line[2]): (line[2].update_bytes or 0, line[2].key_bits or 0)
             for line in lines}
    ordered = sorted(names, key=lambda name: names[name])
    return {name: _MARKERS[place % len(_MARKERS)] for place, name in enumerate(ordered)}


def _handles(lines: Sequence[Line], markers: Mapping[str, str]) -> list[Line2D]:
    """Line styles of the sides and markers of the keys, once for all panels."""
    from matplotlib.lines import Line2D

    handles: list[Line2D] = []
    for label, side in dict.fromkeys((line[0], line[1]) for line in lines):
        handles.append(Line2D([], [], linestyle=_LINES[side % len(_LINES)],
                              color=_GREYS[side % len(_GREYS)], label=_plain(label)))
    if len(markers) > 1:
        handles += [Line2D([], [], linestyle="none", marker=marker, color="0.3", label=name)
                    for name, marker in markers.items()]
    if any(point[2] for line in lines for point in line[3]):
        handles.append(Line2D([], [], linestyle="none", marker="x", color="black",
                              label="suspect"))
    return handles


def _plain(label: str) -> str:
    """A label that matplotlib takes literally: ``$`` starts no formula, ``_`` hides nothing."""
    return label.replace("$", r"\$").lstrip("_") or "-"


def _saved(figure: Figure, fmt: Format) -> bytes:
    buffer = io.BytesIO()
    metadata: dict[str, str | None] = (
        {"Date": None, "Creator": None} if fmt == "svg" else {"Software": None})
    figure.savefig(buffer, format=fmt, metadata=metadata)
    return buffer.getvalue()
