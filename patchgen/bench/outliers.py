"""Runs that stalled: figures that cannot be what the implementation does.

Two signs, both independent of how fast it is. A larger block never takes less time than a
smaller one, so operations/s that rise with the size by more than noise mean that the smaller
size stalled. And of the runs of one case, one far below the others stalled.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from patchgen.bench.model import Curve, Measurement

RISE = 1.15
"""A size is suspect when a larger one does this many times its operations a second."""

DIP = 0.6
"""A size is suspect when its bytes/s are below this fraction of both neighbours'."""

RUN_DROP = 0.7
"""A run is suspect when it is below this fraction of the median of its case."""


@dataclass(frozen=True, slots=True)
class Outlier:
    """A figure that is no measure of the implementation, on ``line`` of its log, and why.

    ``whole`` says whether the measurement itself is suspect, or only one of its many runs.
    """

    measurement: Measurement
    line: int
    reason: str
    whole: bool


def find_outliers(measurements: Iterable[Measurement]) -> tuple[Outlier, ...]:
    """Every suspect figure, in the order of the measurements."""
    found: list[Outlier] = []
    curves: dict[tuple[str, str, str, Curve], list[Measurement]] = {}
    for measurement in measurements:
        case = measurement.case
        key = (measurement.source, case.side, case.driver, measurement.curve)
        curves.setdefault(key, []).append(measurement)
        found += _stalled_run(measurement)
    for curve in curves.values():
        sized = [each for each in curve if each.case.block_bytes]
        found += _stalled_sizes(sorted(sized, key=lambda each: each.case.block_bytes or 0))
    return tuple(sorted(found, key=lambda outlier: (outlier.measurement.source, outlier.line)))


def suspects(outliers: Iterable[Outlier]) -> frozenset[Measurement]:
    """The measurements whose own value is suspect."""
    return frozenset(outlier.measurement for outlier in outliers if outlier.whole)


def _stalled_run(each: Measurement) -> list[Outlier]:
    if each.runs < 3 or each.case.metric == "cycles" or each.low >= RUN_DROP * each.value:
        return []
    reason = (f"one of {each.runs} runs stalled: {each.low:.0f} where the median is "
              f"{each.value:.0f}")
    return [Outlier(each, each.low_line, reason, whole=False)]


def _stalled_sizes(curve: list[Measurement]) -> list[Outlier]:
    """Sizes, ascending, that a larger one beats in operations, or that dip in bytes."""
    found = {}
    best: Measurement | None = None
    for each in reversed(curve):
        if best is not None and best.speed > RISE * each.speed:
            found[each] = (
                f"stalled: {each.speed:.6g} op/s, fewer than the {best.speed:.6g} op/s of the "
                f"larger blocks of {best.case.block_bytes} B"
            )
        elif best is None or each.speed > best.speed:
            best = each
    sound = [each for each in curve if each not in found]
    for (before, each), (_, after) in pairwise(pairwise(sound)):
        least = min(_throughput(before), _throughput(after))
        if _throughput(each) < DIP * least:
            found[each] = "stalled: far fewer bytes/s than both the smaller and the larger block"
    return [Outlier(each, each.line, reason, whole=True) for each, reason in found.items()]


def _throughput(each: Measurement) -> float:
    return each.speed * (each.case.block_bytes or 0)
