"""The operators of OpenWrt's ``scripts/kconfig.pl``, on values instead of files.

Semantics as observed by running the script: ``+`` overlay, ``m+`` module merge, ``>`` delta,
``>+`` delta without new "not set" lines, ``-`` subtraction with patterns, ``&`` common part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from patchgen.errors import InputError
from patchgen.openwrt.config import Value, Values

_PATTERN_MARKS = frozenset("?.*")


def overlay(below: Values, above: Values) -> dict[str, Value]:
    """``+ A B``: the upper value replaces the lower one, "not set" included."""
    return {**below, **above}


def _module_set(values: dict[str, Value], name: str, new: Value) -> None:
    if name in values:
        old = values[name]
        if old == "y" or (new is None and old is not None):
            return
    values[name] = new


def module_merge(below: Values, above: Values) -> dict[str, Value]:
    """``m+ A B``: as ``+``, but a built-in stays built in and "not set" never wins."""
    merged = dict(below)
    for name, value in above.items():
        _module_set(merged, name, value)
    return merged


def delta(below: Values, above: Values) -> dict[str, Value]:
    """``> A B``: the symbols of B that A lacks or has with another value."""
    return {n: v for n, v in above.items() if n not in below or below[n] != v}


def delta_plus(below: Values, above: Values) -> dict[str, Value]:
    """``>+ A B``: as ``>`` without symbols that are new in B and "not set"."""
    return {
        n: v
        for n, v in above.items()
        if (n not in below and v is not None) or (n in below and below[n] != v)
    }


@lru_cache(maxsize=64)
def _compiled(names: frozenset[str]) -> tuple[frozenset[str], re.Pattern[str] | None]:
    patterns = sorted(name for name in names if _PATTERN_MARKS & set(name))
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise InputError(f"the filter pattern {pattern!r} is not a regular expression: {error}",
                             advice="correct it in config-filter") from error
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    return names.difference(patterns), re.compile(joined) if joined else None


def matches(name: str, names: frozenset[str]) -> bool:
    """Whether a name is one of ``names``, of which those with ``?``, ``.``, ``*`` are patterns."""
    plain, pattern = _compiled(names)
    return name in plain or (pattern is not None and pattern.fullmatch(name) is not None)


def subtract(left: Values, right: Values) -> dict[str, Value]:
    """``- A B``: A without B's symbols, whatever their values; patterns match whole names."""
    plain, pattern = _compiled(frozenset(right))
    return {
        n: v
        for n, v in left.items()
        if n not in plain and (pattern is None or pattern.fullmatch(n) is None)
    }


def common(left: Values, right: Values) -> dict[str, Value]:
    """``& A B``: the symbols that have the same value in both."""
    return {n: v for n, v in left.items() if n in right and right[n] == v}


def fixed_point(below: Values, layer: Values, filter_: Values) -> dict[str, Value]:
    """What a layer has to hold: what differs from the layers below it, filtered.

    ``- '>' BELOW (+ BELOW LAYER) FILTER`` in the script's notation.
    """
    return subtract(delta(below, overlay(below, layer)), filter_)


def load(text: str, *, prefix: str = "CONFIG_", module_plus: bool = False) -> dict[str, Value]:
    """Values of a file the way the script loads it: lines it cannot read are dropped.

    ``module_plus`` is how it loads the right side of ``m+``: a later line does not lower an
    earlier one.
    """
    set_line = re.compile(rf"{re.escape(prefix)}(.+?)=(.+)")
    unset_line = re.compile(rf"# {re.escape(prefix)}(.+?) is not set")
    values: dict[str, Value] = {}
    for line in text.split("\n"):
        name: str
        value: Value
        if found := set_line.match(line):
            name, value = found[1], found[2]
        elif found := unset_line.match(line):
            name, value = found[1], None
        else:
            continue
        if module_plus:
            _module_set(values, name, value)
        else:
            values[name] = value
    return values


_OPERATORS: Mapping[str, Callable[[Values, Values], dict[str, Value]]] = {
    "+": overlay,
    "m+": module_merge,
    ">": delta,
    ">+": delta_plus,
    "-": subtract,
    "&": common,
}


def evaluate(words: Sequence[str], read: Callable[[str], str], *, prefix: str = "CONFIG_") -> dict[
    str, Value
]:
    """The value of an expression in prefix notation, e.g. ``["+", "+", "a", "b", "c"]``.

    ``read`` gives the text of an operand. Raises ``InputError`` for an expression that ends
    early or has words left over.
    """

    def parse(at: int, module_plus: bool) -> tuple[dict[str, Value], int]:
        if at >= len(words):
            raise InputError(f"the expression {' '.join(words)!r} ends early")
        operator = _OPERATORS.get(words[at])
        if operator is None:
            return load(read(words[at]), prefix=prefix, module_plus=module_plus), at + 1
        left, after = parse(at + 1, False)
        right, end = parse(after, words[at] == "m+")
        return operator(left, right), end

    value, end = parse(0, False)
    if end != len(words):
        raise InputError(f"the expression {' '.join(words)!r} has words left over",
                         advice=f"from {words[end]!r} on")
    return value
