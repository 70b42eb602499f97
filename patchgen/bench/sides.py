"""Which measurements stand against which: the sides of one log, or of several.

A side is a column, a section or a parameter value of one log, a log of its own, or, where a
log runs the same test on two drivers, a driver. Which of two sides is the software one is
read from labels, driver names and file names; where they say nothing, it has to be said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from patchgen.bench.model import BenchLog, Measurement, Point
from patchgen.bench.tables import HARDWARE_WORDS, SOFTWARE_WORDS
from patchgen.errors import InputError

Role = Literal["software", "hardware"]

_PARAMETER = re.compile(r"(?P<name>[\w.-]+)=(?P<value>\d+(?:\.\d+)?)")
_SOFTWARE_DRIVER = re.compile(r"generic|-lib\b|fixed-time|\b(?:aes|sha\d+|md5)-(?:asm|arm|mips)\b")
_SOFTWARE_NAMES = (*SOFTWARE_WORDS, "sw")
_HARDWARE_NAMES = (*HARDWARE_WORDS, "hw")


@dataclass(frozen=True, slots=True)
class Side:
    """One side: its label and its measurements by what can be compared."""

    label: str
    points: dict[Point, Measurement]

    @property
    def parameter(self) -> tuple[str, float] | None:
        """Name and value of the parameter, if the side is one of its values."""
        match = _PARAMETER.search(self.label)
        return None if match is None else (match["name"], float(match["value"]))


def split_sides(logs: Sequence[BenchLog]) -> tuple[Side, ...]:
    """The sides of some logs, in their order; each point has one measurement a side."""
    names = _log_names(logs)
    groups: dict[str, list[Measurement]] = {}
    for log, name in zip(logs, names, strict=True):
        several = len(logs) > 1
        for measurement in log.measurements:
            side = measurement.case.side
            own = several and side and side != name
            label = f"{name}: {side}" if own else side or name
            groups.setdefault(label, []).append(measurement)
    if set(groups) == {"left", "right"}:
        groups = _columns_by_driver(groups)
    sides: list[Side] = []
    for label, measurements in groups.items():
        sides += _by_driver(label, measurements, alone=len(groups) == 1)
    return tuple(sides)


def choose(sides: Sequence[Side], wanted: str, option: str) -> Side:
    """The side of a label (or of the only label that contains ``wanted``)."""
    exact = [side for side in sides if side.label == wanted]
    found = exact or [side for side in sides if wanted.lower() in side.label.lower()]
    if len(found) == 1:
        return found[0]
    problem = "no side" if not found else "more than one side"
    raise InputError(f"{option} {wanted!r}: {problem} of that name",
                     advice="there are: " + ", ".join(repr(side.label) for side in sides))


def software_and_hardware(
    sides: Sequence[Side], software: str | None = None, hardware: str | None = None,
) -> tuple[Side, Side, str]:
    """The software side, the hardware side, and how they were told apart.

    ``software`` and ``hardware`` name them; raises ``InputError`` if what they do not say
    cannot be told from labels, parameter values, driver or file names.
    """
    if software is not None and hardware is not None:
        return (choose(sides, software, "--software"), choose(sides, hardware, "--hardware"),
                "as named by --software and --hardware")
    if len(sides) < 2:
        raise InputError(
            "only one side is in the logs, software and hardware are needed",
            advice="give one log a side, or one log that holds both",
        )
    pinned: dict[Role, Side] = {}
    if software is not None:
        pinned["software"] = choose(sides, software, "--software")
    if hardware is not None:
        pinned["hardware"] = choose(sides, hardware, "--hardware")
    for told, reason in ((_by_parameter(sides), "by the parameter's extreme values"),
                         (_by_names(sides), "by their names")):
        pair = {**told, **pinned}
        if len(pair) == 2 and pair["software"] is not pair["hardware"]:
            return pair["software"], pair["hardware"], reason
    if len(sides) == 2 and len(pinned) == 1:
        other = next(side for side in sides if side not in pinned.values())
        return (pinned.get("software", other), pinned.get("hardware", other),
                "the one named, and the only other one")
    raise InputError(
        "cannot tell the software side from the hardware side",
        advice="name them with --software and --hardware; there are: "
        + ", ".join(repr(side.label) for side in sides),
    )


def common_points(sides: Sequence[Side]) -> tuple[Point, ...]:
    """The points every side has, in the order of the first side."""
    first, *others = sides
    return tuple(
        point for point, mine in first.points.items()
        if all(
            point in other.points and _same_kind(mine, other.points[point]) for other in others
        )
    )


def _same_kind(one: Measurement, other: Measurement) -> bool:
    return one.case.metric == other.case.metric or "cycles" not in (
        one.case.metric, other.case.metric)


def _log_names(logs: Sequence[BenchLog]) -> list[str]:
    """A short, unique name for every log: its stem, or its path where stems repeat."""
    stems = [PurePath(log.source).stem or log.source for log in logs]
    counts = Counter(stems)
    names = [stem if counts[stem] == 1 else log.source
             for stem, log in zip(stems, logs, strict=True)]
    repeated = Counter(names)
    return [name if repeated[name] == 1 else f"{name} #{place}"
            for place, name in enumerate(names, 1)]


def _columns_by_driver(groups: dict[str, list[Measurement]]) -> dict[str, list[Measurement]]:
    """Left and right named by their drivers, where all of a column have one name in common."""
    names = [{driver_name(each.case.driver) for each in found} for found in groups.values()]
    if all(len(found) == 1 for found in names) and names[0] != names[1]:
        return {name: found for (name,), found in zip(names, groups.values(), strict=True)}
    return groups


def _by_driver(label: str, measurements: Iterable[Measurement], *, alone: bool) -> list[Side]:
    """One side, or several where the same point was measured on several drivers."""
    drivers: dict[Point, list[Measurement]] = {}
    for measurement in measurements:
        drivers.setdefault(measurement.point, []).append(measurement)
    if all(len(found) == 1 for found in drivers.values()):
        return [Side(label, {point: found[0] for point, found in drivers.items()})]
    names = {name: driver_name(name) for found in drivers.values()
             for name in (measurement.case.driver for measurement in found)}
    clash = any(
        len({names[m.case.driver] for m in found}) < len(found) for found in drivers.values()
    )
    sides: dict[str, dict[Point, Measurement]] = {}
    for point, found in drivers.items():
        for measurement in found:
            name = measurement.case.driver if clash else names[measurement.case.driver]
            side = name if alone else f"{label}: {name}"
            sides.setdefault(side, {})[point] = measurement
    return [Side(side, points) for side, points in sides.items()]


def driver_name(driver: str) -> str:
    """What the drivers of one implementation have in common: ``generic``, ``ce``, ``qce``, …

    ``cbc(aes-generic)`` is ``generic``; ``gcm-aes-ce`` is ``ce``; ``realtek-cbc-aes`` is
    ``realtek``.
    """
    if not driver:
        return "unnamed driver"
    if _SOFTWARE_DRIVER.search(driver):
        return "generic"
    words = [word for word in re.split(r"[^0-9A-Za-z]+", driver) if word]
    rest = [word for word in words if not _ALGORITHM_WORD.fullmatch(word)]
    return rest[-1] if rest else driver


_ALGORITHM_WORD = re.compile(
    r"aes|des3?|ede|ecb|cbc|ctr|cts|xts|gcm|ccm|cfb|ofb|lrw|essiv|[hc]mac|xcbc|cbcmac|ghash|md[45]"
    r"|sha\d+|sm[34]|crc\w+|chacha\d*|poly1305|rfc\d+|base|authenc|(?:std)?rng|mb"
)


def _by_parameter(sides: Sequence[Side]) -> dict[Role, Side]:
    """Sides that are values of one parameter 'longest request done in software'.

    Zero sends everything to the hardware; a value no block exceeds keeps all in software.
    """
    values: list[tuple[float, Side]] = []
    for side in sides:
        parameter = side.parameter
        if parameter is None:
            return {}
        values.append((parameter[1], side))
    values.sort(key=lambda pair: pair[0])
    (low, hardware), (high, software) = values[0], values[-1]
    sizes = [point.block_bytes or 0 for point in (*software.points, *hardware.points)]
    found: dict[Role, Side] = {}
    if low < min(sizes):
        found["hardware"] = hardware
    if high >= max(sizes):
        found["software"] = software
    return found


def _by_names(sides: Sequence[Side]) -> dict[Role, Side]:
    if len(sides) != 2:
        named = [(side, _role(side)) for side in sides]
        software = [side for side, role in named if role == "software"]
        hardware = [side for side, role in named if role == "hardware"]
        if len(software) == len(hardware) == 1:
            return {"software": software[0], "hardware": hardware[0]}
        return {}
    first, second = sides
    roles = (_role(first), _role(second))
    if roles[0] == roles[1]:
        return {}
    if "software" in roles:
        software_side = first if roles[0] == "software" else second
    else:
        software_side = second if roles[0] == "hardware" else first
    other = second if software_side is first else first
    return {"software": software_side, "hardware": other}


def _role(side: Side) -> Role | None:
    """What a side's label, or else all of its drivers, say about it."""
    words = re.split(r"[^a-z0-9]+", side.label.lower())
    for role, names in _ROLE_NAMES:
        if any(word.startswith(name) for word in words for name in names):
            return role
    drivers = {measurement.case.driver for measurement in side.points.values()}
    if drivers and all(_SOFTWARE_DRIVER.search(driver) for driver in drivers):
        return "software"
    return None


_ROLE_NAMES: tuple[tuple[Role, tuple[str, ...]], ...] = (
    ("software", _SOFTWARE_NAMES), ("hardware", _HARDWARE_NAMES),
)
