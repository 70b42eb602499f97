"""The choice rule: which accelerated drivers a subtarget gets, and what comes along.

An assembly driver is built in exactly when a C version it replaces is built in in the merged
configuration and the CPU can run it; where the Cryptography Extensions do the work, the NEON
and bit-sliced versions stay out. Named overrides of the series add to that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

import msgspec

from patchgen.openwrt import algebra
from patchgen.openwrt.config import Value, Values
from patchgen.openwrt.drivers import Cpu, Driver, cpu_of, driver_table
from patchgen.openwrt.evaluate import Evaluator
from patchgen.openwrt.expr import parse, required_symbols, symbols_of
from patchgen.openwrt.layers import Stack
from patchgen.openwrt.symbols import SymbolTable


class Override(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An exception to the rule, with its name and reason, as the series file states it."""

    name: str
    targets: tuple[str, ...]
    """Shell patterns on ``TARGET/SUBTARGET``."""
    enable: tuple[str, ...]
    """Driver symbols that are enabled although the rule would not."""
    reason: str
    when: tuple[str, ...] = ()
    """It holds only while all of these are ``=y`` in the merged configuration."""

    def applies(self, stack: Stack) -> bool:
        """Whether it holds for a subtarget and kernel version."""
        return any(fnmatchcase(stack.name, pattern) for pattern in self.targets) and all(
            stack.merged.get(symbol) == "y" for symbol in self.when
        )


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A driver whose C version is built in but that does not come, and why."""

    driver: Driver
    reason: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What one subtarget and kernel version should have and what that adds to its layer."""

    cpu: Cpu
    drivers: tuple[Driver, ...]
    """Every driver the rule wants, present already or not, in table order."""
    missing: tuple[Driver, ...]
    """Those of ``drivers`` that are not built in yet."""
    gates: tuple[str, ...]
    dependencies: tuple[str, ...]
    """Symbols that the missing drivers select and no layer switches on, sorted."""
    overrides: tuple[Override, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def additions(self) -> dict[str, Value]:
        """All lines to write, sorted by symbol."""
        names = {*(d.symbol for d in self.missing), *self.gates, *self.dependencies}
        return dict.fromkeys(sorted(names), "y")


def _candidates(
    stack: Stack, table: SymbolTable, cpu: Cpu, overrides: Iterable[Override]
) -> list[Driver]:
    forced = {symbol for override in overrides for symbol in override.enable}
    found = []
    for driver in driver_table().driver:
        if table.exists(driver.symbol) is not True or not table.has_prompt(driver.symbol):
            continue
        built_in = any(stack.merged.get(c) == "y" for c in driver.accelerates)
        if driver.symbol in forced or (built_in and cpu.has(driver)):
            found.append(driver)
    chosen = {driver.symbol for driver in found}
    return [d for d in found if not chosen.intersection(d.superseded_by)]


def _needed_gates(drivers: Iterable[Driver], table: SymbolTable, merged: Values) -> list[str]:
    gates = []
    for gate in driver_table().gates:
        mentioned = any(
            gate in symbols_of(parse(definition.depends))
            for driver in drivers
            for definition in table.symbols[driver.symbol] if definition.depends
        )
        if mentioned and merged.get(gate) != "y":
            gates.append(gate)
    return gates


def _blocker(evaluator: Evaluator, driver: Driver) -> str | None:
    """Why the driver cannot be built in, or None.

    A layer's "not set" counts unless something certainly selects the symbol.
    """
    for definition in evaluator.table.symbols[driver.symbol]:
        for needed in required_symbols(parse(definition.depends or "y")):
            off = needed in evaluator.given and evaluator.given[needed] in (None, "n")
            if off and not evaluator.value(needed).low:
                return f"{needed} is not set"
    if evaluator.value(driver.symbol).high == 2:
        return None
    unmet = evaluator.unmet(driver.symbol)
    if unmet is None:
        return "it could only be a module"
    return f"{unmet.symbol} is not set" if unmet.symbol else f"it needs {unmet.condition}"


def _selected(
    drivers: Iterable[Driver], table: SymbolTable, evaluator: Evaluator, merged: Values,
    filtered: frozenset[str],
) -> set[str]:
    """What the drivers select and is not built in yet, directly and through such symbols."""
    found: set[str] = set()
    queue = [driver.symbol for driver in drivers]
    seen = set(queue)
    while queue:
        for definition in table.symbols.get(queue.pop(), ()):
            if not evaluator.condition(definition.depends).high:
                continue
            for target, condition in definition.selects:
                if target in seen or not evaluator.condition(condition).low:
                    continue
                seen.add(target)
                if merged.get(target) == "y":
                    continue
                queue.append(target)
                if not algebra.matches(target, filtered):
                    found.add(target)
    return found


def choose(
    stack: Stack,
    table: SymbolTable,
    *,
    overrides: Iterable[Override] = (),
    filter_: Values | None = None,
) -> Choice | None:
    """The choice for an arm64 subtarget; None for any other architecture.

    ``table`` holds the symbols of the stack's kernel version; ``filter_`` is config-filter.
    """
    if stack.arch != "arm64":
        return None
    cpu = cpu_of(stack)
    holding = tuple(o for o in overrides if o.applies(stack))
    wanted = _candidates(stack, table, cpu, holding)
    gates = _needed_gates(wanted, table, stack.merged)
    tentative = {**stack.merged, **dict.fromkeys((*gates, *(d.symbol for d in wanted)), "y")}
    evaluator = Evaluator(table, tentative)
    left_out = tuple(
        LeftOut(driver, reason)
        for driver in wanted
        if (reason := _blocker(evaluator, driver)) is not None
    )
    blocked = {entry.driver.symbol for entry in left_out}
    drivers = tuple(d for d in wanted if d.symbol not in blocked)
    missing = tuple(d for d in drivers if stack.merged.get(d.symbol) != "y")
    needed_gates = tuple(_needed_gates(drivers, table, stack.merged)) if drivers else ()
    selected = _selected(
        missing, table, evaluator, stack.merged, frozenset(filter_ or {})
    ).difference(d.symbol for d in missing)
    return Choice(cpu, drivers, missing, needed_gates, tuple(sorted(selected)), holding, left_out)
