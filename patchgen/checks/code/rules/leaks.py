"""What is taken is given back: on every error path, and on every path where nobody else can."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.callers import handled_by_callers
from patchgen.checks.code.cfg import Step
from patchgen.checks.code.component import Component
from patchgen.checks.code.ir import Function
from patchgen.checks.code.kernel_api import NEON
from patchgen.checks.code.sites import Site, SiteWalk, sites
from patchgen.checks.code.summaries import Summaries
from patchgen.checks.code.wrappers import wrapper_resources
from patchgen.findings import Finding


@registry.check(
    "resource-leak", scope="code", severity="error",
    rule="What a function takes is given back on every error path, and on every path when "
         "nobody else can do it.",
    why="A mapping, clock, reference or buffer that an error path forgets is lost until reboot; "
        "error paths are where nobody tests.",
    fix="release it before returning, usually at a label that the error paths share",
)
def resource_leak(component: Component) -> Iterator[Finding]:
    """DMA mappings, memory, clocks, PM references, interrupts, registrations."""
    yield from _leaks(component, "resource-leak")


@registry.check(
    "lock-balance", scope="code", severity="error",
    rule="A lock, a NEON section and a section without preemption end on every path.",
    why="A path that returns with a spinlock held stops the CPU at the next taker; one that "
        "leaves a NEON section open corrupts the registers of user space.",
    fix="end the section before every return, goto the label that does",
)
def lock_balance(component: Component) -> Iterator[Finding]:
    """Locks, kernel_neon_begin(), preemption, bottom halves, interrupts, RCU."""
    yield from _leaks(component, "lock-balance")


def _leaks(component: Component, id: str) -> Iterator[Finding]:
    if id == "lock-balance":
        yield from _ends_without_begin(component)
    summaries = Summaries(component)
    wrappers = wrapper_resources(component)
    check = registry.get(id)
    for _, function in component.all_functions():
        for site in sites(function, wrappers, component.globals):
            if site.resource.scoped != (id == "lock-balance"):
                continue
            walk = SiteWalk(component, summaries, function, site)
            if not walk.run():
                continue
            for line, again in site.again.items():
                yield check.finding(f"{again.name}() takes the {site.resource.kind} that "
                                    f"{site.call.name}() took at line {site.call.line}",
                                    file=function.path, line=line)
            reported: set[int] = set()
            for step, how, trail in _judged(component, summaries, function, site):
                line = _where(step, trail, site.call.line)
                if line in reported:
                    continue
                reported.add(line)
                what = f"{site.resource.kind} taken by {site.call.name}() at line " \
                    f"{site.call.line}"
                end = "returns an error" if how.startswith("error") else "returns"
                verb = "ending" if site.resource.scoped else "giving back"
                yield check.finding(f"{function.name}() {end} without {verb} the {what}",
                                    file=function.path, line=line)


def _ends_without_begin(component: Component) -> Iterator[Finding]:
    """SIMD sections that a function ends but never begins."""
    check = registry.get("lock-balance")
    for _, function in component.all_functions():
        ends = [c for c in function.calls if c.name in NEON.releases]
        begins = any(c.name in NEON.takes for c in function.calls)
        if ends and not begins and not re.search(r"end|stop|finish|exit|release", function.name):
            yield check.finding(f"{ends[0].name}() ends a section that {function.name}() did not "
                                "begin", file=function.path, line=ends[0].line)


def _where(step: Step, trail: list[Step], taken: int) -> int:
    """The goto that began the way out, or the return."""
    jumps = [s.line for s in trail if s.kind == "goto" and s.line > taken]
    return jumps[-1] if jumps else step.line


def _judged(component: Component, summaries: Summaries, function: Function,
            site: Site) -> Iterator[tuple[Step, str, list[Step]]]:
    """The ends of paths that are leaks, as far as one function can tell."""
    if not site.leaks:
        return
    names = set(site.resource.releases)
    if site.resource.scoped:
        wrapper = not any(c.name in names for c in function.calls) and not site.released
        if wrapper and not (site.resource is NEON and "begin" not in function.name):
            return
        yield from site.leaks
        return
    own = site.unwinds
    by_caller = handled_by_callers(component, summaries, function, names)
    for step, how, trail in site.leaks:
        if how.startswith("error"):
            nobody = site.is_local and not how.endswith("stored")
            if own or nobody or (not by_caller and _must_clean_up(component, function, site)):
                yield step, how, trail
        elif how in ("ok", "void", "unknown"):
            if site.is_local and site.resource.key == -1 and site.resource.failure != "dma":
                if site.released or how != "unknown":
                    yield step, how, trail
            elif how != "unknown" and site.resource.kind in _REFERENCES and (
                    (site.unwinds and not _released_elsewhere(component, function, names))
                    or (site.released & {"ok", "void"} and any(
                        c.name in names for c in function.calls))):
                yield step, how, trail


_REFERENCES = frozenset({"clock", "clocks", "runtime PM reference"})
"""What a function may hold for good only if somebody else gives it back."""


def _released_elsewhere(component: Component, function: Function, names: set[str]) -> bool:
    """Whether any other function of the component gives back this kind of resource."""
    return any(c.name in names for _, f in component.all_functions() if f is not function
               for c in f.calls)


def _must_clean_up(component: Component, function: Function, site: Site) -> bool:
    """Whether an error of this function is final: nothing is torn down later by others."""
    roles = {role.field for role in component.roles_of(function)}
    if roles & {"prepare_request", "do_one_request", "prepare_cipher_request",
                "prepare_hash_request", "do_one_op"}:
        return not any(r.field == "unprepare_request"
                       for found in component.roles.values() for r in found)
    registration = site.resource.kind in ("algorithm", "algorithms", "driver", "interrupt")
    if not roles and not registration and not _has_caller(component, function):
        return False
    if site.resource.kind in ("memory", "page") and not site.is_local:
        return bool(roles)
    return True


def _has_caller(component: Component, function: Function) -> bool:
    """Whether anybody in the component calls the function by name."""
    return bool(component.callers.get(function.name))
