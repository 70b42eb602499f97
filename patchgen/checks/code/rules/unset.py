"""Variables that are read before anything is stored in them."""

from __future__ import annotations

from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.cfg import Effect, Graph, Step
from patchgen.checks.code.component import Component
from patchgen.checks.code.facts import Facts
from patchgen.checks.code.ir import Function, Type
from patchgen.checks.code.paths import Trail, Walker
from patchgen.findings import Finding

State = frozenset[str]


def _is_scalar(kind: Type) -> bool:
    compound = kind.base.startswith(("struct", "union"))
    return not kind.dims and (kind.pointer > 0 or not compound)


def _candidates(function: Function, graph: Graph) -> frozenset[str]:
    """Locals that may be read unset when conditions are not looked at."""
    bits: dict[str, int] = {}
    for var in function.locals:
        if var.init is None and _is_scalar(var.type) and "static" not in var.storage \
                and var.name:
            bits.setdefault(var.name, 1 << len(bits))
    if not bits:
        return frozenset()
    incoming = [0] * len(graph.steps)
    visited = [False] * len(graph.steps)
    todo = [graph.entry]
    suspects = 0
    while todo:
        step = todo.pop()
        visited[step.index] = True
        state = incoming[step.index]
        for effect in step.effects:
            bit = bits.get(effect.target or effect.expr.text, 0)
            if not bit:
                continue
            if effect.kind == "read":
                suspects |= state & bit
            elif effect.kind == "declare":
                state |= bit
            elif effect.kind in ("write", "address"):
                state &= ~bit
        for target, _ in step.next:
            if not visited[target.index] or incoming[target.index] | state != \
                    incoming[target.index]:
                incoming[target.index] |= state
                todo.append(target)
    return frozenset(name for name, bit in bits.items() if bit & suspects)


@registry.check(
    "unset-variable", scope="code", severity="error",
    rule="No variable is read on a path on which nothing was stored in it.",
    why="The value is whatever the stack holds: limits and error codes become random. The "
        "kernel's default flags hide gcc's -Wmaybe-uninitialized.",
    fix="set it on every path before it is read, or give it an initial value",
)
def unset_variable(component: Component) -> Iterator[Finding]:
    """Walk the paths of functions in which a variable may be unset."""
    for _, function in component.all_functions():
        if not function.exact:
            continue
        graph = component.graph(function, loops_run=True)
        suspects = _candidates(function, graph)
        if suspects:
            yield from _walk(function, graph, suspects)


def _walk(function: Function, graph: Graph, suspects: frozenset[str]) -> Iterator[Finding]:
    found: dict[str, Effect] = {}

    def effect(_: Step, what: Effect, state: State, __: Facts) -> State | None:
        name = what.target or what.expr.text
        if name not in suspects:
            return state
        if what.kind == "declare":
            return state | {name}
        if what.kind == "read":
            if name in state:
                found.setdefault(name, what)
                return state - {name}
            return state
        return state - {name}

    def at_return(_: Step, __: State, ___: Facts, ____: Trail) -> None:
        return

    walker = Walker(graph, effect=effect, at_return=at_return)
    walker.walk(frozenset())
    if not walker.complete:
        return
    check = registry.get("unset-variable")
    for name, what in found.items():
        yield check.finding(f"{name} is read in {function.name}() before it is set on every path",
                            file=function.path, line=what.expr.line, column=what.expr.column)
