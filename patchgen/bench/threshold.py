"""From which request size on the hardware is worth its latency.

Between two measured sizes the time of a request is taken to grow linearly, as it does for a
fixed cost and a cost a byte. Two sizes come out for every algorithm, direction and key:

* ``overtakes``: where the two lines cross, interpolated;
* ``even_from``: the smallest measured size from which on the hardware is never more than
  ``EVEN_MARGIN`` behind, which is what authors call equal (the Realtek letter calls 9 % behind
  equal at 256 bytes, the qce letter does not call 10 % behind equal at 768).

And, for the CPU's sake, ``offload_from``: where software starts to take longer than the whole
fixed cost of a hardware request, which bounds from above what such a request costs the CPU.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from patchgen.bench.model import Curve, Measurement
from patchgen.bench.outliers import find_outliers, suspects
from patchgen.bench.sides import Side, common_points
from patchgen.errors import InputError

EVEN_MARGIN = 0.09
"""How far behind (9 %) the hardware may be at a size to count as even there."""


@dataclass(frozen=True, slots=True)
class Step:
    """One measured size: block in bytes, seconds (or cycles) a request takes on both sides."""

    block_bytes: int
    software: float
    hardware: float

    @property
    def ratio(self) -> float:
        """Hardware speed over software speed."""
        return self.software / self.hardware


@dataclass(frozen=True, slots=True)
class Crossing:
    """What one curve says: the sizes in bytes explained above, ``None`` for never.

    ``always`` is set when the hardware already leads at the smallest size measured. ``left_out``
    holds the sizes in bytes that were skipped because a run stalled there.
    """

    curve: Curve
    steps: tuple[Step, ...]
    overtakes: float | None
    always: bool
    even_from: int | None
    offload_from: float | None
    left_out: tuple[int, ...]

    @property
    def final(self) -> Step:
        """The largest size measured."""
        return self.steps[-1]

    def step(self, block_bytes: int) -> Step | None:
        """The measured size of that many bytes."""
        return next((each for each in self.steps if each.block_bytes == block_bytes), None)


def crossings(software: Side, hardware: Side, margin: float = EVEN_MARGIN) -> tuple[Crossing, ...]:
    """One crossing a curve that both sides have at two block sizes or more.

    ``margin`` is the fraction the hardware may be behind to count as even, 0 to below 1.
    Raises ``InputError`` when no curve has two sizes.
    """
    if not 0 <= margin < 1:
        raise InputError(f"a margin of {margin:g} is not between 0 and 1",
                         advice="0.09 means 9 % behind counts as even")
    points = common_points((software, hardware))
    stalled = suspects(find_outliers(
        each for side in (software, hardware) for each in side.points.values()))
    steps: dict[Curve, list[Step]] = {}
    skipped: dict[Curve, list[int]] = {}
    for point in points:
        mine, theirs = software.points[point], hardware.points[point]
        size = point.block_bytes
        if size is None:
            continue
        if mine in stalled or theirs in stalled:
            skipped.setdefault(mine.curve, []).append(size)
            continue
        steps.setdefault(mine.curve, []).append(_step(size, mine, theirs))
    found = tuple(
        _crossing(curve, sorted(measured, key=lambda step: step.block_bytes), margin,
                  tuple(skipped.get(curve, ())))
        for curve, measured in steps.items() if len(measured) > 1
    )
    if not found:
        raise InputError(
            f"{software.label!r} and {hardware.label!r} share no test with two block sizes",
            advice="run the same tcrypt mode on both sides",
        )
    return found


def _step(size: int, software: Measurement, hardware: Measurement) -> Step:
    return Step(size, software.time_per_operation, hardware.time_per_operation)


def _crossing(curve: Curve, steps: list[Step], margin: float,
              left_out: tuple[int, ...]) -> Crossing:
    overtakes: float | None = None
    for before, after in pairwise(steps):
        if before.ratio < 1 <= after.ratio:
            overtakes = _crosses(
                before.block_bytes, before.hardware - before.software,
                after.block_bytes, after.hardware - after.software)
    if steps[-1].ratio < 1:
        overtakes = None  # it led in the middle only
    always = all(step.ratio >= 1 for step in steps)
    if always:
        overtakes = float(steps[0].block_bytes)
    even_from: int | None = None
    for step in reversed(steps):
        if step.ratio < 1 - margin:
            break
        even_from = step.block_bytes
    return Crossing(curve, tuple(steps), overtakes, always, even_from, _offload(steps), left_out)


def _crosses(size: float, gap: float, next_size: float, next_gap: float) -> float:
    """Where a gap that goes from positive to zero or below between two sizes is zero."""
    return size + (next_size - size) * gap / (gap - next_gap)


def _offload(steps: list[Step]) -> float | None:
    """The size in bytes at which software takes as long as the smallest hardware request."""
    fixed = steps[0].hardware
    if steps[0].software >= fixed:
        return float(steps[0].block_bytes)
    for before, after in pairwise(steps):
        if before.software < fixed <= after.software:
            return _crosses(before.block_bytes, fixed - before.software,
                            after.block_bytes, fixed - after.software)
    return None
