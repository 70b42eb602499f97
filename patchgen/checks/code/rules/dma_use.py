"""DMA mappings: results looked at, memory that may be mapped, addresses from the API only.

Source: Documentation/core-api/dma-api-howto.rst.
"""

from __future__ import annotations

from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.component import Component, Unit
from patchgen.checks.code.failures import assigned_to
from patchgen.checks.code.ir import Expr, Function, Type
from patchgen.checks.code.lvalues import normal_key, tail
from patchgen.checks.code.rules.dma_pairs import (
    MAP_ONE,
    MAP_SG,
    SYNC,
    UNMAP_ONE,
    UNMAP_SG,
)
from patchgen.findings import Finding


@registry.check(
    "dma-map-unchecked", scope="code", severity="error",
    rule="The result of every dma_map_* call is checked: dma_mapping_error() for one buffer, the "
         "returned count for a list.",
    why="Mappings fail when bounce buffers or IOMMU space run out; an unchecked address sends "
        "the device anywhere.",
    fix="check it at once, and unwind what is mapped already",
)
def dma_map_unchecked(component: Component) -> Iterator[Finding]:
    """Maps whose handle no dma_mapping_error() names, and lists whose count nobody tests."""
    check = registry.get("dma-map-unchecked")
    checked_members = {
        tail(normal_key(call.args[1].text))
        for _, function in component.all_functions()
        for call in function.calls_to("dma_mapping_error", "pci_dma_mapping_error")
        if len(call.args) > 1 and call.args[1].kind != "id"
    }
    for _, function in component.all_functions():
        targets = assigned_to(function)
        for call in function.calls_to(*MAP_ONE):
            target = targets.get(id(call))
            if target is None:
                if not _is_returned(function, call) and not _is_checked_inline(function, call):
                    yield check.finding(f"the result of {call.name}() is not checked",
                                        file=function.path, line=call.line)
            elif not _mapping_checked(function, target, call, checked_members):
                yield check.finding(
                    f"{target.text} is used without dma_mapping_error() after {call.name}()",
                    file=function.path, line=call.line)
        for call in function.calls_to(*MAP_SG, "dma_map_sgtable"):
            if not _count_tested(function, targets.get(id(call)), call):
                yield check.finding(f"the count returned by {call.name}() is not tested",
                                    file=function.path, line=call.line)


def _is_returned(function: Function, call: Expr) -> bool:
    return any(s.kind == "return" and s.expr is not None
               and any(e is call for e in s.expr.walk()) for s in function.statements)


def _is_checked_inline(function: Function, call: Expr) -> bool:
    return any(outer.name == "dma_mapping_error" and any(e is call for e in outer.walk())
               for outer in function.calls)


def _mapping_checked(function: Function, target: Expr, call: Expr, members: set[str]) -> bool:
    wanted = normal_key(target.text)
    aliases = {wanted}
    for expr in function.exprs:
        if expr.kind == "assign" and normal_key(expr.kids[1].text) in aliases:
            aliases.add(normal_key(expr.kids[0].text))
    for test in function.calls_to("dma_mapping_error", "pci_dma_mapping_error"):
        if len(test.args) > 1 and test.line >= call.line \
                and normal_key(test.args[1].text) in aliases:
            return True
    if _is_returned_value(function, target):
        return True
    return target.kind != "id" and tail(wanted) in members and not function.calls_to(
        "dma_mapping_error")


def _is_returned_value(function: Function, target: Expr) -> bool:
    return any(s.kind == "return" and s.expr is not None and s.expr.text == target.text
               for s in function.statements)


def _count_tested(function: Function, target: Expr | None, call: Expr) -> bool:
    if target is None:
        return any(
            s.expr is not None and any(e is call for e in s.expr.walk())
            for s in function.statements if s.kind in ("if", "while", "return", "switch")
        ) or any(e.kind in ("ternary", "binary") and any(k is call for k in e.walk())
                 for e in function.exprs)
    wanted = target.text
    for s in function.statements:
        if s.line < call.line - 3 and s.kind not in ("while", "for", "do"):
            continue
        if s.kind in ("if", "while", "return", "for", "do") and s.expr is not None \
                and any(e.text == wanted for e in s.expr.walk()):
            return True
    tests = ("WARN_ON", "BUG_ON", "WARN_ON_ONCE")
    return any(any(a.text == wanted for a in c.walk()) for c in function.calls_to(*tests))


