"""What a target's configuration silently loses from one kernel version to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

from patchgen.openwrt import algebra
from patchgen.openwrt.config import Value
from patchgen.openwrt.evaluate import Evaluator
from patchgen.openwrt.layers import Layer, Stack, version_key
from patchgen.openwrt.symbols import SymbolTable

Fate = Literal["lost", "unknown"]


@dataclass(frozen=True, slots=True)
class Lost:
    """A symbol that the older configuration switches on and no layer of the newer one has.

    ``lost``: the newer kernel still has the symbol, and nothing else switches it on.
    ``unknown``: whether the newer kernel has it cannot be told.
    """

    symbol: str
    value: Value
    older: Layer
    line: int
    newer: Layer
    fate: Fate


def pairs(stacks: tuple[Stack, ...]) -> Iterator[tuple[Stack, Stack]]:
    """Each subtarget's kernel versions, one against the next."""
    ordered = sorted(stacks, key=lambda s: (s.name, version_key(s.kernel)))
    for _, group in groupby(ordered, key=lambda s: s.name):
        yield from pairwise(group)


def _newer_layer(newer: Stack, older: Layer) -> Layer:
    """The layer of the newer version that stands where the older one stood."""
    for layer in newer.layers:
        if layer.name == older.name:
            return layer
    return newer.top


def _fate(
    symbol: str, newer: Stack, table: SymbolTable | None, evaluator: Evaluator | None
) -> Fate | None:
    """What happened to a symbol that no layer of the newer version switches on; None: nothing."""
    exists = None if table is None else table.exists(symbol)
    if exists is False:
        return None
    if exists is None or table is None or evaluator is None:
        return "unknown"
    value = evaluator.value(symbol)
    if value.low or (symbol not in newer.merged and not table.has_prompt(symbol)):
        return None  # Kconfig sets it, or does not, whatever the layers say
    return "lost" if _could_be_on(symbol, newer, table) else None


def _could_be_on(symbol: str, newer: Stack, table: SymbolTable) -> bool:
    """Whether a line would have an effect; menus that hide it may be lost along with it."""
    from patchgen.openwrt.drivers import driver_table

    gates = dict.fromkeys(driver_table().gates, "y")
    return bool(Evaluator(table, {**newer.merged, **gates, symbol: "y"}).value(symbol).high)


def losses(
    older: Stack, newer: Stack, table: SymbolTable | None, filter_: frozenset[str]
) -> tuple[Lost, ...]:
    """The symbols that target or subtarget layers switch on in the older version and that the
    newer version has neither switched on nor answered with "not set" in such a layer.

    ``table`` holds the newer kernel's symbols; None when nothing is known about it.
    """
    if any(layer.applies_to_all_versions for layer in (older.top, newer.top)):
        return ()
    answered = {s for layer in newer.layers if layer.name != "generic"
                for s in layer.config.values}
    merged = newer.merged
    evaluator = None if table is None else Evaluator(table, merged)
    found = []
    for layer in older.layers:
        if layer.name == "generic":
            continue
        for symbol, value in layer.config.values.items():
            if value in (None, "n") or older.merged[symbol] != value or symbol in answered:
                continue
            if merged.get(symbol) not in (None, "n") or algebra.matches(symbol, filter_):
                continue
            fate = _fate(symbol, newer, table, evaluator)
            if fate is not None:
                found.append(Lost(symbol, value, layer, layer.config.where[symbol],
                                  _newer_layer(newer, layer), fate))
    return tuple(sorted(found, key=lambda lost: lost.symbol))
