"""Walks every path of a function that can be, with what each path knows.

A rule gives a state and two functions: one that moves the state over an effect, one that
looks at it where a path ends. Equal states at one step are walked once, so loops end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from patchgen.checks.code.cfg import Effect, Graph, Step
from patchgen.checks.code.facts import (
    ANY,
    NEGATIVE,
    POSITIVE,
    ZERO,
    Facts,
    Value,
    apply_effect,
    assume,
    atom_of,
    is_stable,
    value_of,
)  # fmt: skip
from patchgen.checks.code.ir import Expr

S = TypeVar("S", bound=Hashable)
Trail = Callable[[], list[Step]]
"""Gives the steps of the path that led here, the entry first."""

_LIMIT = 6000
_STATES_PER_STEP = 40


def interesting_keys(graph: Graph) -> frozenset[str]:
    """Keys tested by more than one branch, returned, or compared after an assignment."""
    counts: Counter[str] = Counter()
    keys: set[str] = set()
    for step in graph.steps:
        if step.kind == "branch" and step.expr is not None and is_stable(step.expr):
            counts[atom_of(step.expr).key] += 1
        elif step.kind == "return" and step.expr is not None:
            keys.update(_returned(step.expr))
    for key in [k for k in counts if " == " in k]:
        one, _, other = key.partition(" == ")
        keys.update((f"{one} < {other}", f"{other} < {one}"))
    written = {e.target for step in graph.steps for e in step.effects if e.kind == "write"}
    keys.update(key for key, count in counts.items() if count > 1 or key in written)
    return frozenset(keys)


def _returned(expr: Expr) -> set[str]:
    if expr.kind == "ternary":
        return {k for kid in expr.kids[1:] for k in _returned(kid)}
    if expr.kind == "call" and expr.name in ("ERR_PTR", "PTR_ERR", "PTR_ERR_OR_ZERO") \
            and expr.args:
        return {expr.args[0].text}
    return {expr.text} if expr.kind in ("id", "member") else set()


class Walker(Generic[S]):
    """One walk over a graph for one rule."""

    def __init__(
        self,
        graph: Graph,
        *,
        effect: Callable[[Step, Effect, S, Facts], S | None],
        at_return: Callable[[Step, S, Facts, Trail], None],
        branch: Callable[[Step, bool, S, Facts], S | None] | None = None,
        keys: frozenset[str] = frozenset(),
    ) -> None:
        """``effect`` gives the next state, None to leave the path; ``branch`` likewise after
        a condition is known; ``keys``: more keys to track."""
        self._graph = graph
        self._effect = effect
        self._at_return = at_return
        self._branch = branch
        self._keys = interesting_keys(graph) | keys
        self.complete = True
        self._todo: list[tuple[Step, S, dict[str, Value], int]] = []
        self._visited: list[tuple[Step, int]] = []

    def walk(self, start: S) -> None:
        """Walk from the entry with the given state."""
        self._todo = [(self._graph.entry, start, {}, -1)]
        seen: set[tuple[int, S, frozenset[tuple[str, Value]]]] = set()
        per_step: Counter[int] = Counter()
        while self._todo:
            step, state, facts, parent = self._todo.pop()
            if per_step[step.index] > _STATES_PER_STEP:
                facts = {}
                self.complete = False
            key = (step.index, state, frozenset(facts.items()))
            if key in seen:
                continue
            seen.add(key)
            per_step[step.index] += 1
            self._visited.append((step, parent))
            if len(seen) >= _LIMIT:
                self.complete = False
                return
            self._visit(step, state, facts, len(self._visited) - 1)

    def _trail(self, at: int) -> list[Step]:
        steps: list[Step] = []
        while at >= 0:
            step, at = self._visited[at]
            steps.append(step)
        return steps[::-1]

    def _visit(self, step: Step, state: S, facts: dict[str, Value], here: int) -> None:
        facts = dict(facts)
        for effect in step.effects:
            moved = self._effect(step, effect, state, facts)
            if moved is None:
                return
            state = moved
            apply_effect(facts, effect, self._keys)
        if step.kind == "return":
            self._at_return(step, state, facts, lambda: self._trail(here))
        elif step.kind == "branch":
            self._branches(step, state, facts, here)
        else:
            for target, _ in reversed(step.next):
                self._todo.append((target, state, facts, here))

    def _branches(self, step: Step, state: S, facts: dict[str, Value], here: int) -> None:
        assert step.expr is not None
        atom = atom_of(step.expr)
        stable = is_stable(step.expr) or atom.key in self._keys
        for target, edge in reversed(step.next):
            truth = edge is True
            known = assume(facts, atom, truth)
            if known is None:
                continue
            if self._branch is not None:
                after = self._branch(step, truth, state, known)
                if after is None:
                    continue
            else:
                after = state
            if not (stable and atom.key in self._keys):
                known = {k: v for k, v in known.items() if k != atom.key}
            self._todo.append((target, after, known, here))


def outcome(expr: Expr | None, facts: Facts, *, pointer: bool = False) -> str:
    """How a return ends: ``void``, ``ok``, ``error`` or ``unknown``.

    ``pointer``: the function returns a pointer, so that only NULL and ERR_PTR are errors.
    """
    if expr is None:
        return "void"
    value = value_of(expr, facts)
    if pointer:
        if value.signs in (ZERO, NEGATIVE, ZERO | NEGATIVE):
            return "error"
        return "ok" if value.signs & POSITIVE and value.signs != ANY else "unknown"
    if value.constant == "-EINPROGRESS" or (value.constant == "-EBUSY" and value.tested):
        return "ok"
    if value.constant in ("NULL", "false", "IRQ_NONE"):
        return "unknown" if value.constant != "NULL" else "error"
    if value.signs == ZERO:
        return "ok"
    if value.signs == NEGATIVE or value.signs == NEGATIVE | POSITIVE:
        return "error"
    if value.signs in (POSITIVE, POSITIVE | ZERO):
        return "ok"
    assert value.signs & ANY
    return "unknown"
