"""DMA mappings: every map has its check, and its unmap with the same count, size, direction.

Source: Documentation/core-api/dma-api.rst and dma-api-howto.rst.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from patchgen.checks import registry
from patchgen.checks.code.component import Component
from patchgen.checks.code.failures import assigned_to
from patchgen.checks.code.ir import Expr, Function
from patchgen.checks.code.lvalues import normal_key, tail
from patchgen.findings import Finding

MAP_ONE = ("dma_map_single", "dma_map_page", "dma_map_single_attrs", "dma_map_page_attrs",
           "dma_map_resource")
UNMAP_ONE = ("dma_unmap_single", "dma_unmap_page", "dma_unmap_single_attrs",
             "dma_unmap_page_attrs", "dma_unmap_resource")
MAP_SG = ("dma_map_sg", "dma_map_sg_attrs")
UNMAP_SG = ("dma_unmap_sg", "dma_unmap_sg_attrs")
SYNC = ("dma_sync_single_for_cpu", "dma_sync_single_for_device", "dma_sync_sg_for_cpu",
        "dma_sync_sg_for_device")
_DIRECTIONS = frozenset({"DMA_TO_DEVICE", "DMA_FROM_DEVICE", "DMA_BIDIRECTIONAL", "DMA_NONE",
                         "PCI_DMA_TODEVICE", "PCI_DMA_FROMDEVICE"})


@dataclass(frozen=True, slots=True)
class Use:
    """One map, unmap or sync call: what it names, how much, and which way."""

    call: Expr
    function: Function
    handle: str
    amount: str
    direction: str
    also: frozenset[str] = frozenset()
    """Members that the handle is stored in afterwards."""

    @property
    def names(self) -> frozenset[str]:
        """Everything the handle is called."""
        return self.also | {self.handle}


def _direction_at(call: Expr) -> str:
    for argument in call.args:
        if argument.text in _DIRECTIONS:
            return argument.text
    position = 4 if call.name in ("dma_map_page", "dma_map_page_attrs") else 3
    return call.args[position].text if position < len(call.args) else ""


def _uses(component: Component, names: tuple[str, ...], handle_at: int,
          amount_at: int) -> list[Use]:
    found = []
    for _, function in component.all_functions():
        targets: dict[int, Expr] | None = None
        for call in function.calls_to(*names):
            if len(call.args) <= max(handle_at, amount_at, 2):
                continue
            if handle_at < 0:
                targets = targets if targets is not None else assigned_to(function)
                target = targets.get(id(call))
                handle = target.text if target is not None else ""
            else:
                handle = call.args[handle_at].text
            position = 3 if call.name.startswith("dma_map_page") else amount_at
            name = normal_key(handle)
            found.append(Use(call, function, name, call.args[position].text, _direction_at(call),
                             _stored_in(function, name) if handle_at < 0 else frozenset()))
    return found


def _stored_in(function: Function, name: str) -> frozenset[str]:
    """The members that a local handle is copied to."""
    return frozenset(normal_key(e.kids[0].text) for e in function.exprs
                     if e.kind == "assign" and e.op == "=" and e.kids[0].kind == "member"
                     and normal_key(e.kids[1].text) == name)


def _partners(maps: list[Use], use: Use) -> list[Use]:
    """The maps that an unmap may belong to: same function first, else by the member's name."""
    near = [m for m in maps if m.function is use.function and m.handle
            and any(n == use.handle or tail(n) == tail(use.handle) for n in m.names)]
    if near:
        exact = [m for m in near if use.handle in m.names]
        return exact or near
    if "->" not in use.handle and "." not in use.handle:
        return []
    return [m for m in maps if any(("->" in n or "." in n) and tail(n) == tail(use.handle)
                                   for n in m.names)]


@registry.check(
    "dma-direction", scope="code", severity="error",
    rule="A buffer is unmapped and synced with the direction it was mapped with.",
    why="The direction decides which cache lines are written back or thrown away; a wrong one "
        "loses data on machines without coherent DMA.",
    fix="use the direction of the map call",
)
def dma_direction(component: Component) -> Iterator[Finding]:
    """Constant directions that differ between a map and everything that follows it."""
    check = registry.get("dma-direction")
    ones = _uses(component, MAP_ONE, -1, 2)
    lists = _uses(component, MAP_SG, 1, 2)
    pairs = [(ones, u) for u in _uses(component, (*UNMAP_ONE, *SYNC[:2]), 1, 2)]
    pairs += [(lists, u) for u in _uses(component, (*UNMAP_SG, *SYNC[2:]), 1, 2)]
    for maps, use in pairs:
        partners = _partners(maps, use)
        known = {m.direction for m in partners}
        if not partners or use.direction not in _DIRECTIONS or not known <= _DIRECTIONS:
            continue
        if use.call.name in SYNC:
            known |= {"DMA_TO_DEVICE", "DMA_FROM_DEVICE"} if "DMA_BIDIRECTIONAL" in known \
                and use.function not in [m.function for m in partners] else set()
        if use.direction not in known:
            first = partners[0]
            yield check.finding(
                f"{use.handle} is mapped {first.direction} at line {first.call.line}, but "
                f"{use.call.name}() says {use.direction}",
                file=use.function.path, line=use.call.line)


