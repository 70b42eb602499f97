"""Choosing some of the measurements: by algorithm, direction, key and block size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from patchgen.bench.model import BenchLog, Measurement
from patchgen.errors import InputError


@dataclass(frozen=True, slots=True)
class Selection:
    """What is wanted; an empty field wants everything.

    ``key_bits`` is in bits, ``blocks`` in bytes; ``updates`` is ``True`` for tests that feed
    a block in several updates too.
    """

    algorithms: tuple[str, ...] = ()
    directions: tuple[str, ...] = ()
    key_bits: tuple[int, ...] = ()
    blocks: tuple[int, ...] = ()
    updates: bool = True

    def wants(self, measurement: Measurement) -> bool:
        """Whether a measurement is among what is wanted."""
        case = measurement.case
        return (
            (not self.algorithms or case.algorithm in self.algorithms)
            and (not self.directions or case.direction in self.directions)
            and (not self.key_bits or case.key_bits in self.key_bits)
            and (not self.blocks or case.block_bytes in self.blocks)
            and (self.updates or case.whole)
        )


def select(logs: Iterable[BenchLog], wanted: Selection) -> tuple[BenchLog, ...]:
    """The logs with only the wanted measurements; raises ``InputError`` if none is left.

    The order of ``wanted.algorithms`` becomes the order of the measurements.
    """
    logs = tuple(logs)
    places = {name: place for place, name in enumerate(wanted.algorithms)}
    chosen = tuple(
        replace(log, measurements=tuple(sorted(
            (each for each in log.measurements if wanted.wants(each)),
            key=lambda each: places.get(each.case.algorithm, 0))))
        for log in logs
    )
    if any(log.measurements for log in chosen):
        return tuple(log for log in chosen if log.measurements)
    names = sorted({each.case.algorithm for log in logs for each in log.measurements})
    raise InputError("no figure is left after the selection",
                     path=logs[0].source if len(logs) == 1 else None,
                     advice=f"the algorithms are: {', '.join(names)}")
