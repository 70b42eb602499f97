"""Slips of the pen that compile: wrong variable, wrong size, wrong comparison."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.cfg import Effect, Step
from patchgen.checks.code.component import Component
from patchgen.checks.code.facts import Facts
from patchgen.checks.code.ir import Expr, Function, Stmt
from patchgen.checks.code.lvalue_types import lvalue_type
from patchgen.checks.code.lvalues import normal_key
from patchgen.checks.code.paths import Trail, Walker
from patchgen.findings import Finding


@registry.check(
    "list-cursor-compared", scope="code", severity="error",
    rule="A cursor that walks a scatterlist is not compared with the head of a request's list.",
    why="The comparison holds for the first piece only: an in-place request is taken for one with "
        "two buffers from the second piece on.",
    fix="compare req->src with req->dst once, before the walk, or the two cursors",
)
def list_cursor_compared(component: Component) -> Iterator[Finding]:
    """Comparisons of a variable that sg_next() moves with ->src or ->dst."""
    check = registry.get("list-cursor-compared")
    for _, function in component.all_functions():
        comparisons = [
            e for e in function.exprs
            if e.kind == "binary" and e.op in ("==", "!=")
            and any(k.kind == "member" and k.name in ("src", "dst") for k in e.kids)
        ]
        if not comparisons:
            continue
        walked = _walked(component, function)
        for expr in comparisons:
            for one, other in (expr.kids, expr.kids[::-1]):
                if one.kind == "member" and one.name in ("src", "dst") and (
                        normal_key(other.text) in walked) and other.text != one.text:
                    yield check.finding(f"{other.text} walks along the list, {one.text} is its "
                                        "head", file=function.path, line=expr.line)


def _walked(component: Component, function: Function) -> set[str]:
    """Lvalues that are moved along a list in the function, or by what it hands them to."""
    names = {
        normal_key(e.kids[0].text) for e in function.exprs
        if e.kind == "assign" and e.kids[1].kind == "call" and e.kids[1].name == "sg_next"
    }
    for call in function.calls:
        callee = component.function(call.name, function.path)
        if callee is None:
            continue
        for position, argument in enumerate(call.args):
            if argument.kind == "unary" and argument.op == "&" and position < len(callee.params):
                name = callee.params[position].name
                if any(e.kind == "assign" and e.kids[0].text == f"*{name}"
                       and ("sg_next" in e.kids[1].text or e.kids[1].kind == "id")
                       for e in callee.exprs) and any(c.name == "sg_next" for c in callee.calls):
                    names.add(normal_key(argument.kids[0].text))
    return names


@registry.check(
    "self-compare", scope="code", severity="error",
    rule="No comparison has the same value on both sides.",
    why="It is always true or always false: a check that was meant to do something does nothing.",
    fix="compare with the value that was meant",
)
def self_compare(component: Component) -> Iterator[Finding]:
    """x < x, and x < y right after y = x."""
    check = registry.get("self-compare")
    for _, function in component.all_functions():
        for expr in function.exprs:
            if expr.kind == "binary" and expr.op in ("<", ">", "<=", ">=", "==", "!=") \
                    and expr.kids[0].text == expr.kids[1].text \
                    and expr.kids[0].kind in ("id", "member", "index"):
                yield check.finding(f"{expr.text} compares a value with itself",
                                    file=function.path, line=expr.line)
        yield from _copies_compared(check, component, function)


def _copies_compared(check: registry.Check, component: Component,
                     function: Function) -> Iterator[Finding]:
    """Comparisons of a variable with the one it was copied from, neither changed since."""
    tests = [e for e in function.exprs if e.kind == "binary" and e.op in ("<", ">", "<=", ">=")
             and "id" in (e.kids[0].kind, e.kids[1].kind)
             and {e.kids[0].kind, e.kids[1].kind} <= {"id", "member"}]
    copied = {(v.name, v.init.text) for v in function.locals
              if v.init is not None and v.init.kind in ("id", "member")}
    copied |= {(e.kids[0].text, e.kids[1].text) for e in function.exprs
               if e.kind == "assign" and e.op == "=" and e.kids[1].kind in ("id", "member")}
    pairs = {frozenset(p) for p in copied}
    tests = [t for t in tests if frozenset((t.kids[0].text, t.kids[1].text)) in pairs]
    if not tests:
        return
    equal: dict[int, set[bool]] = {id(t): set() for t in tests}

    def effect(_: Step, what: Effect, state: frozenset[frozenset[str]],
               __: Facts) -> frozenset[frozenset[str]]:
        if what.kind in ("write", "address"):
            target = normal_key(what.target)
            kept = frozenset(p for p in state if not any(
                target == n or n.startswith((f"{target}->", f"{target}.")) for n in p))
            value = what.value
            if what.kind == "write" and what.op == "=" and value is not None \
                    and frozenset((what.target, value.text)) in pairs:
                return kept | {frozenset((what.target, value.text))}
            return kept
        if what.kind == "call":
            return frozenset(p for p in state if not any("->" in n for n in p))
        return state

    def branch(step: Step, _truth: bool, state: frozenset[frozenset[str]],
               _facts: Facts) -> frozenset[frozenset[str]]:
        if step.expr is not None and id(step.expr) in equal:
            pair = frozenset((step.expr.kids[0].text, step.expr.kids[1].text))
            equal[id(step.expr)].add(pair in state)
        return state

    def at_return(_: Step, __: object, ___: Facts, ____: Trail) -> None:
        return

    walker = Walker(component.graph(function), effect=effect, at_return=at_return, branch=branch)
    walker.walk(frozenset())
    for test in tests:
        if walker.complete and equal[id(test)] == {True}:
            yield check.finding(f"{test.text}: {test.kids[0].text} is a copy of "
                                f"{test.kids[1].text} here", file=function.path, line=test.line)


@registry.check(
    "loop-index-other", scope="code", severity="error",
    rule="A loop that undoes an array uses its own index.",
    why="With the index of the loop before it, the same element is released again and again, and "
        "the others never.",
    fix="index with the variable of the loop",
)
def loop_index_other(component: Component) -> Iterator[Finding]:
    """for loops whose body indexes with another, unchanging variable only."""
    check = registry.get("loop-index-other")
    for _, function in component.all_functions():
        for stmt in function.statements:
            name = _loop_variable(stmt)
            if name is None:
                continue
            inner = [e for b in stmt.body for s in b.walk() for top in s.expressions()
                     for e in top.walk()]
            if any(e.kind == "id" and e.name == name for e in inner):
                continue
            changed = {e.kids[0].text for e in inner if e.kind == "assign" or (
                e.kind == "unary" and e.op in ("++", "--", "p++", "p--"))}
            for index in (e for e in inner if e.kind == "index"):
                other = index.kids[1]
                if other.kind == "id" and other.text not in changed and not other.name.isupper() \
                        and re.fullmatch(r"[a-z]\d?|idx|index", other.name):
                    yield check.finding(f"the loop counts {name}, but its body indexes with "
                                        f"{other.text}", file=function.path, line=index.line)
                    break


def _loop_variable(stmt: Stmt) -> str | None:
    """``j`` of ``for (j = 0; j < i; j++)``."""
    if stmt.kind != "for" or stmt.step is None or stmt.expr is None:
        return None
    step = stmt.step
    if step.kind == "unary" and step.op in ("++", "--", "p++", "p--") \
            and step.kids[0].kind == "id":
        return step.kids[0].name
    return None


@registry.check(
    "unwind-bound", scope="code", severity="error",
    rule="A loop that undoes what an earlier loop did stops before the element that failed.",
    why="The failed element was never set up; undoing it releases garbage.",
    fix="write while (i--) or for (j = 0; j < i; j++)",
)
def unwind_bound(component: Component) -> Iterator[Finding]:
    """Unwinding that starts at, or goes up to, the index that failed."""
    check = registry.get("unwind-bound")
    undo = re.compile(r"crypto_(?:engine_)?unregister_\w+|dma_unmap_\w+|dma_free_coherent|kfree\w*|"
                      r"clk_disable_unprepare|free_irq|crypto_engine_exit")
    for _, function in component.all_functions():
        labels = [s.line for s in function.statements if s.kind == "label"]
        for stmt in function.statements:
            if stmt.kind not in ("for", "while", "do") or not any(n < stmt.line for n in labels):
                continue
            calls = [c for b in stmt.body for s in b.walk() for top in s.expressions()
                     for c in top.calls()]
            if not any(undo.fullmatch(c.name) for c in calls) or stmt.expr is None:
                continue
            problem = _too_far(function, stmt)
            if problem:
                yield check.finding(problem, file=function.path, line=stmt.line)


def _too_far(function: Function, stmt: Stmt) -> str:
    expr = stmt.expr
    assert expr is not None
    outer = {_loop_variable(s) for s in function.statements
             if s.kind == "for" and s.line < stmt.line} - {None}
    if stmt.kind == "for" and expr.kind == "binary" and expr.op == "<=" \
            and expr.kids[1].text in outer:
        return f"{expr.text} includes the element that failed"
    down = stmt.kind == "for" and stmt.step is not None and stmt.step.op in ("--", "p--") \
        and stmt.step.kids[0].text in outer
    if down and not stmt.init and expr.kind == "binary" and expr.op in (">=", ">"):
        name = stmt.step.kids[0].text if stmt.step is not None else ""
        before = [e for e in function.exprs if e.line in (stmt.line, stmt.line - 1)
                  and e.kind == "unary" and e.op in ("--", "p--") and e.kids[0].text == name
                  and e is not stmt.step]
        if not before and expr.op == ">=":
            return f"the loop begins with {name}, the element that failed"
    return ""


@registry.check(
    "sizeof-pointer", scope="code", severity="error",
    rule="The size of what a pointer points to is meant, not the size of the pointer.",
    why="sizeof(p) of a pointer is 4 or 8: keys are wiped and copied by that much only.",
    fix="write sizeof(*p), or the length in bytes",
)
def sizeof_pointer(component: Component) -> Iterator[Finding]:
    """memset, memcpy, memzero_explicit and allocations with sizeof of a pointer."""
    check = registry.get("sizeof-pointer")
    sized = {"memset": 2, "memcpy": 2, "memzero_explicit": 1, "memmove": 2, "memcmp": 2,
             "kmalloc": 0, "kzalloc": 0, "devm_kzalloc": 1, "kmemdup": 1, "crypto_memneq": 2}
    for _, function in component.all_functions():
        for call in function.calls:
            position = sized.get(call.name)
            if position is None or position >= len(call.args):
                continue
            size = call.args[position]
            if size.kind != "sizeof":
                continue
            inner = size.kids[0]
            if inner.kind == "unary" and inner.op == "&":
                yield check.finding(f"sizeof({inner.text}) is the size of a pointer",
                                    file=function.path, line=call.line)
                continue
            kind = lvalue_type(component, function, inner)
            if kind is None or not kind.is_pointer:
                continue
            parameter_array = inner.kind == "id" and any(
                p.name == inner.name and p.type.dims for p in function.params)
            same = normal_key(inner.text) in {
                normal_key(a.text) for a in call.args if a is not size}
            allocation = "alloc" in call.name
            if (same or allocation or parameter_array) and kind.pointer == 1 \
                    and not call.args[0].text.startswith("&"):
                yield check.finding(f"sizeof({inner.text}) is the size of a pointer",
                                    file=function.path, line=call.line)


@registry.check(
    "context-read-before-set", scope="code", severity="error",
    rule="An init callback does not follow a pointer of the fresh context before it has stored "
         "it.",
    why="The context is zeroed memory: the pointer is NULL, and the error message that uses it is "
        "the oops.",
    fix="store the pointer first",
)
def context_read_before_set(component: Component) -> Iterator[Finding]:
    """Members of crypto_*_ctx() dereferenced before their assignment in init callbacks."""
    check = registry.get("context-read-before-set")
    for _, function in component.all_functions():
        roles = {r.field for r in component.roles_of(function)}
        if not roles & {"init", "cra_init", "init_tfm"}:
            continue
        contexts = _context_variables(function)
        if contexts:
            yield from _early_reads(check, component, function, contexts)


def _context_variables(function: Function) -> set[str]:
    pattern = re.compile(r"crypto_(?:tfm|skcipher|ahash|aead|shash|akcipher|kpp)_ctx(?:_dma)?")
    names = {v.name for v in function.locals if v.init is not None and any(
        pattern.fullmatch(c.name) for c in v.init.calls())}
    return names | {e.kids[0].text for e in function.exprs if e.kind == "assign" and any(
        pattern.fullmatch(c.name) for c in e.kids[1].calls()) and e.kids[0].kind == "id"}


def _early_reads(check: registry.Check, component: Component, function: Function,
                 contexts: set[str]) -> Iterator[Finding]:
    found: dict[int, tuple[str, Expr]] = {}
    stored = {e.kids[0].text for e in function.exprs if e.kind == "assign"
              and e.kids[0].kind == "member" and e.kids[0].kids[0].text in contexts}
    filled = {c.args[0].text for c in function.calls if c.name in ("memcpy",) and c.args}
    if contexts & filled:
        return

    def effect(_: Step, what: Effect, state: frozenset[str], __: Facts) -> frozenset[str]:
        if what.kind == "write":
            return state | {what.target}
        if what.kind == "call" and any(a.text in contexts for a in what.expr.args):
            return state | stored
        if what.kind == "read" and what.expr.kind == "member" and what.expr.op == "->":
            base = what.expr.kids[0]
            if base.kind == "member" and base.op == "->" and base.kids[0].text in contexts \
                    and base.text not in state and base.text in stored:
                found.setdefault(what.expr.line, (base.text, what.expr))
        return state

    def at_return(_: Step, __: object, ___: Facts, ____: Trail) -> None:
        return

    Walker(component.graph(function), effect=effect, at_return=at_return).walk(frozenset())
    for name, expr in found.values():
        yield check.finding(f"{name} is followed before it is stored", file=function.path,
                            line=expr.line)


@registry.check(
    "missing-static", scope="code", severity="error",
    rule="A variable that only one file uses is static.",
    why="It pollutes the kernel's one name space; sparse reports it on every build.",
    fix="add static",
)
def missing_static(component: Component) -> Iterator[Finding]:
    """Global variables that no header declares."""
    check = registry.get("missing-static")
    declared = {v.name for u in component.units.values() for v in u.declared.variables
                if "extern" in v.storage}
    for unit in component.units.values():
        if not unit.path.endswith(".c") or unit.parsed_by != "pycparser":
            continue
        exported = {a for c in unit.pre.calls if c.name.startswith("EXPORT_") for a in c.arguments}
        for var in unit.declared.variables:
            if var.name and not var.storage & {"static", "extern"} and var.name not in declared \
                    and var.name not in exported and not _is_declared_outside(component, unit.path):
                yield check.finding(f"{var.name} is neither static nor declared in a header",
                                    file=unit.path, line=var.line)


def _is_declared_outside(component: Component, path: str) -> bool:
    unit = component.units[path]
    return any(not i.system and not any(p.endswith(i.path.rpartition("/")[2])
                                        for p in component.units)
               for i in unit.pre.includes)