@registry.check(
    "dma-size", scope="code", severity="error",
    rule="A mapping or coherent buffer is given back with the size it was taken with.",
    why="Unmapping less leaves a part mapped, unmapping more takes away what belongs to others; "
        "with an IOMMU or bounce buffers either corrupts memory.",
    fix="use the same expression for the size, or keep it beside the handle",
)
def dma_size(component: Component) -> Iterator[Finding]:
    """Sizes that are written differently in one function or are different constants."""
    check = registry.get("dma-size")
    maps = _uses(component, MAP_ONE, -1, 2)
    for use in _uses(component, UNMAP_ONE, 1, 2):
        yield from _different(check, maps, use)
    allocs = _uses(component, ("dma_alloc_coherent", "dma_alloc_attrs", "dma_alloc_wc"), -1, 1)
    for use in _uses(component, ("dma_free_coherent", "dma_free_attrs", "dma_free_wc"), 2, 1):
        yield from _different(check, allocs, use)


def _different(check: registry.Check, maps: list[Use], use: Use) -> Iterator[Finding]:
    partners = _partners(maps, use)
    if not partners:
        return
    amounts = {_plain(m.amount) for m in partners}
    mine = _plain(use.amount)
    if mine in amounts:
        return
    same_function = all(m.function is use.function for m in partners)
    constant = _is_constant(mine) and all(
        _is_constant(a) or _is_parameter(m, a) for a, m in zip(
            sorted(amounts), sorted(partners, key=lambda p: _plain(p.amount)), strict=False))
    if (same_function and len(amounts) == 1 and not _recomputed(use, partners[0])) or constant:
        yield check.finding(
            f"{use.handle} is given back with size {use.amount}, but was taken with "
            f"{partners[0].amount} at line {partners[0].call.line}",
            file=use.function.path, line=use.call.line)


def _plain(text: str) -> str:
    """A size without blanks, indices and the variables that its members belong to."""
    text = re.sub(r"\[[^\]]*\]", "", text.replace(" ", ""))
    text = re.sub(r"sizeof\((?:[^()]|\([^()]*\))*\)", "SIZEOF", text)
    return re.sub(r"\w+(?:->|\.)", "", text).strip("()")


def _is_parameter(use: Use, amount: str) -> bool:
    """Whether a size is handed in by the caller, so that it is none particular constant."""
    return any(p.name == amount for p in use.function.params)


def _is_constant(text: str) -> bool:
    return text.isupper() or text[:1].isdigit() or text.startswith("sizeof(")


def _recomputed(use: Use, taken: Use) -> bool:
    """Whether one size was stored from the other, so that both may be equal."""
    names = {_plain(use.amount), _plain(taken.amount)}
    stored = [(e.kids[0].text, e.kids[1]) for e in use.function.exprs if e.kind == "assign"]
    stored += [(v.name, v.init) for v in use.function.locals if v.init is not None]
    return any(
        _plain(target) in names
        and not names.isdisjoint(_plain(e.text) for e in value.walk())
        for target, value in stored
    )


@registry.check(
    "dma-unmap-count", scope="code", severity="error",
    rule="dma_unmap_sg() and dma_sync_sg_*() get the count that was given to dma_map_sg(), not "
         "the one it returned.",
    why="The returned count may be smaller when entries were merged; unmapping with it leaves "
        "entries mapped for ever.",
    fix="keep the count of entries and the mapped count in two variables",
)
def dma_unmap_count(component: Component) -> Iterator[Finding]:
    """Counts that are the result of the map call, by variable or member name."""
    check = registry.get("dma-unmap-count")
    results: dict[str, tuple[Use, str]] = {}
    given: set[str] = set()
    overwritten: list[tuple[Use, str]] = []
    local_results: dict[tuple[int, str], Use] = {}
    for use in _uses(component, MAP_SG, 1, 2):
        given.add(tail(use.amount))
        target = assigned_to(use.function).get(id(use.call))
        if target is None:
            continue
        if target.text == use.amount:
            overwritten.append((use, target.text))
        elif target.kind == "id":
            local_results[id(use.function), target.text] = use
        else:
            results.setdefault(tail(target.text), (use, target.text))
    for function in {id(u.function): u.function for u, _ in results.values()}.values():
        for expr in function.exprs:
            if expr.kind == "assign" and expr.kids[0].kind != "id" and (
                id(function), expr.kids[1].text) in local_results:
                results.setdefault(tail(expr.kids[0].text),
                                   (local_results[id(function), expr.kids[1].text],
                                    expr.kids[0].text))
    yield from _overwritten(check, component, overwritten)
    for use in _uses(component, (*UNMAP_SG, *SYNC[2:]), 1, 2):
        taken = local_results.get((id(use.function), use.amount))
        name = tail(use.amount)
        if taken is None and use.amount not in given and name in results and name not in given:
            taken = results[name][0]
        if taken is not None:
            yield check.finding(
                f"{use.amount} is what {taken.call.name}() returned at line {taken.call.line}; "
                f"{use.call.name}() needs {taken.amount}",
                file=use.function.path, line=use.call.line)


def _overwritten(check: registry.Check, component: Component,
                 overwritten: list[tuple[Use, str]]) -> Iterator[Finding]:
    unmaps = _uses(component, UNMAP_SG, 1, 2)
    for use, name in overwritten:
        same = [u for u in unmaps if tail(u.amount) == tail(name)]
        for other in same:
            if other.function is use.function or "->" in name:
                yield check.finding(
                    f"{name} held the count of entries until {use.call.name}() overwrote it at "
                    f"line {use.call.line}",
                    file=other.function.path, line=other.call.line)
                break
