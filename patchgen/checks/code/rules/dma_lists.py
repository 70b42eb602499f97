"""Mapped lists and long-lived mappings: asked, moved, synced and placed as the API wants.

Source: Documentation/core-api/dma-api-howto.rst, dma-api.rst (part Id).
"""

from __future__ import annotations

from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.cfg import Effect, Step
from patchgen.checks.code.component import Component
from patchgen.checks.code.facts import Facts
from patchgen.checks.code.ir import Expr, Function
from patchgen.checks.code.lvalues import normal_key
from patchgen.checks.code.paths import Trail, Walker
from patchgen.checks.code.rules.dma_pairs import MAP_ONE, MAP_SG, UNMAP_SG
from patchgen.findings import Finding


@registry.check(
    "sg-unmapped-length", scope="code", severity="error",
    rule="sg_dma_len() and sg_dma_address() are asked of a list that is mapped, after it is.",
    why="Before the mapping the fields hold nothing (they are the same memory as length only on "
        "some architectures).",
    fix="use sg->length before the mapping, or map first",
)
def sg_unmapped_length(component: Component) -> Iterator[Finding]:
    """Uses before the map call of the same function, or in components that map no list."""
    check = registry.get("sg-unmapped-length")
    maps_lists = any(name in component.callers for name in (
        *MAP_SG, "dma_map_sgtable", "dma_map_sg_attrs"))
    for _, function in component.all_functions():
        uses = function.calls_to("sg_dma_len", "sg_dma_address")
        if not uses:
            continue
        maps = function.calls_to(*MAP_SG, "dma_map_sgtable")
        for use in uses:
            if not use.args or _is_written(function, use):
                continue
            name = normal_key(use.args[0].text)
            own = [m for m in maps if len(m.args) > 1 and normal_key(m.args[1].text) == name]
            early = own and all(m.line > use.line for m in own) and not _in_loop_with(
                function, use, own)
            if early or not (maps_lists or _exported(component)):
                yield check.finding(f"{use.text} is asked before {name} is mapped",
                                    file=function.path, line=use.line)


def _exported(component: Component) -> bool:
    return any(c.name.startswith("EXPORT_SYMBOL") for u in component.units.values()
               for c in u.pre.calls) or len(component.units) == 1


def _is_written(function: Function, use: Expr) -> bool:
    return any(e.kind == "assign" and e.kids[0] is use for e in function.exprs)


def _in_loop_with(function: Function, use: Expr, maps: list[Expr]) -> bool:
    return any(
        s.kind in ("while", "for", "do")
        and any(e is use for i in s.walk() for top in i.expressions() for e in top.walk())
        and any(e is maps[0] for i in s.walk() for top in i.expressions() for e in top.walk())
        for s in function.statements
    )


@registry.check(
    "dma-list-moved", scope="code", severity="error",
    rule="The list pointer and the count that were mapped are unchanged when they are unmapped.",
    why="A cursor that has walked along the list, or a count that was reused, unmaps other "
        "entries than were mapped, or NULL.",
    fix="walk with a second variable, and keep the mapped list and its count",
)
def dma_list_moved(component: Component) -> Iterator[Finding]:
    """Paths on which a variable of the map call is changed before the unmap call."""
    check = registry.get("dma-list-moved")
    for _, function in component.all_functions():
        unmaps = [c for c in function.calls_to(*UNMAP_SG) if len(c.args) > 2]
        if not unmaps:
            continue
        for taken in function.calls_to(*MAP_SG):
            if len(taken.args) < 3:
                continue
            names = {a.text for a in (taken.args[1], taken.args[2])
                     if a.kind in ("id", "member", "index")}
            mine = [u for u in unmaps if u.args[1].text == taken.args[1].text]
            if mine and names:
                yield from _moved(check, component, function, taken, mine, names)


