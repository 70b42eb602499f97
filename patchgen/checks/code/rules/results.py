"""Results of calls: looked at, and not turned into success."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.cfg import Effect, Step
from patchgen.checks.code.component import Component
from patchgen.checks.code.facts import NEGATIVE, ZERO, Facts
from patchgen.checks.code.failures import (
    assigned_to,
    bare,
    returns_err_ptr,
    returns_null,
)
from patchgen.checks.code.ir import Expr, Function
from patchgen.checks.code.kernel_api import MUST_USE
from patchgen.checks.code.paths import Trail, Walker, outcome
from patchgen.checks.code.wrappers import fails_like
from patchgen.findings import Finding

_RARELY = re.compile(r"reset_control_\w*assert|crypto_shash_(?:blocksize|digestsize|ctx|alg|"
                     r"descsize|statesize|tfm|set_flags|clear_flags|get_flags)|skcipher_walk_done")


@registry.check(
    "result-ignored", scope="code", severity="error",
    rule="The result of a call that can fail is looked at.",
    why="A registration, import or key that failed unseen leaves a driver that says it is ready "
        "and is not.",
    fix="test the result, undo what was done before, and return the error",
)
def result_ignored(component: Component) -> Iterator[Finding]:
    """Calls as statements of their own, and results that are stored and never read."""
    check = registry.get("result-ignored")
    for _, function in component.all_functions():
        roles = {r.field for r in component.roles_of(function)}
        teardown = roles & {"remove", "remove_new", "shutdown", "exit", "exit_tfm", "cra_exit"}
        for stmt in function.statements:
            expr = stmt.expr
            if stmt.kind != "expr" or expr is None:
                continue
            if expr.kind == "cast" and str(expr.type) == "void":
                continue
            if expr.kind == "call" and MUST_USE.fullmatch(expr.name) \
                    and not _RARELY.fullmatch(expr.name) and not teardown:
                if _returns_void(component, expr):
                    continue
                yield check.finding(f"the result of {expr.name}() is ignored", file=function.path,
                                    line=stmt.line)
            elif expr.kind == "call" and not teardown and fails_like(
                    component, expr, function, MUST_USE):
                yield check.finding(f"{expr.name}() can fail, but its result is ignored",
                                    file=function.path, line=stmt.line)
        yield from _stored_unread(check, component, function)


def _returns_void(component: Component, call: Expr) -> bool:
    own = component.function(call.name)
    return own is not None and str(own.type) == "void"


def _stored_unread(check: registry.Check, component: Component,
                   function: Function) -> Iterator[Finding]:
    """Results that another assignment overwrites before anything reads them."""
    calls = {id(c): t for c in function.calls if MUST_USE.fullmatch(c.name)
             and not _RARELY.fullmatch(c.name)
             and (t := assigned_to(function).get(id(c))) is not None and t.kind == "id"}
    if not calls:
        return
    pending: dict[int, Expr] = {}
    read: set[int] = set()

    def effect(_: Step, what: Effect, state: tuple[tuple[str, int], ...],
               __: Facts) -> tuple[tuple[str, int], ...]:
        if what.kind in ("read", "address"):
            name = what.target or what.expr.text
            read.update(i for n, i in state if n == name)
        elif what.kind == "write":
            value = what.value
            while value is not None and value.kind == "cast":
                value = value.kids[0]
            state = tuple(s for s in state if s[0] != what.target)
            if value is not None and id(value) in calls:
                pending[id(value)] = value
                return (*state, (what.target, id(value)))
        return state

    def at_return(_: Step, __: object, ___: Facts, ____: Trail) -> None:
        return

    walker = Walker(component.graph(function), effect=effect, at_return=at_return)
    walker.walk(())
    if walker.complete:
        for key, call in pending.items():
            if key not in read:
                yield check.finding(f"the result of {call.name}() is stored, but nothing reads it",
                                    file=function.path, line=call.line)


@registry.check(
    "result-unchecked", scope="code", severity="error",
    rule="A pointer that may be NULL or an ERR_PTR is tested before it is used.",
    why="An allocation that fails, or a resource that is missing, becomes an oops in the driver.",
    fix="test it right after the call",
)
def result_unchecked(component: Component) -> Iterator[Finding]:
    """Pointers from allocators and getters that no condition mentions."""
    check = registry.get("result-unchecked")
    for _, function in component.all_functions():
        for call in function.calls:
            null = returns_null(component, call.name)
            err = returns_err_ptr(component, call.name)
            if not (null or err) or call.name in ("sg_next", "of_match_device") \
                    or call.name.startswith(("debugfs", "of_device_get", "device_get", "of_",
                                             "platform_get_resource")):
                continue
            target = assigned_to(function).get(id(call))
            if target is None or _is_tested(function, target, call):
                continue
            yield check.finding(f"{target.text} may be {'an ERR_PTR' if err else 'NULL'}, but is "
                                f"not tested after {call.name}()",
                                file=function.path, line=call.line)


def _asks(expr: Expr, names: set[str]) -> bool:
    """Whether a condition is about a pointer itself, not about what it points to."""
    if expr.text in names:
        return True
    if _follows(expr) and expr.kids[0].text in names:
        return False
    return any(_asks(kid, names) for kid in expr.kids)


def _follows(expr: Expr) -> bool:
    """Whether an expression goes through the pointer it starts from."""
    return (expr.kind == "member" and expr.op == "->") or expr.kind == "index" or (
        expr.kind == "unary" and expr.op == "*")


def _is_tested(function: Function, target: Expr, call: Expr) -> bool:
    wanted = target.text
    names = {wanted}
    for expr in function.exprs:
        if expr.kind == "assign" and expr.kids[1].text in names:
            names.add(expr.kids[0].text)
    for stmt in function.statements:
        if stmt.expr is None or stmt.line < call.line - 1:
            continue
        if stmt.kind in ("if", "while", "return", "for", "do", "switch") and _asks(
                stmt.expr, names):
            return True
        if any(e.kind == "ternary" and e.kids[0].text.lstrip("!") in names
               for e in stmt.expr.walk()):
            return True
    for test in function.calls:
        if test.line < call.line or test is call:
            continue
        if test.name.startswith(("IS_ERR", "PTR_ERR", "WARN_ON", "BUG_ON", "dma_mapping_error")) \
                and any(_asks(a, names) for a in test.args):
            return True
    if target.kind == "unary" or target.text.startswith("*"):
        return True
    uses = any(_follows(e) and e.kids[0].text in names for e in function.exprs) or any(
        a.text in names for c in function.calls if c is not call for a in c.args)
    return not uses and target.kind != "id"


@registry.check(
    "error-returned-as-success", scope="code", severity="error",
    rule="A path on which something failed does not return 0.",
    why="The caller goes on as if everything were ready; the crash comes later and elsewhere.",
    fix="set the error code before going to the exit label",
)
def error_returned_as_success(component: Component) -> Iterator[Finding]:
    """Failed allocations and ERR_PTRs on paths that end in return 0."""
    check = registry.get("error-returned-as-success")
    for _, function in component.all_functions():
        if function.type.pointer or str(function.type) in ("void", "bool", "irqreturn_t"):
            continue
        watched: dict[str, str] = {}
        for call in function.calls:
            target = assigned_to(function).get(id(call))
            if target is not None and target.kind in ("id", "member") and (
                    returns_null(component, call.name)
                    or returns_err_ptr(component, call.name)) and not call.name.startswith(
                        ("of_", "platform_get", "sg_next", "device_get", "debugfs",
                         "devm_clk_get_optional")):
                watched[target.text] = call.name
        if watched:
            yield from _success_paths(check, component, function, watched)


_Armed = tuple[frozenset[str], str]
"""Variables that hold the result of a watched call, and which of them was found to fail."""


def _success_paths(check: registry.Check, component: Component, function: Function,
                   watched: dict[str, str]) -> Iterator[Finding]:
    found: dict[int, tuple[str, Step]] = {}
    codes = _error_variables(function)

    def effect(_: Step, what: Effect, state: _Armed, __: Facts) -> _Armed:
        if what.kind != "write" or what.target not in watched:
            return state
        value = None if what.value is None else bare(what.value)
        armed = state[0] - {what.target}
        if value is not None and value.kind == "call" and value.name == watched[what.target]:
            armed |= {what.target}
        return armed, ""

    def branch(step: Step, _truth: bool, state: _Armed, facts: Facts) -> _Armed:
        for name in state[0]:
            known = facts.get(name)
            if known is None or step.expr is None or not any(
                    e.text == name for e in step.expr.walk()):
                continue
            bad = NEGATIVE if returns_err_ptr(component, watched[name]) else ZERO
            if known.signs and not known.signs & ~bad:
                return state[0], name
        return state

    def at_return(step: Step, state: _Armed, facts: Facts, trail: Trail) -> None:
        if state[1] and step.expr is not None and step.expr.text in codes \
                and outcome(step.expr, facts) == "ok":
            jump = next((s for s in reversed(trail()) if s.kind == "goto"), step)
            found.setdefault(jump.line, (state[1], jump))

    Walker(component.graph(function), effect=effect, at_return=at_return, branch=branch,
           keys=frozenset(watched)).walk((frozenset(), ""))
    for name, jump in found.values():
        yield check.finding(f"{watched[name]}() failed, but {function.name}() returns 0 from here",
                            file=function.path, line=jump.line)


def _error_variables(function: Function) -> set[str]:
    """Variables that hold an error code somewhere in the function."""
    usual = {v.name for v in function.locals if v.name in (
        "ret", "err", "rc", "error", "res", "retval", "rv", "status", "result")}
    return usual | {
        e.kids[0].text for e in function.exprs
        if e.kind == "assign" and (re.fullmatch(r"-E[A-Z0-9]+", e.kids[1].text)
                                   or (e.kids[1].kind == "call"
                                       and e.kids[1].name.startswith("PTR_ERR")))
    }
