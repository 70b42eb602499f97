"""Probe and remove: in which order things come into being and go, and that all of them go.

Source: Documentation/driver-api/driver-model/driver.rst, devres.rst.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.component import Component
from patchgen.checks.code.contexts import contexts_of
from patchgen.checks.code.failures import assigned_to
from patchgen.checks.code.ir import Expr, Function
from patchgen.checks.code.kernel_api import RESOURCES, Resource
from patchgen.checks.code.lvalues import normal_key, tail
from patchgen.checks.code.summaries import Summaries
from patchgen.findings import Finding

_REQUEST_IRQ = {"request_irq": 1, "devm_request_irq": 2, "request_threaded_irq": 1,
                "devm_request_threaded_irq": 2, "devm_request_any_context_irq": 2}
_PREPARES = re.compile(
    r"tasklet_init|tasklet_setup|spin_lock_init|raw_spin_lock_init|mutex_init|init_completion|"
    r"init_waitqueue_head|INIT_WORK|INIT_DELAYED_WORK|INIT_LIST_HEAD|crypto_init_queue|"
    r"timer_setup|sema_init|init_rwsem|crypto_engine_alloc_init\w*|dma_alloc_coherent|"
    r"dmam_alloc_coherent|devm_kzalloc|devm_kcalloc|kzalloc|kcalloc|platform_set_drvdata|"
    r"dev_set_drvdata|pci_set_drvdata|dma_map_single|devm_ioremap\w*|"
    r"devm_platform_ioremap_resource\w*|dma_pool_create|dmam_pool_create|kfifo_alloc"
)
_REGISTERS = re.compile(r"crypto_(?:engine_)?register_\w+|\w*register_alg\w*")
_UNREGISTERS = re.compile(r"crypto_(?:engine_)?unregister_\w+")
_TEARDOWN = re.compile(
    r"clk_disable\w*|clk_bulk_disable\w*|dma_unmap_\w+|dma_free_\w+|dma_pool_destroy|tasklet_kill|"
    r"crypto_engine_exit|crypto_engine_stop|free_irq|devm_free_irq|iounmap|kfree|"
    r"kfree_sensitive|destroy_workqueue|reset_control_assert|pm_runtime_disable|writel\w*|"
    r"iowrite32\w*|regulator_disable|kmem_cache_destroy|dma_release_channel"
)


@registry.check(
    "irq-before-ready", scope="code", severity="error",
    rule="An interrupt is requested after everything its handler uses is set up.",
    why="The line may fire at once (shared, or left pending by the boot loader); the handler then "
        "takes locks and schedules tasklets that do not exist.",
    fix="move the request below the initialisation, just before the algorithms are registered",
)
def irq_before_ready(component: Component) -> Iterator[Finding]:
    """Initialisations after the request, of members that the handler's code names."""
    check = registry.get("irq-before-ready")
    contexts = contexts_of(component)
    for _, function in component.all_functions():
        for call in function.calls:
            position = _REQUEST_IRQ.get(call.name)
            if position is None or position >= len(call.args):
                continue
            used: set[str] = set()
            last = position + (2 if "threaded" in call.name else 1)
            for argument in call.args[position:last]:
                handler = component.function(argument.name, function.path)
                if handler is None:
                    continue
                for reached, _ in contexts.reachable(handler).values():
                    used |= {e.name for e in reached.exprs if e.kind in ("member", "call")}
                for name in list(_scheduled(component, handler)):
                    used |= name
            yield from _late(check, component, function, call, used)


def _scheduled(component: Component, handler: Function) -> Iterator[set[str]]:
    """What tasklets and work items of the component use: the handler may start them."""
    contexts = contexts_of(component)
    if not any(re.search(r"tasklet_\w*schedule|queue_work|schedule_work", c.name)
               for f, _ in contexts.reachable(handler).values() for c in f.calls):
        return
    for _, function in component.all_functions():
        if contexts.atomic.get(id(function)) == "a tasklet" \
                or contexts.threads.get(id(function)) == "a work item":
            for reached, _ in contexts.reachable(function).values():
                yield {e.name for e in reached.exprs if e.kind == "member"}


