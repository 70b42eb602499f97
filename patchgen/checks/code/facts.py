"""What a path through a function knows about values: signs, and a few constants.

A value is a set of signs as bits: negative (an errno, or an ERR_PTR), zero (NULL, success)
and positive (a valid pointer, a count).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from patchgen.checks.code.cfg import Effect
from patchgen.checks.code.ir import Expr

NEGATIVE, ZERO, POSITIVE = 1, 2, 4
ANY = NEGATIVE | ZERO | POSITIVE
_WORDS = re.compile(r"[A-Za-z_]\w*")
_PURE_TESTS = frozenset({"dma_mapping_error", "sg_is_last", "sg_is_chain", "crypto_simd_usable",
                         "may_use_simd", "irqs_disabled", "virt_addr_valid"})
_GETTER = re.compile(
    r"IS_\w+|[A-Z0-9_]+|crypto_\w+_(?:ivsize|authsize|keysize|blocksize|digestsize|alignmask|reqsize|"
    r"chunksize|flags)|crypto_\w+_get_\w+|test_bit|is_\w+|\w+_is_\w+|\w+_has_\w+|"
    r"of_device_is_compatible|device_property_\w+|of_property_\w+|sg_nents|pm_runtime_enabled|"
    r"[bl]e\d+_to_cpu"
)
"""Functions that answer the same when they are asked again."""
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True, slots=True)
class Atom:
    """A condition as a test of ``key``: the signs it has when true and when false.

    ``constant`` is set for tests against a constant other than zero.
    """

    key: str
    when_true: int
    when_false: int
    constant: str | None = None
    equal: bool = True


@dataclass(frozen=True, slots=True)
class Value:
    """What is known of one key."""

    signs: int
    constant: str | None = None
    tested: bool = False
    """The constant was found by a comparison, not stored."""


Facts = Mapping[str, Value]


def _sign_of_constant(expr: Expr) -> int | None:
    if expr.kind == "const":
        text = expr.name.rstrip("uUlL")
        if text[:1].isdigit():
            digits = text.lower().replace("x", "").strip("0")
            return POSITIVE if digits else ZERO
        return None
    if expr.kind == "id":
        if expr.name in ("NULL", "false"):
            return ZERO
        if expr.name == "true":
            return POSITIVE
        if re.fullmatch(r"E[A-Z0-9]{2,}", expr.name):
            return POSITIVE
        return None
    if expr.kind == "unary" and expr.op == "-":
        inner = _sign_of_constant(expr.kids[0])
        return {POSITIVE: NEGATIVE, ZERO: ZERO, NEGATIVE: POSITIVE}.get(inner or 0)
    if expr.kind == "cast":
        return _sign_of_constant(expr.kids[0])
    return None


def _is_constant(expr: Expr) -> bool:
    return _sign_of_constant(expr) is not None or (
        expr.kind == "id" and expr.name.isupper() and len(expr.name) > 2
    )


def value_of(expr: Expr, facts: Facts) -> Value:
    """What is known of an expression's value on a path."""
    sign = _sign_of_constant(expr)
    if sign is not None:
        return Value(sign, expr.text)
    if expr.kind == "cast":
        return value_of(expr.kids[0], facts)
    if expr.kind == "call":
        if expr.name in ("ERR_PTR", "ERR_CAST", "dev_err_probe"):
            return Value(NEGATIVE)
        if expr.name == "PTR_ERR" and expr.args:
            known = facts.get(expr.args[0].text)
            return Value(NEGATIVE) if known is None or known.signs & NEGATIVE else Value(ANY)
        if expr.name == "PTR_ERR_OR_ZERO" and expr.args:
            known = facts.get(expr.args[0].text)
            if known is not None:
                return Value(ZERO if not known.signs & NEGATIVE else NEGATIVE
                             if known.signs == NEGATIVE else ANY)
        return Value(ANY)
    if expr.kind == "ternary":
        if expr.kids[1].text == "__same_as_condition":
            right = value_of(expr.kids[2], facts)
            return Value((ANY & ~ZERO) | right.signs)
        left, right = value_of(expr.kids[1], facts), value_of(expr.kids[2], facts)
        return Value(left.signs | right.signs)
    if expr.kind == "unary" and expr.op == "&":
        return Value(POSITIVE)
    if expr.kind == "assign" and expr.op == "=":
        return value_of(expr.kids[1], facts)
    if expr.kind == "id" and expr.name.isupper() and len(expr.name) > 2:
        return facts.get(expr.text, Value(ANY, expr.name))
    return facts.get(expr.text, Value(ANY))


