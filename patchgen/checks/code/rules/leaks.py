"""What is taken is given back: on every error path, and on every path where nobody else can."""

from __future__ import annotations

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
    summaries = Summaries(component)
    wrappers = wrapper_resources(component)
    check = registry.get(id)
    for _, function in component.all_functions():
        for site in sites(function, wrappers):
            if site.resource.scoped != (id == "lock-balance"):
                continue
            walk = SiteWalk(component, summaries, function, site)
            if not walk.run():
                continue
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
            elif site.released & {"ok", "void"} and how != "unknown" \
                    and any(c.name in names for c in function.calls) \
                    and site.resource.kind in ("clock", "clocks", "runtime PM reference"):
                yield step, how, trail


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
