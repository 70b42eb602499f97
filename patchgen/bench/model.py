"""The one data model of every benchmark form: what was measured, and how fast it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Metric = Literal["ops", "bytes", "cycles"]
"""What a log states: operations a second, bytes a second, or cycles an operation."""

SINGLE_RUN_NOISE = 0.01
"""Standard deviation assumed for a figure measured once (1 %); repeated runs replace it."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that was measured; runs of the same case are repetitions.

    ``side`` is what tells two columns, sections or parameter values of one log apart, empty
    when the log has one side only. ``direction`` is ``"encrypt"``, ``"decrypt"`` or empty
    (hashes). ``key_bits`` is in bits, ``block_bytes`` and ``update_bytes`` in bytes; ``None``
    where the log does not say. ``variant`` is ``"multibuffer"`` for that form of tcrypt.
    """

    side: str
    algorithm: str
    driver: str
    direction: str
    key_bits: int | None
    block_bytes: int | None
    update_bytes: int | None
    variant: str
    metric: Metric

    @property
    def whole(self) -> bool:
        """Whether the block went in by one update, as every cipher block does."""
        return self.update_bytes is None or self.update_bytes == self.block_bytes


@dataclass(frozen=True, slots=True)
class Point:
    """What has to be equal for two measurements to be comparable: all but driver and side."""

    algorithm: str
    direction: str
    key_bits: int | None
    update_bytes: int | None
    variant: str
    block_bytes: int | None


@dataclass(frozen=True, slots=True)
class Curve:
    """The measurements that differ in block size only: one row of a table, one line of a plot.

    ``update_bytes`` is ``None`` when every block went in whole.
    """

    algorithm: str
    direction: str
    key_bits: int | None
    update_bytes: int | None
    variant: str

    def label(self) -> str:
        """``ecb(aes) 128 bit encrypt`` or ``ghash 16 B updates``."""
        parts = [self.algorithm]
        if self.variant:
            parts.append(self.variant)
        if self.key_bits is not None:
            parts.append(f"{self.key_bits} bit")
        if self.direction:
            parts.append(self.direction)
        if self.update_bytes is not None:
            parts.append(f"{self.update_bytes} B updates")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Measurement:
    """The median of all runs of one case in one log.

    ``value`` is in the unit of ``case.metric``: operations/s, bytes/s or cycles/operation;
    ``low`` and ``high`` are the extreme runs, ``spread`` is the standard deviation of the
    runs as a fraction of the median, estimated from the median distance to the median so
    that a stalled run does not widen it. ``line`` is the 1-based line of the first run in
    ``source``, ``low_line`` that of the lowest value, ``seconds`` the length of a run where
    the log states it.
    """

    case: Case
    source: str
    line: int
    runs: int
    value: float
    low: float
    high: float
    low_line: int
    spread: float
    seconds: float | None

    @property
    def ops_per_second(self) -> float | None:
        """Operations a second; ``None`` if the log gives cycles, or bytes without a size."""
        if self.case.metric == "ops":
            return self.value
        if self.case.metric == "bytes" and self.case.block_bytes:
            return self.value / self.case.block_bytes
        return None

    @property
    def bytes_per_second(self) -> float | None:
        """Bytes a second; ``None`` if the log gives cycles, or operations without a size."""
        if self.case.metric == "bytes":
            return self.value
        if self.case.metric == "ops" and self.case.block_bytes:
            return self.value * self.case.block_bytes
        return None

    @property
    def cycles_per_operation(self) -> float | None:
        """CPU cycles an operation takes; ``None`` unless the log gives cycles."""
        return self.value if self.case.metric == "cycles" else None

    @property
    def speed(self) -> float:
        """A figure that grows with speed, for ratios between measurements of one point.

        Operations/s where they are known, else bytes/s, else operations per cycle.
        """
        ops = self.ops_per_second
        if ops is not None:
            return ops
        return self.value if self.case.metric == "bytes" else 1 / self.value

    @property
    def time_per_operation(self) -> float:
        """Seconds (or cycles) one operation takes; the inverse of ``speed``."""
        return 1 / self.speed

    @property
    def noise(self) -> float:
        """The relative standard deviation of one run, measured or assumed."""
        return self.spread if self.runs > 1 else SINGLE_RUN_NOISE

    @property
    def point(self) -> Point:
        """What it can be compared with."""
        case = self.case
        return Point(
            case.algorithm, case.direction, case.key_bits, case.update_bytes, case.variant,
            case.block_bytes,
        )

    @property
    def curve(self) -> Curve:
        """The row of a table it belongs to."""
        case = self.case
        update = None if case.whole else case.update_bytes
        return Curve(case.algorithm, case.direction, case.key_bits, update, case.variant)


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that looks like a figure and could not be read, and why: never guessed."""

    line: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class BenchLog:
    """What one log holds.

    ``lines`` counts all lines, ``figures`` those that gave a figure, ``cut`` those among them
    whose end was cut off behind the figures that matter. ``unread`` lists at most
    ``reader.MAX_UNREAD`` lines; ``unread_total`` counts all. ``notes`` are remarks about how
    the log was understood.
    """

    source: str
    lines: int
    figures: int
    cut: int
    measurements: tuple[Measurement, ...]
    unread: tuple[Unread, ...]
    unread_total: int
    notes: tuple[str, ...]