def _late(check: registry.Check, component: Component, function: Function, request: Expr,
          used: set[str]) -> Iterator[Finding]:
    targets = assigned_to(function)
    for call in function.calls:
        if call.line <= request.line or not _prepares(component, call, function):
            continue
        target = targets.get(id(call))
        if _PREPARES.fullmatch(call.name):
            what = target.text if target is not None else (call.args[0].text if call.args else "")
            name = tail(normal_key(what))
            matters = name in used
            if call.name.endswith("set_drvdata"):
                matters = bool(used & {"platform_get_drvdata", "dev_get_drvdata",
                                       "pci_get_drvdata"})
        else:
            name = call.name
            inner = component.function(call.name, function.path)
            names = {tail(normal_key(c.args[0].text)) for c in inner.calls
                     if _PREPARES.fullmatch(c.name) and c.args} if inner is not None else set()
            matters = bool(names & used)
        if matters:
            yield check.finding(
                f"{request.name}() comes before {call.name}() at line {call.line} has set up "
                f"{name}", file=function.path, line=request.line)
            return


def _prepares(component: Component, call: Expr, near: Function) -> bool:
    if _PREPARES.fullmatch(call.name):
        return True
    inner = component.function(call.name, near.path) if call.kids[0].kind == "id" else None
    return inner is not None and any(
        re.match(r"tasklet_|spin_lock_init|init_completion|mutex_init|init_waitqueue|INIT_",
                 c.name) for c in inner.calls)


@registry.check(
    "register-before-ready", scope="code", severity="error",
    rule="Algorithms are registered last in probe and unregistered first in remove.",
    why="From the moment of registration requests arrive, the self-tests among them; until the "
        "last user is gone they keep coming.",
    fix="move the registration to the end of probe, the removal to the start of remove",
)
def register_before_ready(component: Component) -> Iterator[Finding]:
    """Set-up after registration in probe, tear-down before it in remove."""
    check = registry.get("register-before-ready")
    summaries = Summaries(component)
    for probe in component.functions_with_role("probe"):
        registered = _first_call(component, summaries, probe, _REGISTERS)
        if registered is None:
            continue
        late = next((c for c in probe.calls if c.line > registered.line and (
            c.name in _REQUEST_IRQ or re.fullmatch(
                r"crypto_engine_start|tasklet_init|tasklet_setup|init_completion|spin_lock_init|"
                r"clk_prepare_enable|crypto_engine_alloc_init\w*|"
                r"mutex_init|init_waitqueue_head|crypto_init_queue|reset_control_deassert",
                c.name)) and not _is_in_error_path(probe, c)), None)
        if late is not None:
            yield check.finding(f"algorithms are registered before {late.name}() at line "
                                f"{late.line}", file=probe.path, line=registered.line)
    for remove in component.functions_with_role("remove", "remove_new"):
        gone = _first_call(component, summaries, remove, _UNREGISTERS)
        early = _first_call(component, summaries, remove, _TEARDOWN, unless=_UNREGISTERS)
        if gone is not None and early is not None and early.line < gone.line:
            yield check.finding(f"{early.name}() comes before the algorithms are unregistered at "
                                f"line {gone.line}", file=remove.path, line=early.line)


def _is_in_error_path(function: Function, call: Expr) -> bool:
    returns = [s.line for s in function.statements if s.kind == "return"]
    labels = [s.line for s in function.statements if s.kind == "label"]
    return any(label < call.line for label in labels) and any(r > call.line for r in returns)


def _first_call(component: Component, summaries: Summaries, function: Function,
                pattern: re.Pattern[str], unless: re.Pattern[str] | None = None) -> Expr | None:
    """The first call that is, or leads to, one of the functions."""
    for call in function.calls:
        if pattern.fullmatch(call.name):
            return call
        inner = component.function(call.name, function.path) \
            if call.kids[0].kind == "id" else None
        if inner is None:
            continue
        names = summaries.reached_names(inner)
        if any(pattern.fullmatch(n) for n in names) and not (
                unless is not None and any(unless.fullmatch(n) for n in names)):
            return call
    return None


_KEPT = frozenset({"device node", "firmware", "memory", "page", "pool memory", "request",
                   "clock handle", "PCI regions", "mapping", "scatterlist mapping"})


@registry.check(
    "remove-missing", scope="code", severity="error",
    rule="What probe (or module init) takes for the driver's life is given back in remove (or "
         "module exit).",
    why="After an unbind the interrupt, clock or algorithm still points into freed memory; the "
        "next probe or request crashes.",
    fix="undo it in remove, in the reverse order of probe, or use the devm_ variant",
)
def remove_missing(component: Component) -> Iterator[Finding]:
    """Resources taken on the way of probe whose release nothing on the way of remove calls.

    Algorithms may stay until module exit: devices share them, and who uses a transform
    holds the module, not the device.
    """
    check = registry.get("remove-missing")
    summaries = Summaries(component)
    for begins, ends in (("probe", ("remove", "remove_new")), ("init", ("exit",)),
                         ("init_tfm", ("exit_tfm",)), ("cra_init", ("cra_exit",))):
        for struct, starts, stops in _pairs(component, begins, ends):
            for start in starts:
                yield from _unreleased(check, component, summaries, start, stops, struct)


