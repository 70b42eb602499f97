"""Failures are tested the way they are reported, and error codes are handed on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.component import Component
from patchgen.checks.code.failures import (
    returns_err_ptr,
    returns_null,
    sources_of,
    stored,
)
from patchgen.checks.code.ir import Expr, Function, Stmt
from patchgen.findings import Finding


@registry.check(
    "err-or-null", scope="code", severity="error",
    rule="A function's failure is tested the way the function reports it: NULL or ERR_PTR, not "
         "both.",
    why="IS_ERR_OR_NULL() hides which of the two it is, and PTR_ERR(NULL) is 0: a failure that "
        "is returned as success. A test of the wrong kind never fires.",
    fix="use IS_ERR() for functions that return ERR_PTR, a plain ! for those that return NULL",
)
def err_or_null(component: Component) -> Iterator[Finding]:
    """IS_ERR_OR_NULL, IS_ERR of what is NULL on failure, and ! of what is an ERR_PTR."""
    check = registry.get("err-or-null")
    for _, function in component.all_functions():
        sources = sources_of(function)
        for expr in function.exprs:
            if expr.kind == "call" and expr.name == "IS_ERR_OR_NULL" and expr.args:
                name = sources.get(expr.args[0].text, "")
                known = returns_err_ptr(component, name) or returns_null(component, name)
                if known or (not name and _returned(function, expr.args[0])):
                    yield check.finding(f"IS_ERR_OR_NULL({expr.args[0].text}) tests for two kinds "
                                        "of failure", file=function.path, line=expr.line)
            elif expr.kind == "call" and expr.name == "IS_ERR" and expr.args:
                name = sources.get(stored(expr.args[0]), "")
                if name and returns_null(component, name):
                    yield check.finding(f"{name}() returns NULL on failure, not an ERR_PTR",
                                        file=function.path, line=expr.line)
        yield from _null_tests(check, component, function, sources)


def _null_tests(check: registry.Check, component: Component, function: Function,
                sources: dict[str, str]) -> Iterator[Finding]:
    errs = {e.args[0].text for e in function.exprs
            if e.kind == "call" and e.name.startswith("IS_ERR") and e.args}
    for stmt in function.statements:
        if stmt.kind != "if" or stmt.expr is None:
            continue
        expr = stmt.expr
        negated = expr.kind == "unary" and expr.op == "!"
        compared = expr.kind == "binary" and expr.op == "==" and expr.kids[1].text == "NULL"
        if not negated and not compared:
            continue
        tested = stored(expr.kids[0])
        name = sources.get(tested, "")
        if name and returns_err_ptr(component, name) and tested not in errs \
                and not name.startswith("debugfs") and "optional" not in name:
            yield check.finding(f"{name}() returns an ERR_PTR on failure, never NULL",
                                file=function.path, line=stmt.line)


def _returned(function: Function, expr: Expr) -> bool:
    return any(c.args and c.args[0].text == expr.text for c in function.calls_to("PTR_ERR"))


@registry.check(
    "errno-lost", scope="code", severity="warning",
    rule="An error code is handed on, not replaced.",
    why="-EPROBE_DEFER turned into -EINVAL makes a driver fail for good where it should have been "
        "tried again; a wrong code sends whoever debugs it astray.",
    fix="return the code you were given (PTR_ERR() for an ERR_PTR)",
)
def errno_lost(component: Component) -> Iterator[Finding]:
    """Constants returned where a known error code is at hand."""
    check = registry.get("errno-lost")
    codes = re.compile(r"platform_get_irq\w*|clk_prepare_enable|devm_request_\w*irq|request_irq|"
                       r"dma_set_mask\w*|crypto_register_\w+|crypto_engine_register_\w+|"
                       r"crypto_engine_start|pm_runtime_\w+|of_property_read_\w+|"
                       r"reset_control_\w+|clk_\w+")
    for _, function in component.all_functions():
        sources = sources_of(function)
        for stmt in function.statements:
            if stmt.kind != "if" or stmt.expr is None or not stmt.body:
                continue
            tested = _failing(stmt.expr)
            name = sources.get(tested or "", "")
            is_pointer = any(c.name.startswith("IS_ERR") for c in stmt.expr.calls())
            known = returns_err_ptr(component, name) if is_pointer else codes.fullmatch(name)
            if not tested or not name or not known or name.startswith("of_property"):
                continue
            for inner in stmt.body:
                code = _constant_code(inner)
                if code is not None and not _uses(stmt.body, tested):
                    yield check.finding(f"{code} replaces the error of {name}()",
                                        file=function.path, line=inner.line)


def _failing(expr: Expr) -> str | None:
    """The lvalue that a condition finds in error."""
    if expr.kind == "call" and expr.name in ("IS_ERR", "IS_ERR_OR_NULL") and expr.args:
        return stored(expr.args[0])
    if expr.kind == "binary" and expr.op in ("<", "!=", "<=") and expr.kids[1].text == "0":
        return stored(expr.kids[0])
    return expr.text if expr.kind in ("id", "member") else None


def _constant_code(stmt: Stmt) -> str | None:
    expr = stmt.expr
    if stmt.kind == "expr" and expr is not None and expr.kind == "assign":
        expr = expr.kids[1]
    elif stmt.kind != "return":
        return None
    if expr is not None and re.fullmatch(r"-E(?!PROBE_DEFER)[A-Z0-9]+", expr.text):
        return expr.text
    return None


def _uses(body: tuple[Stmt, ...], name: str) -> bool:
    """Whether the error itself is assigned or returned in the block."""
    for stmt in body:
        expr = stmt.expr
        if expr is not None and (stmt.kind == "return" or expr.kind == "assign"):
            value = expr.kids[1] if expr.kind == "assign" else expr
            if any(e.text == name for e in value.walk()):
                return True
    return False