@registry.check(
    "dma-map-sg-negative", scope="code", severity="error",
    rule="A failure of dma_map_sg() is tested as 0, not as a negative number.",
    why="dma_map_sg() returns how many entries it mapped, and 0 when it could not; a test for a "
        "negative value never fires.",
    fix="write if (!count) and return -ENOMEM or -EIO",
)
def dma_map_sg_negative(component: Component) -> Iterator[Finding]:
    """Counts compared with < 0 only."""
    check = registry.get("dma-map-sg-negative")
    for _, function in component.all_functions():
        calls = function.calls_to(*MAP_SG)
        if not calls:
            continue
        targets = assigned_to(function)
        for call in calls:
            names = {call.text}
            if (target := targets.get(id(call))) is not None:
                names.add(target.text)
            tests = [e for e in function.exprs if e.kind == "binary" and e.line >= call.line
                     and e.kids[0].text in names and e.kids[1].text == "0"]
            zero = any(e.op in ("==", "<=", "!=", ">") for e in tests) or any(
                e.kind == "unary" and e.op == "!" and e.kids[0].text in names
                for e in function.exprs) or any(
                s.kind in ("if", "while") and s.expr is not None and s.expr.text in names
                for s in function.statements)
            for test in tests:
                if test.op == "<" and not zero:
                    yield check.finding(f"{test.text} never holds: {call.name}() returns 0 on "
                                        "failure", file=function.path, line=test.line)


@registry.check(
    "dma-handle-lost", scope="code", severity="error",
    rule="Somewhere in the component everything that is mapped is unmapped.",
    why="A mapping whose handle is thrown away can never be undone, not even when the driver is "
        "unloaded.",
    fix="keep the handle and unmap it where the buffer's life ends",
)
def dma_handle_lost(component: Component) -> Iterator[Finding]:
    """Map calls without any unmap call of their kind, and results that are not kept."""
    check = registry.get("dma-handle-lost")
    for maps, unmaps in ((MAP_ONE, UNMAP_ONE), (MAP_SG, UNMAP_SG),
                         (("dma_alloc_coherent",), ("dma_free_coherent", "dma_free_attrs"))):
        calls = [(f, c) for _, f in component.all_functions() for c in f.calls_to(*maps)]
        released = _released_names(component, unmaps)
        for function, call in calls:
            target = assigned_to(function).get(id(call)) if maps is not MAP_SG else None
            if maps is not MAP_SG and target is None and not _is_returned(function, call) \
                    and not any(call in outer.args for outer in function.calls):
                yield check.finding(f"the result of {call.name}() is thrown away",
                                    file=function.path, line=call.line)
            elif not released:
                yield check.finding(f"nothing in the component undoes this {call.name}()",
                                    file=function.path, line=call.line)
            elif maps is MAP_SG and _list_kept(call, released):
                yield check.finding(f"nothing in the component unmaps {call.args[1].text}",
                                    file=function.path, line=call.line)
            elif target is not None and not _may_be_released(component, target, released):
                yield check.finding(f"nothing in the component gives {target.text} back",
                                    file=function.path, line=call.line)


def _list_kept(call: Expr, released: set[str]) -> bool:
    """Whether a request's own list is mapped, and only other request lists are unmapped."""
    if len(call.args) < 2 or call.args[1].kind != "member":
        return False
    name = tail(normal_key(call.args[1].text))
    plain = {r for r in released if " " not in r}
    return name in ("src", "dst") and name not in plain and bool(plain & {"src", "dst"}) \
        and plain <= {"src", "dst"} | {r for r in plain if "nents" in r or "entries" in r
                                       or "count" in r or "mapped" in r or r.isdigit()}