def _moved(check: registry.Check, component: Component, function: Function, taken: Expr,
           unmaps: list[Expr], names: set[str]) -> Iterator[Finding]:
    found: dict[int, tuple[Expr, str, int]] = {}

    def effect(step: Step, what: Effect, state: str, _facts: Facts) -> str:
        if what.kind == "call" and what.expr is taken:
            return "mapped"
        if not state:
            return state
        if what.kind == "write" and what.target in names and what.value is not taken:
            return f"{what.target} {step.line}" if state == "mapped" else state
        if what.kind == "call" and what.expr in unmaps:
            changed, _, line = state.partition(" ")
            used = {a.text for a in what.expr.args[1:3]}
            if line and changed in used:
                found[id(what.expr)] = (what.expr, changed, int(line))
            return ""
        return state

    def at_return(_: Step, __: str, ___: Facts, ____: Trail) -> None:
        return

    walker = Walker(component.graph(function, loops_run=True), effect=effect,
                    at_return=at_return)
    walker.walk("")
    for call, name, line in found.values():
        yield check.finding(
            f"{name} was mapped at line {taken.line}, changed at line {line}, and is unmapped here",
            file=function.path, line=call.line)


@registry.check(
    "dma-sync-missing", scope="code", severity="error",
    rule="A long-lived mapping that the device writes to is synced for the CPU before it is read.",
    why="Without dma_sync_*_for_cpu() the CPU may read what its cache held before the device "
        "wrote.",
    fix="call dma_sync_single_for_cpu() before reading, and _for_device() after writing",
)
def dma_sync_missing(component: Component) -> Iterator[Finding]:
    """Mappings made in probe and undone in remove, without any sync for the CPU."""
    check = registry.get("dma-sync-missing")
    if any(n in component.callers for n in (
            "dma_sync_single_for_cpu", "dma_sync_sg_for_cpu", "dma_sync_single_range_for_cpu")):
        return
    for _, function in component.all_functions():
        if not {r.field for r in component.roles_of(function)} & {"probe"}:
            continue
        for call in function.calls_to(*MAP_ONE):
            if any(a.text in ("DMA_FROM_DEVICE", "DMA_BIDIRECTIONAL") for a in call.args):
                yield check.finding(
                    "this mapping stays while the device writes to it, but nothing syncs it for "
                    "the CPU", file=function.path, line=call.line)


@registry.check(
    "dma-shared-line", scope="code", severity="warning",
    rule="A buffer that is mapped does not share cache lines with other data.",
    why="On machines without coherent DMA the CPU's write to a neighbour overwrites what the "
        "device wrote, or the mapping throws the neighbour's value away.",
    fix="put the buffer into its own allocation, or align it with __aligned(ARCH_DMA_MINALIGN)",
)
def dma_shared_line(component: Component) -> Iterator[Finding]:
    """Arrays inside structs given to dma_map_single() for the device to write."""
    check = registry.get("dma-shared-line")
    for _, function in component.all_functions():
        for call in function.calls_to("dma_map_single", "dma_map_single_attrs"):
            if len(call.args) < 4 or call.args[1].kind != "member" or call.args[3].text not in (
                    "DMA_FROM_DEVICE", "DMA_BIDIRECTIONAL", "DMA_TO_DEVICE"):
                continue
            where = _array_member(component, call.args[1])
            if where is not None:
                yield check.finding(f"{call.args[1].text} shares cache lines with the rest of "
                                    f"struct {where}", file=function.path, line=call.line)


def _array_member(component: Component, expr: Expr) -> str | None:
    """The one struct that has this member as an array without alignment of its own."""
    owners = [s for s in component.structs.values() if s.field(expr.name) is not None]
    if len(owners) != 1:
        return None
    struct = owners[0]
    member = struct.field(expr.name)
    if member is None or not member.type.dims or member.type.pointer or len(struct.fields) < 2:
        return None
    unit = component.units.get(struct.path)
    if unit is None:
        return None
    line = unit.pre.text.split("\n")[member.line - 1]
    return None if "align" in line or "ALIGN" in line else struct.name
