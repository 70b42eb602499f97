"""What a configuration comes to under the rules of Kconfig, as far as it is certain.

A symbol's value is its user value, bounded by its dependencies, or its default, and never
below what selects it (Documentation/kbuild/kconfig-language.rst). A symbol about which
nothing is known stays an interval; circular references count as unknown. Both keep every
"certainly" of this module true.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from patchgen.openwrt.config import Values
from patchgen.openwrt.expr import (
    NO,
    TRISTATE,
    UNKNOWN,
    YES,
    Interval,
    evaluate,
    parse,
    required_symbols,
)
from patchgen.openwrt.symbols import Definition, SymbolTable

_DEPTH = 20_000


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Room for chains of Kconfig symbols, which are longer than Python's usual limit."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _union(left: Interval, right: Interval) -> Interval:
    return Interval(min(left.low, right.low), max(left.high, right.high))


def _at_least(left: Interval, right: Interval) -> Interval:
    return Interval(max(left.low, right.low), max(left.high, right.high))


def _at_most(left: Interval, right: Interval) -> Interval:
    return Interval(min(left.low, right.low), min(left.high, right.high))


@dataclass(frozen=True, slots=True)
class Unmet:
    """Why a line has no effect: the condition that fails and, if there is one, the symbol."""

    condition: str
    symbol: str | None
    nothing_selects: bool = False
    """The symbol has no prompt, and no symbol that is on selects it."""
    absent: bool = False
    """The architecture does not have the symbol at all."""


class Evaluator:
    """The values of one merged configuration under one symbol table."""

    def __init__(self, table: SymbolTable, values: Values) -> None:
        self.table = table
        self.given = values
        self._memo: dict[str, Interval] = {}
        self._open: set[str] = set()

    def value(self, name: str) -> Interval:
        """The value of a symbol (0 to 2)."""
        if name in self._memo:
            return self._memo[name]
        with _deep_recursion():
            return self._value(name)

    def condition(self, text: str) -> Interval:
        """The value of an expression; an empty one holds."""
        if not text:
            return YES
        with _deep_recursion():
            return self._condition(text)

    def _condition(self, text: str) -> Interval:
        return evaluate(parse(text), self._value, self._text) if text else YES

    def _text(self, name: str) -> str | None:
        """What a comparison sees of a symbol, when it is certain."""
        if name[:1].isdigit():
            return name
        if name in self.table and self.table.type_of(name) not in ("bool", "tristate"):
            given = self.given.get(name)
            return given.strip('"') if given is not None else None
        value = self._value(name)
        return "nmy"[value.low] if value.certain else None

    def _value(self, name: str) -> Interval:
        known = self._memo.get(name)
        if known is not None:
            return known
        if name.startswith("$("):
            answer = self.table.probes.get(name)
            return UNKNOWN if answer is None else (YES if answer == "y" else NO)
        if name in self._open:
            return UNKNOWN
        self._open.add(name)
        value = self._compute(name)
        self._open.discard(name)
        self._memo[name] = value
        return value

    def _given(self, name: str) -> int | None:
        if name not in self.given:
            return None
        return TRISTATE.get(self.given[name] or "n", 2)

    def _compute(self, name: str) -> Interval:
        definitions = self.table.symbols.get(name)
        given = self._given(name)
        if definitions is None:
            if self.table.exists(name) is False:
                return NO
            return Interval(given, given) if given else UNKNOWN
        base = self._base(name, definitions, given)
        if base.low < 2:
            base = _at_least(base, self._selected(name))
        if name in self.table.open:
            base = Interval(base.low, 2)
        if self.table.type_of(name) == "bool":
            base = Interval(2 if base.low else 0, 2 if base.high else 0)
        return base

    def _base(
        self, name: str, definitions: tuple[Definition, ...], given: int | None
    ) -> Interval:
        """The value without selects: from the user where the prompt shows, else the default."""
        visible = self._shows(definitions)
        if given is None and visible.high:
            return UNKNOWN  # a prompt without an answer
        if given is None or not visible.high:
            if any(d.choice and self._condition(d.depends).high for d in definitions):
                return UNKNOWN  # the choice picks one of its members without asking
            return self._default(definitions)
        wanted = Interval(given, given)
        if visible.low == 2:
            return wanted
        bounded = _at_most(wanted, visible)
        return bounded if visible.low else _union(bounded, self._default(definitions))

    def shows(self, name: str) -> Interval:
        """How far the symbol's prompt is visible."""
        with _deep_recursion():
            return self._shows(self.table.symbols.get(name, ()))

    def _shows(self, definitions: tuple[Definition, ...]) -> Interval:
        visible = NO
        for definition in definitions:
            if definition.prompt is not None:
                shown = _at_most(
                    self._condition(definition.depends), self._condition(definition.prompt)
                )
                visible = _at_least(visible, shown)
        return visible

    def _default(self, definitions: tuple[Definition, ...]) -> Interval:
        result: Interval | None = None
        for definition in definitions:
            depends = self._condition(definition.depends)
            if not depends.high:
                continue
            for value, condition in definition.defaults:
                holds = _at_most(self._condition(condition), depends)
                if not holds.high:
                    continue
                number = self._default_value(definition, value)
                outcome = _at_most(number, holds)
                result = outcome if result is None else _union(result, outcome)
                if holds.low:
                    return result
        return NO if result is None else _union(result, NO)

    def _default_value(self, definition: Definition, value: str) -> Interval:
        if definition.type in ("int", "hex", "string"):
            return YES
        return self._condition(value)

    def _selected(self, name: str) -> Interval:
        total = NO
        for selector, condition in self.table.selectors.get(name, ()):
            strength = self._value(selector)
            if strength.high <= total.low:
                continue
            total = _at_least(total, _at_most(strength, self._condition(condition)))
            if total.low == 2:
                break
        return total

    def selected_by(self, name: str) -> tuple[str, ...]:
        """The symbols that are certainly on and select this one, sorted."""
        return tuple(sorted(
            selector
            for selector, condition in self.table.selectors.get(name, ())
            if self.value(selector).low and self.condition(condition).low
        ))

    def unmet(self, name: str) -> Unmet | None:
        """Why a line that switches the symbol on certainly does nothing, else None."""
        definitions = self.table.symbols.get(name)
        if definitions is None or self.value(name).high:
            return None
        for definition in definitions:
            for required in required_symbols(parse(definition.depends or "y")):
                if not self.value(required).high:
                    return Unmet(definition.depends, required)
        for definition in definitions:
            if definition.depends and not self.condition(definition.depends).high:
                return Unmet(definition.depends, None)
        return Unmet("it has no prompt, and nothing selects it", None, True)

    def unanswered(self) -> tuple[str, ...]:
        """Symbols whose prompt certainly shows and that no layer answers: ``(NEW)``, sorted."""
        return tuple(
            name for name in self.table.askable
            if name not in self.given and self.shows(name).low and self._selected_low(name) < 2
        )

    def _selected_low(self, name: str) -> int:
        with _deep_recursion():
            return self._selected(name).low
