"""What callers do when a function fails: do they give back what it took?"""

from __future__ import annotations

from collections.abc import Collection

from patchgen.checks.code.cfg import Effect, Step
from patchgen.checks.code.component import Component
from patchgen.checks.code.facts import NEGATIVE, Facts, atom_of
from patchgen.checks.code.failures import assigned_to
from patchgen.checks.code.ir import Expr, Function
from patchgen.checks.code.paths import Trail, Walker
from patchgen.checks.code.summaries import Summaries

_DEPTH = 4


def handled_by_callers(component: Component, summaries: Summaries, function: Function,
                       releases: Collection[str], depth: int = 0) -> bool:
    """Whether some caller, on a path where the call failed, calls one of the releases.

    Callers that only hand the error on are followed to theirs. Functions that are called
    through a struct only have no callers here.
    """
    if depth >= _DEPTH:
        return True
    for caller, call in component.callers.get(function.name, ()):
        if function.is_static and caller.path != function.path:
            continue
        released, passed_on = _after_failure(component, summaries, caller, call, releases)
        if released:
            return True
        if passed_on and handled_by_callers(component, summaries, caller, releases, depth + 1):
            return True
    return False


def _after_failure(component: Component, summaries: Summaries, caller: Function, call: Expr,
                   releases: Collection[str]) -> tuple[bool, bool]:
    """Whether a failing path of the caller releases, and whether one returns without."""
    target = assigned_to(caller).get(id(call))
    key = target.text if target is not None else call.text
    seen = {"released": False, "passed": False}

    def effect(_: Step, what: Effect, state: str, __: Facts) -> str:
        if what.kind != "call":
            return state
        if what.expr is call:
            return "failed"
        if state == "failed" and summaries.calls_any(what.expr, caller, releases):
            return "released"
        return state

    def branch(step: Step, truth: bool, state: str, _: Facts) -> str | None:
        if state != "failed" or step.expr is None:
            return state
        atom = atom_of(step.expr)
        signs = atom.when_true if truth else atom.when_false
        if atom.key == key and not signs & NEGATIVE:
            return None
        return state

    def at_return(_: Step, state: str, __: Facts, ___: Trail) -> None:
        if state == "released":
            seen["released"] = True
        elif state == "failed":
            seen["passed"] = True

    Walker(component.graph(caller, loops_run=True), effect=effect, at_return=at_return,
           branch=branch).walk("before")
    return seen["released"], seen["passed"]
