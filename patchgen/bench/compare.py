"""Ratios between sides: how much faster, on the mean, and what got slower beyond noise."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from patchgen.bench.model import Curve, Measurement
from patchgen.bench.outliers import find_outliers, suspects
from patchgen.bench.sides import Side, common_points
from patchgen.errors import InputError

Verdict = Literal["", "slower", "faster", "suspect"]

NOISE_SIGMAS = 2.0
"""Standard deviations of both sides together that a difference has to exceed to mean anything."""

WITHIN = 0.02
"""The loss (2 %) that summaries say from which block size on it is kept."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """One point on two sides: ``ratio`` is the speed of ``other`` over that of ``base``.

    ``noise`` is what the two runs may differ by for no reason, as a fraction. ``verdict`` is
    ``slower`` or ``faster`` beyond it, ``suspect`` when either figure looks stalled.
    """

    base: Measurement
    other: Measurement
    ratio: float
    noise: float
    verdict: Verdict

    @property
    def block_bytes(self) -> int | None:
        """The block size in bytes."""
        return self.base.case.block_bytes


@dataclass(frozen=True, slots=True)
class Summary:
    """Ratios in a word: their geometric mean, the lowest and the highest.

    Suspect figures count nowhere. ``within_from`` is the smallest block size in bytes from
    which on no ratio is below ``1 - WITHIN``; ``None`` if there is none.
    """

    count: int
    mean: float | None
    lowest: Ratio | None
    highest: Ratio | None
    within_from: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All ratios of one side to the base side, by curve; ``unmatched`` points had no partner."""

    base: str
    other: str
    curves: dict[Curve, tuple[Ratio, ...]]
    unmatched: int

    @property
    def ratios(self) -> tuple[Ratio, ...]:
        """All ratios, curve after curve."""
        return tuple(ratio for curve in self.curves.values() for ratio in curve)

    @property
    def regressions(self) -> tuple[Ratio, ...]:
        """The points that are slower beyond noise."""
        return tuple(ratio for ratio in self.ratios if ratio.verdict == "slower")

    def by_algorithm(self) -> dict[str, Summary]:
        """A summary an algorithm, in the order of the log."""
        groups: dict[str, list[Ratio]] = {}
        for curve, ratios in self.curves.items():
            groups.setdefault(curve.algorithm, []).extend(ratios)
        return {algorithm: summarize(ratios) for algorithm, ratios in groups.items()}


def compare(sides: Sequence[Side]) -> tuple[Comparison, ...]:
    """Every side against the first; raises ``InputError`` if there is nothing to compare."""
    if len(sides) < 2:
        raise InputError(
            "only one side is in the logs, two are needed to compare",
            advice="give two logs, or one that holds two sides",
        )
    base, *others = sides
    stalled = suspects(
        find_outliers(each for side in sides for each in side.points.values())
    )
    result = [_compare(base, other, stalled) for other in others]
    if not any(comparison.curves for comparison in result):
        raise InputError(
            f"no test is on both sides ({base.label!r} and {others[0].label!r})",
            advice="compare logs of the same algorithms, key lengths and block sizes",
        )
    return tuple(result)


def _compare(base: Side, other: Side, stalled: frozenset[Measurement]) -> Comparison:
    points = common_points((base, other))
    curves: dict[Curve, list[Ratio]] = {}
    for point in points:
        mine, theirs = base.points[point], other.points[point]
        suspect = mine in stalled or theirs in stalled
        curves.setdefault(mine.curve, []).append(_ratio(mine, theirs, suspect=suspect))
    ordered = {
        curve: tuple(sorted(ratios, key=lambda ratio: ratio.block_bytes or 0))
        for curve, ratios in curves.items()
    }
    unmatched = len(base.points) + len(other.points) - 2 * len(points)
    return Comparison(base.label, other.label, ordered, unmatched)


def _ratio(base: Measurement, other: Measurement, *, suspect: bool) -> Ratio:
    ratio = other.speed / base.speed
    noise = NOISE_SIGMAS * math.hypot(base.noise, other.noise)
    verdict: Verdict = ""
    if suspect:
        verdict = "suspect"
    elif ratio < 1 - noise:
        verdict = "slower"
    elif ratio > 1 + noise:
        verdict = "faster"
    return Ratio(base, other, ratio, noise, verdict)


def summarize(ratios: Iterable[Ratio]) -> Summary:
    """Mean and extremes of some ratios, suspect ones left out."""
    sound = [ratio for ratio in ratios if ratio.verdict != "suspect"]
    if not sound:
        return Summary(0, None, None, None, None)
    mean = math.exp(math.fsum(math.log(ratio.ratio) for ratio in sound) / len(sound))
    lost = [ratio.block_bytes or 0 for ratio in sound if ratio.ratio < 1 - WITHIN]
    kept = [ratio.block_bytes for ratio in sound
            if ratio.block_bytes and (not lost or ratio.block_bytes > max(lost))]
    return Summary(
        len(sound), mean, min(sound, key=lambda ratio: ratio.ratio),
        max(sound, key=lambda ratio: ratio.ratio), min(kept, default=None),
    )
