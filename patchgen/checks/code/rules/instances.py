"""Managed resources and shared objects: freed by the core only, and one per device.

Source: Documentation/driver-api/driver-model/devres.rst.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.component import Component
from patchgen.checks.code.contexts import contexts_of
from patchgen.checks.code.failures import assigned_to
from patchgen.checks.code.ir import Expr, Function
from patchgen.checks.code.lvalues import normal_key, same_resource, tail
from patchgen.findings import Finding

_DEVM = re.compile(r"devm_(?:k[mzc]alloc|kmalloc_array|kmemdup|kstrdup|kasprintf|krealloc|"
                   r"ioremap\w*|platform_ioremap\w*|clk_get\w*|reset_control_get\w*|"
                   r"platform_get_and_ioremap_resource|get_free_pages|regulator_get\w*)|"
                   r"dmam_alloc_coherent|dmam_pool_create|pcim_iomap\w*")
_PLAIN_FREE = {"kfree": 0, "kfree_sensitive": 0, "kzfree": 0, "iounmap": 0, "clk_put": 0,
               "kvfree": 0, "reset_control_put": 0, "dma_pool_destroy": 0,
               "regulator_put": 0, "dma_free_coherent": 2}


@registry.check(
    "devm-free", scope="code", severity="error",
    rule="What a devm_ function gave is not freed by hand.",
    why="The driver core frees it again when the device goes: a double free.",
    fix="remove the call; the memory goes with the device",
)
def devm_free(component: Component) -> Iterator[Finding]:
    """kfree(), iounmap() and their kin on managed resources, also of other functions."""
    check = registry.get("devm-free")
    managed: dict[str, Expr] = {}
    locals_of: dict[int, dict[str, Expr]] = {}
    for _, function in component.all_functions():
        local = locals_of[id(function)] = {}
        for call in function.calls:
            target = assigned_to(function).get(id(call)) if _DEVM.fullmatch(call.name) else None
            if target is None:
                continue
            name = normal_key(target.text)
            local[name] = call
            if "->" in name or "." in name:
                managed.setdefault(tail(name), call)
            else:
                for member in _kept_as(function, name):
                    managed.setdefault(tail(member), call)
        _aliases(function, local)
    for _, function in component.all_functions():
        local = locals_of[id(function)]
        for call in function.calls:
            position = _PLAIN_FREE.get(call.name)
            if position is None or position >= len(call.args):
                continue
            given = normal_key(call.args[position].text)
            source = local.get(given) or (managed.get(tail(given)) if "->" in given else None)
            if source is None:
                source = _driver_data(component, function, given)
            if source is not None and not _plain_source(component, given):
                yield check.finding(f"{given} comes from {source.name}() at line {source.line}",
                                    file=function.path, line=call.line)


def _kept_as(function: Function, name: str) -> list[str]:
    return [normal_key(e.kids[0].text) for e in function.exprs
            if e.kind == "assign" and normal_key(e.kids[1].text) == name
            and e.kids[0].kind == "member"]


def _aliases(function: Function, local: dict[str, Expr]) -> None:
    for expr in function.exprs:
        if expr.kind == "assign" and normal_key(expr.kids[1].text) in local \
                and expr.kids[0].kind == "id":
            local.setdefault(expr.kids[0].text, local[normal_key(expr.kids[1].text)])


def _driver_data(component: Component, function: Function, name: str) -> Expr | None:
    """The devm allocation that platform_get_drvdata() hands out, when ``name`` is that."""
    for call in function.calls_to("platform_get_drvdata", "dev_get_drvdata"):
        target = assigned_to(function).get(id(call))
        if target is None or target.text != name:
            continue
        for _, other in component.all_functions():
            for setter in other.calls_to("platform_set_drvdata", "dev_set_drvdata"):
                for source in other.calls:
                    place = assigned_to(other).get(id(source)) \
                        if _DEVM.fullmatch(source.name) else None
                    if place is not None and len(setter.args) > 1 \
                            and place.text == setter.args[1].text:
                        return source
    return None


def _plain_source(component: Component, name: str) -> bool:
    """Whether the member is also filled by a plain allocation somewhere."""
    plain = re.compile(r"k[mzc]alloc|kmalloc_array|kmemdup|ioremap|of_iomap|clk_get|kstrdup|"
                       r"dma_alloc_coherent|dma_pool_create|kvzalloc")
    for _, function in component.all_functions():
        targets = assigned_to(function)
        for call in function.calls:
            target = targets.get(id(call)) if plain.fullmatch(call.name) else None
            if target is not None and same_resource(normal_key(target.text), name):
                return True
    return False


@registry.check(
    "static-instance", scope="code", severity="warning",
    rule="probe does not store its device in objects that all devices share.",
    why="A second device of the kind overwrites the pointer of the first; the first goes on with "
        "the other's registers.",
    fix="keep a list of devices, or allocate a copy of the templates per device",
)
def static_instance(component: Component) -> Iterator[Finding]:
    """Pointers to the device written into static variables on the way of probe."""
    check = registry.get("static-instance")
    for probe in component.functions_with_role("probe"):
        for function, _ in contexts_of(component).reachable(probe).values():
            locals_ = {v.name for v in (*function.locals, *function.params)}
            for expr in function.exprs:
                if expr.kind != "assign" or expr.op != "=" or expr.kids[0].kind != "member":
                    continue
                root = expr.kids[0]
                while root.kids:
                    root = root.kids[0]
                if root.kind == "id" and root.name not in locals_ and root.name in \
                        component.globals and expr.kids[1].kind == "id" \
                        and expr.kids[1].name in locals_ and _is_device(function, expr.kids[1]):
                    yield check.finding(f"{expr.kids[0].text} is shared by all devices",
                                        file=function.path, line=expr.line)


def _is_device(function: Function, expr: Expr) -> bool:
    return any(v.name == expr.name and v.type.pointer == 1 and v.type.struct_name
               for v in (*function.locals, *function.params))
