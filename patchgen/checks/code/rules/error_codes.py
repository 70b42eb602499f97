"""Error codes: their sign, the variables that hold them, the pointers they come from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.cfg import Effect, Step
from patchgen.checks.code.component import Component
from patchgen.checks.code.facts import NEGATIVE, Facts
from patchgen.checks.code.failures import (
    assigned_to,
    stored,
)
from patchgen.checks.code.ir import Expr, Function, Type
from patchgen.checks.code.lvalue_types import lvalue_type
from patchgen.checks.code.paths import Trail, Walker
from patchgen.findings import Finding


@registry.check(
    "irq-unsigned", scope="code", severity="error",
    rule="An interrupt number that may be an error code is kept in a signed variable and tested "
         "with < 0.",
    why="A negative code in an unsigned variable is a huge interrupt number: the test never "
        "fires, and request_irq() fails with another code.",
    fix="use int irq and if (irq < 0) return irq",
)
def irq_unsigned(component: Component) -> Iterator[Finding]:
    """Results of platform_get_irq() in unsigned variables, or never tested for < 0."""
    check = registry.get("irq-unsigned")
    for _, function in component.all_functions():
        teardown = {r.field for r in component.roles_of(function)} & {"remove", "remove_new"}
        for call in function.calls_to("platform_get_irq", "platform_get_irq_byname",
                                      "of_irq_get", "fwnode_irq_get"):
            target = assigned_to(function).get(id(call))
            if target is None:
                continue
            kind = lvalue_type(component, function, target)
            if kind is not None and _is_unsigned(kind):
                yield check.finding(f"{target.text} is {kind}, but {call.name}() may return an "
                                    "error code", file=function.path, line=call.line)
            elif not _tested_negative(function, target.text) and not teardown:
                yield check.finding(f"{target.text} is not tested for an error code",
                                    file=function.path, line=call.line)
        for call in function.calls_to("irq_of_parse_and_map"):
            if any(a.kind == "id" for a in call.args) and any(
                    p.type.struct_name == "platform_device" for p in function.params):
                yield check.finding("irq_of_parse_and_map() loses the error code and leaves the "
                                    "mapping behind; platform_get_irq() does neither",
                                    severity="warning", file=function.path, line=call.line)


def _tested_negative(function: Function, name: str) -> bool:
    for expr in function.exprs:
        if expr.kind == "binary" and expr.op in ("<", "<=", ">=", ">") \
                and stored(expr.kids[0]) == name:
            return True
        if expr.kind == "assign" and expr.kids[1].text == name and expr.kids[0].text != name:
            other = expr.kids[0].text
            if any(e.kind == "binary" and e.op in ("<", "<=") and e.kids[0].text == other
                   for e in function.exprs):
                return True
    return any(s.kind == "return" and s.expr is not None and name in s.expr.text
               for s in function.statements)


def _is_unsigned(kind: Type) -> bool:
    return kind.pointer == 0 and not kind.dims and (
        kind.base.startswith("unsigned") or kind.base in ("u8", "u16", "u32", "u64", "size_t",
                                                          "uint", "__u32", "uint32_t"))


@registry.check(
    "nents-unchecked", scope="code", severity="warning",
    rule="The result of sg_nents_for_len() is tested for a negative value.",
    why="A list that is shorter than the request yields -EINVAL; mapped as a count it is a huge "
        "number of entries.",
    fix="return the negative value before the count is used",
)
def nents_unchecked(component: Component) -> Iterator[Finding]:
    """Counts that nothing compares with 0."""
    check = registry.get("nents-unchecked")
    for _, function in component.all_functions():
        targets = assigned_to(function)
        for call in function.calls_to("sg_nents_for_len"):
            target = targets.get(id(call))
            if target is None:
                used = any(call in outer.args for outer in function.calls)
                if used:
                    yield check.finding(f"{call.text} may be negative", file=function.path,
                                        line=call.line)
            elif not _tested_negative(function, target.text):
                yield check.finding(f"{target.text} may be negative, but is not tested",
                                    file=function.path, line=call.line)


@registry.check(
    "unsigned-negative", scope="code", severity="error",
    rule="A value that may be negative is not tested in an unsigned variable.",
    why="The comparison is never true; the error goes on as a huge number.",
    fix="make the variable signed",
)
def unsigned_negative(component: Component) -> Iterator[Finding]:
    """< 0 and >= 0 with unsigned operands."""
    check = registry.get("unsigned-negative")
    for _, function in component.all_functions():
        for expr in function.exprs:
            if expr.kind == "binary" and expr.op in ("<", "<=") and expr.kids[1].text == "0":
                target = expr.kids[0].kids[0] if expr.kids[0].kind == "assign" else expr.kids[0]
                kind = lvalue_type(component, function, target)
                if kind is not None and _is_unsigned(kind) and expr.op == "<":
                    yield check.finding(f"{target.text} is {kind} and never negative",
                                        file=function.path, line=expr.line)


@registry.check(
    "errno-sign", scope="code", severity="error",
    rule="Error codes are returned negative.",
    why="A positive code looks like a count or like success to the caller.",
    fix="put a minus before it, once",
)
def errno_sign(component: Component) -> Iterator[Finding]:
    """return EINVAL, err = ENOMEM, and the negation of what is negative already."""
    check = registry.get("errno-sign")
    code = re.compile(r"E(?:PERM|NOENT|IO|NOMEM|ACCES|FAULT|BUSY|EXIST|NODEV|INVAL|NOSPC|RANGE|"
                      r"AGAIN|NXIO|BADMSG|TIMEDOUT|INPROGRESS|OPNOTSUPP|NOTSUPP|NOKEY|PROBE_DEFER|"
                      r"OVERFLOW|2BIG|MSGSIZE)")
    for _, function in component.all_functions():
        for stmt in function.statements:
            expr = stmt.expr
            if expr is not None and stmt.kind == "expr" and expr.kind == "assign":
                expr = expr.kids[1]
            elif stmt.kind != "return":
                continue
            if expr is not None and expr.kind == "id" and code.fullmatch(expr.name):
                yield check.finding(f"{expr.name} is positive", file=function.path, line=stmt.line)
            if expr is None or stmt.kind != "return" or expr.kind != "unary" or expr.op != "-" \
                    or expr.kids[0].kind not in ("id", "member"):
                continue
            name = expr.kids[0].text
            if name.isupper() or name.rpartition(">")[2].isupper():
                continue
            guard = _guard_of(function, stmt.line)
            if guard is not None and guard.kind == "binary" and guard.op == "<" \
                    and guard.kids[0].text == name and guard.kids[1].text == "0":
                yield check.finding(f"{name} is negative here, -{name} is not an error code",
                                    file=function.path, line=stmt.line)


def _guard_of(function: Function, line: int) -> Expr | None:
    """The condition of the innermost if that holds a line."""
    best = None
    for stmt in function.statements:
        if stmt.kind == "if" and any(s.line == line for b in stmt.body for s in b.walk()):
            best = stmt.expr
    return best


@registry.check(
    "ptr-err-other", scope="code", severity="error",
    rule="PTR_ERR() is taken of the pointer that was found to be in error.",
    why="PTR_ERR() of a good pointer is part of its address: an error code that means nothing, "
        "or 0.",
    fix="name the pointer that IS_ERR() tested",
)
def ptr_err_other(component: Component) -> Iterator[Finding]:
    """Paths on which the argument is known to be valid, and other pointers than the tested."""
    check = registry.get("ptr-err-other")
    for _, function in component.all_functions():
        if not function.calls_to("PTR_ERR"):
            continue
        found: dict[int, tuple[Expr, str]] = {}

        def effect(_: Step, what: Effect, state: bool, facts: Facts,
                   found: dict[int, tuple[Expr, str]] = found) -> bool:
            if what.kind == "call" and what.expr.name == "PTR_ERR" and what.expr.args:
                name = what.expr.args[0].text
                known = facts.get(name)
                if known is not None and not known.signs & NEGATIVE:
                    found[id(what.expr)] = (what.expr, name)
            return state

        def at_return(_: Step, __: bool, ___: Facts, ____: Trail) -> None:
            return

        names = frozenset(c.args[0].text for c in function.calls_to("PTR_ERR") if c.args)
        Walker(component.graph(function), effect=effect, at_return=at_return,
               keys=names).walk(True)
        for call, name in found.values():
            yield check.finding(f"{name} is no ERR_PTR where {call.text} is taken",
                                file=function.path, line=call.line)
        for stmt in function.statements:
            if stmt.kind != "if" or stmt.expr is None or stmt.expr.kind != "call" \
                    or stmt.expr.name != "IS_ERR" or not stmt.expr.args:
                continue
            tested = stored(stmt.expr.args[0])
            for inner in stmt.body:
                for top in inner.expressions():
                    for call in top.calls():
                        if call.name == "PTR_ERR" and call.args and call.args[0].text != tested \
                                and call.args[0].text in names and id(call) not in found \
                                and inner.kind in ("return", "expr"):
                            yield check.finding(
                                f"IS_ERR() tested {tested}, PTR_ERR() reads {call.args[0].text}",
                                file=function.path, line=call.line)
