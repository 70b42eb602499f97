"""What functions of a component do for their callers: which kinds of resource they release."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from patchgen.checks.code.component import Component
from patchgen.checks.code.ir import Expr, Function


class Summaries:
    """Answers about functions and everything they call, worked out once."""

    def __init__(self, component: Component) -> None:
        self._component = component
        self._reached: dict[int, frozenset[str]] = {}

    def reached_names(self, function: Function) -> frozenset[str]:
        """The names of all functions that a call of this one may call, also indirectly.

        Functions that are only handed on (callbacks, ``devm_add_action``) count too.
        """
        key = id(function)
        if key not in self._reached:
            names: set[str] = set()
            todo = [function]
            done: set[int] = set()
            while todo:
                current = todo.pop()
                if id(current) in done:
                    continue
                done.add(id(current))
                for name in _mentioned(current):
                    names.add(name)
                    callee = self._component.function(name, current.path)
                    if callee is not None:
                        todo.append(callee)
            self._reached[key] = frozenset(names)
        return self._reached[key]

    def calls_any(self, call: Expr, near: Function, names: Iterable[str]) -> bool:
        """Whether a call ends up in one of the named functions."""
        if call.name in names:
            return True
        callee = self._component.function(call.name, near.path) \
            if call.kids[0].kind == "id" else None
        if callee is not None and not self.reached_names(callee).isdisjoint(names):
            return True
        return any(
            argument.kind == "id" and (target := self._component.function(
                argument.name, near.path)) is not None
            and not self.reached_names(target).isdisjoint(names)
            for argument in call.args
        )

    def callers(self, function: Function) -> list[Function]:
        """The functions that call this one by name."""
        return [caller for caller, _ in self._component.callers.get(function.name, ())
                if not function.is_static or caller.path == function.path]

    def any_caller(self, function: Function, test: Callable[[Function], bool],
                   depth: int = 4) -> bool:
        """Whether a direct or indirect caller passes the test."""
        seen = {id(function)}
        level = [function]
        for _ in range(depth):
            above = [c for f in level for c in self.callers(f) if id(c) not in seen]
            if any(test(caller) for caller in above):
                return True
            seen.update(id(caller) for caller in above)
            level = above
        return False


def _mentioned(function: Function) -> set[str]:
    names = {call.name for call in function.calls}
    for call in function.calls:
        names.update(a.name for a in call.args if a.kind == "id")
    return names