def _released_names(component: Component, unmaps: tuple[str, ...]) -> set[str]:
    names: set[str] = set()
    for _, function in component.all_functions():
        for call in function.calls_to(*unmaps):
            for argument in call.args[1:3]:
                names.add(tail(normal_key(argument.text)))
                names.add(f"{id(function)} {normal_key(argument.text)}")
    return names


def _may_be_released(component: Component, target: Expr, released: set[str]) -> bool:
    """Whether a release may mean this handle; a struct member by its name alone."""
    if target.kind == "id":
        return True
    name = tail(normal_key(target.text))
    if name in released:
        return True
    struct_copied = any(
        e.kind == "assign" and tail(normal_key(e.kids[1].text)) == name
        for _, f in component.all_functions() for e in f.exprs
    )
    passed = any(
        tail(normal_key(a.text)) == name
        for _, f in component.all_functions() for c in f.calls for a in c.args
        if component.function(c.name, f.path) is not None
    )
    initialised = any(
        v.init is not None and tail(normal_key(v.init.text)) == name
        for _, f in component.all_functions() for v in f.locals
    )
    return struct_copied or passed or initialised


@registry.check(
    "dma-from-stack", scope="code", severity="error",
    rule="No memory of the stack is given to DMA.",
    why="Stacks may be virtually mapped and share cache lines with live variables; the DMA API "
        "warns and the data is corrupted.",
    fix="use a buffer of the request context or an allocation",
)
def dma_from_stack(component: Component) -> Iterator[Finding]:
    """Local arrays, structs and variables as buffers of map calls and scatterlists."""
    check = registry.get("dma-from-stack")
    for _, function in component.all_functions():
        calls = function.calls_to("dma_map_single", "dma_map_single_attrs", "sg_init_one",
                                  "sg_set_buf")
        if not calls:
            continue
        local = {v.name: v.type for v in function.locals if "static" not in v.storage}
        for call in calls:
            if len(call.args) < 2:
                continue
            if call.name.startswith("sg_") and not _list_is_mapped(component, call):
                continue
            if _is_on_stack(call.args[1], local):
                yield check.finding(f"{call.args[1].text} is on the stack of {function.name}()",
                                    file=function.path, line=call.line)


def _list_is_mapped(component: Component, call: Expr) -> bool:
    """Whether a list with this name is mapped by the component itself."""
    name = tail(normal_key(call.args[0].text))
    return any(tail(normal_key(c.args[1].text)) == name
               for _, f in component.all_functions() for c in f.calls_to(*MAP_SG)
               if len(c.args) > 1)


def _is_on_stack(expr: Expr, local: dict[str, Type]) -> bool:
    address = False
    while expr.kind in ("cast", "unary", "binary", "index", "member"):
        if expr.kind == "unary":
            if expr.op != "&":
                return False
            address = True
        elif expr.kind == "index" and not address:
            return False
        elif expr.kind == "member":
            if expr.op == "->":
                return False
            address = True
        expr = expr.kids[0]
    if expr.kind != "id" or expr.name not in local:
        return False
    kind = local[expr.name]
    if kind.dims:
        return True
    return address and kind.pointer == 0


@registry.check(
    "dma-address-origin", scope="code", severity="error",
    rule="A device gets only addresses that the DMA API returned.",
    why="A physical address is none the bus understands when there is an IOMMU, a bus offset or "
        "highmem; nothing flushes caches for it either.",
    fix="map the memory and use the dma_addr_t, or sg_dma_address() after dma_map_sg()",
)
def dma_address_origin(component: Component) -> Iterator[Finding]:
    """virt_to_phys() and its kin in components that do DMA."""
    check = registry.get("dma-address-origin")
    for unit, function in component.all_functions():
        if not _does_dma(component, unit):
            continue
        for call in function.calls:
            if call.name in ("virt_to_phys", "virt_to_bus", "bus_to_virt", "sg_phys"):
                yield check.finding(f"{call.name}() makes an address without the DMA API",
                                    file=function.path, line=call.line)


def _does_dma(component: Component, unit: Unit) -> bool:
    names = (*MAP_ONE, *MAP_SG, *SYNC, "dma_alloc_coherent")
    return any(f.calls_to(*names) for f in unit.functions) or any(
        name in component.callers for name in names)
