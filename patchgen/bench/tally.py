"""Figures of repeated runs as they stream by, in memory that does not grow with the log."""

from __future__ import annotations

from collections import Counter

from patchgen.bench.model import Case, Measurement

BATCH = 1024
"""Runs that are kept exactly; from then on a histogram holds them."""

_RESOLUTION = 2048
_NORMAL = 1.4826  # median distance from the median -> standard deviation of normal noise
_MAX_BINS = 8192


class Tally:
    """All runs of one case: exact up to ``BATCH`` runs, then a histogram.

    The histogram's bins are 1/2048 of the first median wide, so the median is off by less
    than 0.03 %; when more than 8192 bins fill, two become one. Extremes and their lines stay
    exact. ``values`` and ``lines`` are public for the reader's inner loop, which appends to
    both and calls ``fold`` when many values wait; ``middle`` and ``end`` are the words around
    the byte count on the case's latest line, ``divisor`` the seconds its count is for.
    """

    __slots__ = ("block", "case", "divisor", "end", "first_line", "high", "histogram", "keep",
                 "lines", "low", "low_line", "middle", "runs", "scale", "seconds", "values")

    def __init__(self, case: Case, *, keep: bool = False) -> None:
        self.case = case
        self.block = case.block_bytes or 0
        self.keep = keep
        self.values: list[float] = []
        self.lines: list[int] = []
        self.histogram: Counter[int] = Counter()
        self.scale = 0.0
        self.runs = 0
        self.first_line = 0
        self.low = self.high = 0.0
        self.low_line = 0
        self.seconds: float | None = None
        self.middle = self.end = b""
        self.divisor = 1

    def add(self, value: float, line: int, seconds: float | None = None) -> None:
        """One run: ``value`` in the unit of the case's metric, measured on ``line``."""
        self.values.append(value)
        self.lines.append(line)
        if seconds is not None:
            self.seconds = seconds
        if len(self.values) >= BATCH:
            self.fold()

    def fold(self) -> None:
        """Move the waiting runs into the histogram (unless every run is to be kept)."""
        if self.keep or not self.values:
            return
        self._extremes()
        if not self.scale:
            median = sorted(self.values)[len(self.values) // 2]
            self.scale = _RESOLUTION / median
        self.histogram.update(map(int, map(self.scale.__mul__, self.values)))
        while len(self.histogram) > _MAX_BINS:
            self._coarser()
        self.values.clear()
        self.lines.clear()

    def _coarser(self) -> None:
        self.scale /= 2
        wider: Counter[int] = Counter()
        for key, count in self.histogram.items():
            wider[key // 2] += count
        self.histogram = wider

    def _extremes(self) -> None:
        low, high = min(self.values), max(self.values)
        if not self.runs:
            self.first_line = self.lines[0]
        if not self.runs or low < self.low:
            self.low, self.low_line = low, self.lines[self.values.index(low)]
        self.high = max(high, self.high)
        self.runs += len(self.values)

    def _weighted(self) -> list[tuple[float, int]]:
        """Every different value with its number of runs, ascending."""
        if not self.histogram:
            return [(value, 1) for value in sorted(self.values)]
        return [
            (min(max((key + 0.5) / self.scale, self.low), self.high), count)
            for key, count in sorted(self.histogram.items())
        ]

    def result(self, source: str) -> Measurement:
        """The measurement of all runs so far; call it once, at the end."""
        if self.histogram:
            self.fold()
        else:
            self._extremes()
        weighted = self._weighted()
        median = _median(weighted)
        distances = sorted((abs(value - median), count) for value, count in weighted)
        spread = _NORMAL * _median(distances) / median
        return Measurement(
            self.case, source, self.first_line, self.runs, median, self.low, self.high,
            self.low_line, spread, self.seconds,
        )

    def each(self, source: str) -> list[Measurement]:
        """Every run on its own, in the order of the log; only with ``keep``."""
        return [
            Measurement(self.case, source, line, 1, value, value, value, line, 0.0, self.seconds)
            for value, line in zip(self.values, self.lines, strict=True)
        ]


def _median(weighted: list[tuple[float, int]]) -> float:
    """The middle of sorted values with weights; between two, their mean."""
    total = sum(count for _, count in weighted)
    below, above = (total - 1) // 2, total // 2
    seen, lower = 0, None
    for value, count in weighted:
        seen += count
        if lower is None and seen > below:
            lower = value
        if lower is not None and seen > above:
            return (lower + value) / 2
    raise ValueError("no values")
