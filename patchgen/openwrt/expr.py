"""Kconfig expressions: parsed once, evaluated to what is certain.

Values are n, m, y as 0, 1, 2 (Documentation/kbuild/kconfig-language.rst). A value that depends
on something nobody told (a compiler probe, a symbol without facts) is an interval, so "is
certainly met" and "can never be met" are different questions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

TRISTATE = {"n": 0, "m": 1, "y": 2}


class Interval(NamedTuple):
    """The lowest and the highest value possible, 0 to 2."""

    low: int
    high: int

    @property
    def certain(self) -> bool:
        """Whether only one value is possible."""
        return self.low == self.high


NO, MODULE, YES, UNKNOWN = Interval(0, 0), Interval(1, 1), Interval(2, 2), Interval(0, 2)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol, or a constant in quotes, or a macro that was not expanded."""

    name: str
    constant: bool = False


@dataclass(frozen=True, slots=True)
class Not:
    """``!operand``."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """``left && right``, ``||``, or a comparison of two symbols."""

    operator: str
    left: Expr
    right: Expr


Expr = Symbol | Not | Binary

_TOKEN = re.compile(
    r"\s*(?:(&&|\|\||!=|<=|>=|[!=<>()])|\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'"
    r"|([A-Za-z0-9_.\-]+))"
)
_COMPARISONS = frozenset({"=", "!=", "<", "<=", ">", ">="})


class ExpressionError(ValueError):
    """The text is not an expression."""


def macro_end(text: str, start: int) -> int:
    """The place behind a ``$(…)`` that begins at ``start``; brackets nest, quotes do not count."""
    depth = 0
    for at in range(start + 1, len(text)):
        if text[at] == "(":
            depth += 1
        elif text[at] == ")":
            depth -= 1
            if depth == 0:
                return at + 1
    raise ExpressionError(f"a macro is not closed: {text[start:start + 20]!r}")


def _tokens(text: str) -> list[tuple[str, bool]]:
    """(text, is an operand) of every token; operands keep no quotes but are marked by ``"``."""
    tokens: list[tuple[str, bool]] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        start = at + len(text[at:]) - len(text[at:].lstrip())
        if text.startswith("$(", start):
            at = macro_end(text, start)
            tokens.append((text[start:at], True))
            continue
        found = _TOKEN.match(text, at)
        if found is None:
            raise ExpressionError(f"not understood: {text[at:at + 20]!r}")
        operator, double, single, word = found.groups()
        if operator:
            tokens.append((operator, False))
        elif double is not None or single is not None:
            tokens.append(('"' + (double if double is not None else single), True))
        else:
            tokens.append((word, True))
        at = found.end()
    return tokens


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.at = 0

    def _peek(self) -> str | None:
        if self.at < len(self.tokens) and not self.tokens[self.at][1]:
            return self.tokens[self.at][0]
        return None

    def parse(self) -> Expr:
        result = self._or()
        if self.at != len(self.tokens):
            raise ExpressionError(f"words left over in {self.text!r}")
        return result

    def _or(self) -> Expr:
        left = self._and()
        while self._peek() == "||":
            self.at += 1
            left = Binary("||", left, self._and())
        return left

    def _and(self) -> Expr:
        left = self._unary()
        while self._peek() == "&&":
            self.at += 1
            left = Binary("&&", left, self._unary())
        return left

    def _unary(self) -> Expr:
        token = self._peek()
        if token == "!":
            self.at += 1
            return Not(self._unary())
        if token == "(":
            self.at += 1
            inner = self._or()
            if self._peek() != ")":
                raise ExpressionError(f"a bracket is not closed in {self.text!r}")
            self.at += 1
            return inner
        left = self._operand()
        operator = self._peek()
        if operator in _COMPARISONS:
            assert operator is not None
            self.at += 1
            return Binary(operator, left, self._operand())
        return left

    def _operand(self) -> Symbol:
        if self.at >= len(self.tokens) or not self.tokens[self.at][1]:
            raise ExpressionError(f"an operand is missing in {self.text!r}")
        word = self.tokens[self.at][0]
        self.at += 1
        return Symbol(word[1:], constant=True) if word.startswith('"') else Symbol(word)


@lru_cache(maxsize=65536)
def parse(text: str) -> Expr:
    """The expression; raises ``ExpressionError`` when the text is none."""
    return _Parser(text).parse()


def symbols_of(expression: Expr) -> frozenset[str]:
    """The names of the symbols an expression reads; constants and macros are left out."""
    if isinstance(expression, Symbol):
        plain = not expression.constant and expression.name not in TRISTATE
        return frozenset({expression.name}) if plain and "$" not in expression.name else frozenset()
    if isinstance(expression, Not):
        return symbols_of(expression.operand)
    return symbols_of(expression.left) | symbols_of(expression.right)


def required_symbols(expression: Expr) -> tuple[str, ...]:
    """The symbols that stand alone in the top-level conjunction: each of them must be on."""
    if isinstance(expression, Binary) and expression.operator == "&&":
        return required_symbols(expression.left) + required_symbols(expression.right)
    if isinstance(expression, Symbol) and symbols_of(expression):
        return (expression.name,)
    return ()


def _compare(operator: str, left: str | None, right: str | None) -> Interval:
    if left is None or right is None:
        return UNKNOWN
    a: int | str
    b: int | str
    try:
        a, b = int(left, 0), int(right, 0)
    except ValueError:
        a, b = left, right
    if isinstance(a, int) and isinstance(b, int):
        order = (a > b) - (a < b)
    else:
        order = (str(a) > str(b)) - (str(a) < str(b))
    truth = {
        "=": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0,
        ">": order > 0, ">=": order >= 0,
    }[operator]
    return YES if truth else NO


def evaluate(
    expression: Expr,
    value: Callable[[str], Interval],
    text: Callable[[str], str | None],
) -> Interval:
    """The value of an expression.

    ``value`` gives a symbol's tristate, ``text`` the text a comparison sees (``y``, ``0x10``),
    or None when it is not known.
    """
    if isinstance(expression, Symbol):
        if expression.name in TRISTATE:
            number = TRISTATE[expression.name]
            return Interval(number, number)
        return NO if expression.constant else value(expression.name)
    if isinstance(expression, Not):
        inner = evaluate(expression.operand, value, text)
        return Interval(2 - inner.high, 2 - inner.low)
    if expression.operator in _COMPARISONS:
        sides = [
            side.name if isinstance(side, Symbol) and (side.constant or side.name in TRISTATE)
            else text(side.name) if isinstance(side, Symbol) else None
            for side in (expression.left, expression.right)
        ]
        return _compare(expression.operator, sides[0], sides[1])
    left = evaluate(expression.left, value, text)
    right = evaluate(expression.right, value, text)
    pick = min if expression.operator == "&&" else max
    return Interval(pick(left.low, right.low), pick(left.high, right.high))