def atom_of(expr: Expr) -> Atom:
    """The test that a branch makes."""
    while expr.kind == "cast":
        expr = expr.kids[0]
    if expr.kind == "assign":
        return Atom(expr.kids[0].text, NEGATIVE | POSITIVE, ZERO)
    if expr.kind == "call" and len(expr.args) == 1:
        argument = expr.args[0]
        if argument.kind == "assign":
            argument = argument.kids[0]
        if expr.name == "IS_ERR":
            return Atom(argument.text, NEGATIVE, ZERO | POSITIVE)
        if expr.name == "IS_ERR_OR_NULL":
            return Atom(argument.text, NEGATIVE | ZERO, POSITIVE)
        if expr.name in ("PTR_ERR_OR_ZERO",):
            return Atom(argument.text, NEGATIVE, ZERO | POSITIVE)
    if expr.kind == "binary" and expr.op in _FLIPPED:
        return _comparison(expr)
    return Atom(expr.text, NEGATIVE | POSITIVE, ZERO)


def _comparison(expr: Expr) -> Atom:
    left, right, op = expr.kids[0], expr.kids[1], expr.op
    if _is_constant(left) and not _is_constant(right):
        left, right, op = right, left, _FLIPPED[op]
    if left.kind == "assign":
        left = left.kids[0]
    sign = _sign_of_constant(right)
    if sign == ZERO:
        return _against_zero(left.text, op)
    if _is_constant(right) and op in ("==", "!="):
        signs = sign or ANY
        when = (signs, ANY) if op == "==" else (ANY, signs)
        return Atom(left.text, when[0], when[1], right.text, op == "==")
    if op in ("==", "!="):
        first, second = sorted((left.text, right.text))
        unequal = Atom(f"{first} == {second}", NEGATIVE | POSITIVE, ZERO)
        return unequal if op == "==" else replace(unequal, when_true=ZERO,
                                                  when_false=NEGATIVE | POSITIVE)
    if op in (">=", "<="):
        negated = {">=": "<", "<=": ">"}[op]
        key = f"{left.text} {negated} {right.text}"
        return Atom(key, ZERO, NEGATIVE | POSITIVE)
    return Atom(f"{left.text} {op} {right.text}", NEGATIVE | POSITIVE, ZERO)


def _against_zero(key: str, op: str) -> Atom:
    table = {
        "==": (ZERO, NEGATIVE | POSITIVE), "!=": (NEGATIVE | POSITIVE, ZERO),
        "<": (NEGATIVE, ZERO | POSITIVE), ">=": (ZERO | POSITIVE, NEGATIVE),
        ">": (POSITIVE, NEGATIVE | ZERO), "<=": (NEGATIVE | ZERO, POSITIVE),
    }
    return Atom(key, *table[op])


def is_stable(expr: Expr) -> bool:
    """Whether a condition says the same when it is tested again (no calls but pure ones)."""
    return all(call.name in _PURE_TESTS or _GETTER.fullmatch(call.name) for call in expr.calls())


def assume(facts: Facts, atom: Atom, truth: bool) -> dict[str, Value] | None:
    """The facts after a branch is taken; None when the path cannot be."""
    signs = atom.when_true if truth else atom.when_false
    if signs == ZERO and _loop_ended(facts, atom.key):
        return None
    known = facts.get(atom.key)
    constant = known.constant if known is not None else None
    if atom.constant is not None:
        equal = atom.equal == truth
        if constant is not None and constant != atom.constant and equal and _comparable(
            constant, atom.constant
        ):
            return None
        if constant == atom.constant and not equal:
            return None
        if equal:
            constant = atom.constant
    left = signs & (known.signs if known is not None else ANY)
    if not left:
        return None
    result = dict(facts)
    tested = constant is not None and constant == atom.constant
    result[atom.key] = Value(left, constant, tested)
    return result


def _loop_ended(facts: Facts, key: str) -> bool:
    """Whether ``i == n`` has to hold because a loop ended on ``i < n``."""
    one, equals, other = key.partition(" == ")
    if not equals:
        return False
    return any((known := facts.get(bound)) is not None and known.signs == ZERO
               for bound in (f"{one} < {other}", f"{other} < {one}"))


def _comparable(one: str, other: str) -> bool:
    """Whether two constants are different for sure (names against names, digits to digits)."""
    return one[0].isdigit() == other[0].isdigit() and (one[0] == "-") == (other[0] == "-")


def mentions(key: str, target: str) -> bool:
    """Whether writing ``target`` changes what ``key`` says."""
    if key == target:
        return True
    position = key.find(target)
    while position >= 0:
        before = key[position - 1] if position else " "
        after = key[position + len(target)] if position + len(target) < len(key) else " "
        if not (before.isalnum() or before in "_.>") and not (after.isalnum() or after == "_"):
            return True
        position = key.find(target, position + 1)
    return False


def apply_effect(facts: dict[str, Value], effect: Effect, keep: frozenset[str]) -> None:
    """Update the facts for one effect of a step; ``keep`` are the keys worth knowing."""
    if effect.kind not in ("write", "address", "declare"):
        return
    target = effect.target
    new: Value | None = None
    if effect.kind == "write" and effect.value is not None and effect.op == "=" \
            and target in keep:
        new = value_of(effect.value, facts)
    for key in [k for k in facts if mentions(k, target)]:
        del facts[key]
    if new is not None and (new.signs != ANY or new.constant is not None):
        facts[target] = new
