"""Functions of a component that take or give back a resource for their caller.

``eng_register_hashes()`` that returns what ``crypto_register_ahashes()`` says is a taking
function itself; ``eng_unregister_hashes()`` is its counterpart when it names the same thing.
"""

from __future__ import annotations

import re

from patchgen.checks.code.component import Component
from patchgen.checks.code.failures import assigned_to
from patchgen.checks.code.ir import Expr, Function
from patchgen.checks.code.kernel_api import RESOURCES, Resource
from patchgen.checks.code.lvalues import normal_key

_KINDS = frozenset({"algorithm", "algorithms", "interrupt", "clock", "clocks", "reset line",
                    "random number source", "misc device", "regulator", "driver"})
_BY_TAKE = {name: r for r in RESOURCES if r.kind in _KINDS for name in r.takes}
_BY_GIVE = {name: (r, at) for r in RESOURCES if r.kind in _KINDS
            for name, at in r.releases.items()}


def wrapper_resources(component: Component) -> dict[str, Resource]:
    """Taking wrappers by name, each as a resource that its counterparts release."""
    taken: dict[str, set[tuple[str, str]]] = {}
    given: dict[tuple[str, str], set[str]] = {}
    kinds: dict[str, str] = {}
    for _, function in component.all_functions():
        names = _taken(function)
        if names and str(function.type) == "int":
            taken[function.name] = names
            kinds[function.name] = next(iter(names))[0]
        for pair in _given(function):
            given.setdefault(pair, set()).add(function.name)
    resources: dict[str, Resource] = {}
    for name, pairs in taken.items():
        back = set().union(*(given.get(pair, set()) for pair in pairs)) - {name}
        if back:
            resources[name] = Resource(kinds[name], frozenset({name}), dict.fromkeys(back, -1),
                                       "nonzero", key=-3)
    return resources


def _taken(function: Function) -> set[tuple[str, str]]:
    """What the function holds when it returns what the taking call said."""
    if any(call.name in _BY_GIVE for call in function.calls):
        return set()
    targets = assigned_to(function)
    returned = [s.expr for s in function.statements if s.kind == "return" and s.expr is not None]
    found: set[tuple[str, str]] = set()
    for call in function.calls:
        resource = _BY_TAKE.get(call.name)
        if resource is None or not 0 <= resource.key < len(call.args):
            continue
        target = targets.get(id(call))
        direct = any(e is call for r in returned for e in r.walk())
        stored = target is not None and any(r.text == target.text for r in returned)
        if direct or stored:
            found.add((resource.kind, normal_key(call.args[resource.key].text)))
    return found


def _given(function: Function) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for call in function.calls:
        entry = _BY_GIVE.get(call.name)
        if entry is not None and 0 <= entry[1] < len(call.args):
            found.add((entry[0].kind, normal_key(call.args[entry[1]].text)))
    return found


def fails_like(component: Component, call: Expr, near: Function, names: re.Pattern[str],
               depth: int = 0) -> bool:
    """Whether a call of the component's own function returns what a kernel call said.

    ``names``: the kernel functions whose result has to be looked at.
    """
    function = component.function(call.name, near.path) if call.kids[0].kind == "id" else None
    if function is None or depth > 2 or str(function.type) != "int":
        return False
    targets = assigned_to(function)
    returned = [s.expr for s in function.statements if s.kind == "return" and s.expr is not None]
    for inner in function.calls:
        target = targets.get(id(inner))
        hands_on = any(e is inner for r in returned for e in r.walk()) or (
            target is not None and any(r.text == target.text for r in returned))
        if hands_on and (names.fullmatch(inner.name)
                         or fails_like(component, inner, function, names, depth + 1)):
            return True
    return False
