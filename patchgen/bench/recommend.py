"""One value for a driver's parameter 'longest request done in software', and why that one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from patchgen.bench.threshold import Crossing, Step
from patchgen.bench.units import show_time

_LEAF = re.compile(r"[a-z0-9_-]+(?=\)*$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Family:
    """The algorithms that share a cipher or hash: they get one value.

    ``even_from`` is the earliest size in bytes from which the hardware is even, ``None`` if
    there is none; ``value`` the request size in bytes up to which software is to do the work
    (0: the hardware takes all), ``None`` if software is to do all.
    """

    name: str
    crossings: tuple[Crossing, ...]
    even_from: int | None
    value: int | None


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The value for all, the families it comes from, and the reasoning, line by line."""

    value: int | None
    families: tuple[Family, ...]
    reasons: tuple[str, ...]


def recommend(found: Sequence[Crossing]) -> Recommendation:
    """The largest power of two not above the earliest size at which hardware is even.

    Lower than that costs latency; higher keeps the CPU busy with work the engine would have
    done as fast. The earliest curve decides, because one value serves all key lengths.
    """
    families = _families(found)
    worth = [family for family in families if family.value is not None]
    if not worth:
        return Recommendation(None, families, (
            "The hardware is behind at every size: keep all requests in software.",))
    chosen = min(worth, key=lambda family: (family.value or 0, -len(family.crossings)))
    assert chosen.value is not None
    reasons = [*_latency(chosen), *_cpu(chosen), *_choice(chosen), *_others(families, chosen)]
    return Recommendation(chosen.value, families, tuple(reasons))


def family_name(algorithm: str) -> str:
    """What an algorithm is built on: ``rfc4106(gcm(aes))`` -> ``aes``, ``hmac(sha1)`` -> ``sha1``.

    Combinations (``authenc(…,…)``) are families of their own.
    """
    leaf = _LEAF.search(algorithm)
    return algorithm if "," in algorithm or leaf is None else leaf[0]


def _families(found: Sequence[Crossing]) -> tuple[Family, ...]:
    groups: dict[str, list[Crossing]] = {}
    for crossing in found:
        groups.setdefault(family_name(crossing.curve.algorithm), []).append(crossing)
    families = []
    for name, crossings in groups.items():
        whole = [each for each in crossings if each.curve.update_bytes is None] or crossings
        sizes = [each.even_from for each in whole
                 if each.even_from is not None and each.final.ratio >= 1]
        even = min(sizes, default=None)
        always = bool(whole) and all(each.always for each in whole)
        value = None if even is None else 0 if always else _power_of_two(even)
        families.append(Family(name, tuple(whole), even, value))
    return tuple(families)


def _power_of_two(size: int) -> int:
    """The largest power of two not above ``size``."""
    return 1 << (size.bit_length() - 1)


def _latency(family: Family) -> list[str]:
    even = [each for each in family.crossings if each.even_from is not None]
    first = min(even, key=lambda each: (each.even_from or 0, each.overtakes or 0))
    last = max(even, key=lambda each: (each.even_from or 0, each.overtakes or 0))
    lines = [f"Latency: {_even(first)}."]
    if len(even) > 1 and last.even_from == first.even_from:
        lines = [f"Latency: {len(even)} curves of {family.name} are even from {first.even_from} B"
                 f"{_crossing_range(even)}."]
    if last.even_from != first.even_from:
        lines = [f"Latency: {_even(first)} at the earliest, {_even(last)} at the latest."]
    never = [each for each in family.crossings if each.even_from is None]
    if never:
        lines.append(f"{len(never)} of {len(family.crossings)} curves of {family.name} never get "
                     f"there, such as {never[0].curve.label()}.")
    return lines


def _crossing_range(even: Sequence[Crossing]) -> str:
    places = sorted(each.overtakes for each in even if each.overtakes is not None)
    if not places or all(each.always for each in even):
        return ", the smallest size measured" if places else ""
    return f" (they cross the software's between {places[0]:.0f} and {places[-1]:.0f} B)"


def _even(crossing: Crossing) -> str:
    where = f"{crossing.curve.label()} is even from {crossing.even_from} B"
    if crossing.always:
        return f"{where}, the smallest size measured"
    if crossing.overtakes is None:
        return where
    return f"{where} (the curves cross at {crossing.overtakes:.0f} B)"


def _cpu(family: Family) -> list[str]:
    if family.value == 0:
        return []
    offload = [each for each in family.crossings if each.offload_from is not None]
    if not offload:
        return []
    first = min(offload, key=lambda each: each.offload_from or 0)
    last = max(offload, key=lambda each: each.offload_from or 0)
    smallest = first.steps[0]
    sizes = f"{first.offload_from:.0f} B"
    if round(last.offload_from or 0) != round(first.offload_from or 0):
        sizes += f" ({first.curve.label()}) to {last.offload_from:.0f} B ({last.curve.label()})"
    return [f"CPU: a request of {smallest.block_bytes} B, which is nearly all fixed cost, takes "
            f"{show_time(smallest.hardware)} in hardware; software takes as long from {sizes} on. "
            "Beyond that the CPU is free sooner with the hardware, even where the result comes "
            "later."]


def _choice(family: Family) -> list[str]:
    value, even = family.value, family.even_from
    if value == 0:
        return ["Choice: 0, the hardware leads at every size measured."]
    assert value is not None
    if value == even:
        text = f"Choice: {value}, the size at which both are even"
    else:
        text = (f"Choice: {value}, the power of two below {even} B: lower than break-even, to take "
                "load off the CPU")
    worst = _slowest(family, value)
    if worst is None:
        return [text + "."]
    crossing, step = worst
    return [f"{text}. The price: a request just above it waits up to {1 / step.ratio:.2f} times "
            f"as long as in software ({show_time(step.hardware)} against "
            f"{show_time(step.software)}, {crossing.curve.label()})."]


def _slowest(family: Family, size: int) -> tuple[Crossing, Step] | None:
    """The curve that loses most at a measured size; ``None`` if none loses there."""
    steps = [(each, step) for each in family.crossings
             if (step := each.step(size)) is not None and step.ratio < 1]
    return min(steps, key=lambda pair: pair[1].ratio, default=None)


def _others(families: Sequence[Family], chosen: Family) -> list[str]:
    lines = []
    for family in families:
        if family is chosen:
            continue
        if family.value is None:
            lines.append(f"{family.name}: the hardware never overtakes; leave it to software.")
        elif family.value != chosen.value:
            lines.append(f"{family.name}: even from {family.even_from} B only; on its own it "
                         f"would get {family.value}.")
    return lines