def _pairs(component: Component, begins: str,
           ends: tuple[str, ...]) -> Iterator[tuple[str, list[Function], list[Function]]]:
    """Functions that share a struct variable: what begins and what ends its life."""
    owners: dict[tuple[str, str, str], dict[str, list[Function]]] = {}
    for name, roles in component.roles.items():
        for role in roles:
            function = component.function(name, role.path)
            if function is not None and role.field in (begins, *ends):
                key = (role.struct_name, role.variable, role.path)
                field = begins if role.field == begins else "end"
                owners.setdefault(key, {}).setdefault(field, []).append(function)
    seen: set[tuple[int, ...]] = set()
    for (struct, _, _), found in owners.items():
        starts, stops = found.get(begins, []), found.get("end", [])
        both = tuple(sorted({id(f) for f in (*starts, *stops)}))
        ours = struct.endswith(("skcipher_alg", "aead_alg")) if begins == "init" else True
        if starts and both not in seen and ours:
            seen.add(both)
            yield struct, starts, stops
    if begins == "init":
        yield from _module_pairs(component)


def _module_pairs(component: Component) -> Iterator[tuple[str, list[Function], list[Function]]]:
    for unit in component.units.values():
        by_name = {c.name: c.arguments[-1] for c in unit.pre.calls if c.arguments}
        entry = by_name.get("module_init") or by_name.get("module_cpu_feature_match", "")
        start = component.function(entry, unit.path)
        stop = component.function(by_name.get("module_exit", ""), unit.path)
        if start is not None and stop is not None:
            yield "module", [start], [stop]


def _unreleased(check: registry.Check, component: Component, summaries: Summaries,
                start: Function, stops: list[Function], struct: str) -> Iterator[Finding]:
    released: set[str] = set()
    for stop in stops:
        released |= summaries.reached_names(stop)
    leaves = [f for *_, exits in _module_pairs(component) for f in exits]
    at_exit = {name for leave in leaves for name in summaries.reached_names(leave)
               if _UNREGISTERS.fullmatch(name)}
    reached = contexts_of(component).reachable(start)
    own = {name for f, _ in reached.values() for c in f.calls for name in (c.name,)}
    actions = {a.name for f, _ in reached.values() for c in f.calls
               if c.name.startswith("devm_add_action") for a in c.args if a.kind == "id"}
    for name in actions:
        target = component.function(name)
        if target is not None:
            released |= summaries.reached_names(target)
    for function, _ in reached.values():
        for call in function.calls:
            resource = _BY_TAKE.get(call.name)
            if resource is None or resource.kind in _KEPT:
                continue
            if released & set(resource.releases) and not _other_global(
                    component, call, resource, stops):
                continue
            if call.name.replace("_register_", "_unregister_") in at_exit:
                continue
            if resource.kind in ("runtime PM reference", "clock", "clocks") \
                    and _is_given_back_here(function, resource):
                continue
            if resource.kind in ("interrupt",) and "devm" in call.name:
                continue
            if struct in ("",) or not own:
                continue
            if stops:
                where = f"{stops[0].name}() does not give it back"
            else:
                where = f"struct {struct} has no {'exit' if 'init' in struct else 'remove'}"
            yield check.finding(f"{resource.kind} taken by {call.name}() for {start.name}(): "
                                f"{where}", file=function.path, line=call.line)


def _other_global(component: Component, call: Expr, resource: Resource,
                  stops: list[Function]) -> bool:
    """Whether a global object is taken, and only other global objects are given back."""
    if resource.key < 0 or resource.key >= len(call.args):
        return False
    key = normal_key(call.args[resource.key].text)
    if key not in component.globals:
        return False
    given: set[str] = set()
    for stop in stops:
        for function, _ in contexts_of(component).reachable(stop).values():
            for release in function.calls:
                position = resource.releases.get(release.name, -1)
                if 0 <= position < len(release.args):
                    given.add(normal_key(release.args[position].text))
    return bool(given) and given <= component.globals.keys() and key not in given


_BY_TAKE: dict[str, Resource] = {name: r for r in RESOURCES for name in r.takes}


def _is_given_back_here(function: Function, resource: Resource) -> bool:
    first_label = min((s.line for s in function.statements if s.kind == "label"), default=1 << 30)
    return any(c.name in resource.releases and c.line < first_label for c in function.calls)
