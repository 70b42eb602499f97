"""Nothing sleeps where it must not: under spinlocks, in interrupts, in request callbacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.cfg import Effect, Step
from patchgen.checks.code.component import Component
from patchgen.checks.code.contexts import Contexts, contexts_of, sleeps
from patchgen.checks.code.facts import Facts
from patchgen.checks.code.ir import Expr, Function
from patchgen.checks.code.lvalue_types import lvalue_type
from patchgen.checks.code.lvalues import normal_key
from patchgen.checks.code.paths import Trail, Walker
from patchgen.findings import Finding

_SPIN_TAKE = re.compile(r"(?:raw_)?(?:spin|read|write)_lock(?:_bh|_irq|_irqsave)?")
_SPIN_GIVE = re.compile(r"(?:raw_)?(?:spin|read|write)_unlock(?:_bh|_irq|_irqrestore)?")
_OTHER_TAKE = {"preempt_disable": "with preemption off", "local_irq_disable": "with interrupts "
               "off", "local_irq_save": "with interrupts off", "rcu_read_lock": "in an RCU "
               "section", "local_bh_disable": "with bottom halves off", "get_cpu": "with "
               "preemption off"}
_OTHER_GIVE = {"preempt_enable": "preempt_disable", "local_irq_enable": "local_irq_disable",
               "local_irq_restore": "local_irq_save", "rcu_read_unlock": "rcu_read_lock",
               "local_bh_enable": "local_bh_disable", "put_cpu": "get_cpu"}
_SIMD_TAKE = {"kernel_neon_begin", "kernel_fpu_begin", "enable_kernel_vsx", "enable_kernel_altivec",
              "kernel_vector_begin"}
_SIMD_GIVE = {"kernel_neon_end", "kernel_fpu_end", "disable_kernel_vsx", "disable_kernel_altivec",
              "kernel_vector_end"}
_MAY_SLEEP_IN_SIMD = re.compile(r"skcipher_walk_done|skcipher_walk_virt|skcipher_walk_aead_\w+|"
                                r"crypto_hash_walk_done|crypto_yield")

State = tuple[str, ...]


def _section(component: Component, call: Expr) -> tuple[str, str] | None:
    """What a call opens: the section's key, and how to speak of it."""
    name = call.name
    if _SPIN_TAKE.fullmatch(name) and call.args:
        key = normal_key(call.args[0].text)
        return f"lock {key}", f"with {key} held"
    if name in _OTHER_TAKE:
        return name, _OTHER_TAKE[name]
    if name in _SIMD_TAKE:
        if name == "kernel_neon_begin" and component.kernel.neon_sections_preemptible:
            return None
        return "simd", f"inside a {name}() section"
    return None


def _ends(call: Expr) -> str | None:
    name = call.name
    if _SPIN_GIVE.fullmatch(name) and call.args:
        return f"lock {normal_key(call.args[0].text)}"
    if name in _SIMD_GIVE:
        return "simd"
    return _OTHER_GIVE.get(name)


@registry.check(
    "sleep-in-atomic", scope="code", severity="error",
    rule="Nothing that may sleep is called with a spinlock held, in a tasklet, timer or "
         "interrupt, or inside a SIMD section that turns preemption off.",
    why="The scheduler would run with a lock held or preemption off: a deadlock or a crash, seen "
        "only when the allocation really has to wait.",
    fix="use GFP_ATOMIC, move the call out of the section, or use work items and mutexes",
)
def sleep_in_atomic(component: Component) -> Iterator[Finding]:
    """Walk paths with the open sections; look into functions called from them."""
    contexts = contexts_of(component)
    may = _Sleepers(component, contexts)
    seen: set[tuple[str, int]] = set()
    for _, function in component.all_functions():
        if any(_section(component, c) for c in function.calls):
            yield from _in_sections(component, function, may, seen)
    for _, function in component.all_functions():
        where = contexts.atomic.get(id(function))
        if where is not None:
            yield from _in_handler(contexts, function, where, seen)


def _in_handler(contexts: Contexts, start: Function, where: str,
                seen: set[tuple[str, int]]) -> Iterator[Finding]:
    check = registry.get("sleep-in-atomic")
    for function, way in contexts.reachable(start).values():
        for call in function.calls:
            why = sleeps(call)
            if why is None or (function.path, call.line) in seen:
                continue
            if re.match(r"crypto_(?:un)?register|debugfs|cond_resched", call.name):
                continue
            seen.add((function.path, call.line))
            through = f" (through {' > '.join(way)})" if len(way) > 1 else ""
            yield check.finding(f"{why}, but {start.name}() is {where}{through}",
                                file=function.path, line=call.line)


class _Sleepers:
    """Why a function of the component sleeps whenever it is called, found once each."""

    def __init__(self, component: Component, contexts: Contexts) -> None:
        self._component = component
        self._contexts = contexts
        self._known: dict[int, str | None] = {}

    def why(self, call: Expr, near: Function, depth: int = 0) -> str | None:
        """The reason a call may sleep, looking into the component's own functions."""
        reason = sleeps(call)
        if reason is not None or call.kids[0].kind != "id":
            return reason
        target = self._component.function(call.name, near.path)
        if target is None or depth > 4:
            return None
        if id(target) not in self._known:
            self._known[id(target)] = None
            self._known[id(target)] = self._inside(target, depth)
        inner = self._known[id(target)]
        return f"{call.name}() calls {inner}" if inner else None

    def _inside(self, function: Function, depth: int) -> str | None:
        unlocked = any(_ends(c) for c in function.calls)
        if unlocked:
            return None
        for call in function.calls:
            why = self.why(call, function, depth + 1)
            if why is not None:
                return f"{call.name}(), which may sleep"
        return None


def _in_sections(component: Component, function: Function, may: _Sleepers,
                 seen: set[tuple[str, int]]) -> Iterator[Finding]:
    found: dict[int, tuple[Expr, str, str]] = {}

    def effect(_: Step, what: Effect, state: State, _facts: Facts) -> State:
        if what.kind != "call":
            return state
        call = what.expr
        opened = _section(component, call)
        if opened is not None:
            return (*state, opened[0]) if opened[0] not in state else state
        closed = _ends(call)
        if closed is not None:
            return tuple(s for s in state if s != closed)
        if state and id(call) not in found:
            why = may.why(call, function)
            if why is None and "simd" in state and _MAY_SLEEP_IN_SIMD.fullmatch(call.name):
                return state
            if why is not None:
                found[id(call)] = (call, why, state[-1])
        return state

    def at_return(_: Step, __: State, ___: Facts, ____: Trail) -> None:
        return

    walker = Walker(component.graph(function), effect=effect, at_return=at_return)
    walker.walk(())
    check = registry.get("sleep-in-atomic")
    for call, why, section in found.values():
        if (function.path, call.line) not in seen:
            seen.add((function.path, call.line))
            yield check.finding(f"{why}, {_spoken(section)}", file=function.path, line=call.line)


def _spoken(section: str) -> str:
    if section.startswith("lock "):
        return f"but {section.removeprefix('lock ')} is held"
    return "inside a SIMD section" if section == "simd" else f"after {section}()"


@registry.check(
    "walk-in-simd", scope="code", severity="error",
    rule="skcipher_walk_done() and skcipher_walk_virt() are called outside SIMD sections when "
         "these turn preemption off.",
    why="The walk may allocate and sleep, and it maps pages; inside the section it does so with "
        "preemption off for as long as the request is.",
    fix="end the section before skcipher_walk_done() and begin it again for the next piece",
)
def walk_in_simd(component: Component) -> Iterator[Finding]:
    """Walk calls on paths with an open SIMD section."""
    check = registry.get("walk-in-simd")
    for _, function in component.all_functions():
        if not any(c.name in _SIMD_TAKE for c in function.calls) or not any(
                _MAY_SLEEP_IN_SIMD.fullmatch(c.name) for c in function.calls):
            continue
        found: dict[int, Expr] = {}

        def effect(_: Step, what: Effect, state: bool, __: Facts,
                   found: dict[int, Expr] = found) -> bool:
            if what.kind != "call":
                return state
            if what.expr.name in _SIMD_TAKE:
                return _section(component, what.expr) is not None
            if what.expr.name in _SIMD_GIVE:
                return False
            if state and _MAY_SLEEP_IN_SIMD.fullmatch(what.expr.name):
                found[id(what.expr)] = what.expr
            return state

        def at_return(_: Step, __: bool, ___: Facts, ____: Trail) -> None:
            return

        Walker(component.graph(function), effect=effect, at_return=at_return).walk(False)
        for call in found.values():
            yield check.finding(f"{call.name}() is called inside a SIMD section",
                                file=function.path, line=call.line)


@registry.check(
    "simd-unchecked", scope="code", severity="error",
    rule="A hash callback asks crypto_simd_usable() before it begins a SIMD section.",
    why="Hashes are also called with interrupts off, where the SIMD registers belong to whoever "
        "was interrupted.",
    fix="fall back to the generic function when crypto_simd_usable() says no",
)
def simd_unchecked(component: Component) -> Iterator[Finding]:
    """shash callbacks that reach kernel_neon_begin() without asking."""
    check = registry.get("simd-unchecked")
    contexts = contexts_of(component)
    asks = {"crypto_simd_usable", "may_use_simd", "irq_fpu_usable"}
    for _, start in component.all_functions():
        roles = component.roles_of(start)
        if not any(r.struct_name == "shash_alg" and r.field in (
                "update", "final", "finup", "digest") for r in roles):
            continue
        reached = [f for f, _ in contexts.reachable(start).values()]
        if any(c.name in asks for f in reached for c in f.calls):
            continue
        for function in reached:
            begin = next((c for c in function.calls if c.name in ("kernel_neon_begin",
                                                                  "kernel_fpu_begin")), None)
            if begin is not None:
                yield check.finding(f"{begin.name}() without crypto_simd_usable()",
                                    file=function.path, line=begin.line)
                break


@registry.check(
    "sleep-in-request", scope="code", severity="error",
    rule="A request callback of an algorithm never waits: it queues the request and returns "
         "-EINPROGRESS.",
    why="Requests come from softirq context too (IPsec, dm-crypt); waiting there deadlocks the "
        "CPU.",
    fix="complete the request from the interrupt or use the crypto engine framework",
)
def sleep_in_request(component: Component) -> Iterator[Finding]:
    """Sleeping calls reached from encrypt, decrypt, update, final, finup and digest."""
    check = registry.get("sleep-in-request")
    contexts = contexts_of(component)
    seen: set[tuple[str, int]] = set()
    for _, start in component.all_functions():
        callback = contexts.requests.get(id(start))
        if callback is None:
            continue
        for function, way in contexts.reachable(start).values():
            for call in function.calls:
                why = sleeps(call)
                if why is None or (function.path, call.line) in seen:
                    continue
                if "GFP_KERNEL" in why and _asks_permission(function):
                    continue
                if call.name in ("cond_resched", "crypto_wait_req") or call.name.startswith(
                        ("crypto_alloc", "crypto_register", "debugfs")):
                    continue
                seen.add((function.path, call.line))
                through = f" through {' > '.join(way)}" if len(way) > 1 else ""
                waits = call.name.startswith(("wait_", "mutex_", "down", "msleep", "usleep",
                                              "schedule", "ssleep", "flush"))
                yield check.finding(f"{why}, but {start.name}() is {callback}{through}",
                                    severity=None if waits else "warning",
                                    file=function.path, line=call.line)


def _asks_permission(function: Function) -> bool:
    return any(e.kind == "id" and e.name == "CRYPTO_TFM_REQ_MAY_SLEEP" for e in function.exprs)


@registry.check(
    "wait-without-timeout", scope="code", severity="error",
    rule="Waiting for hardware has a time limit.",
    why="When the interrupt is lost or the engine hangs, a wait without limit never returns: the "
        "caller and everything behind it hang until reboot.",
    fix="use the _timeout variant, reset the engine and return -ETIMEDOUT when it expires",
)
def wait_without_timeout(component: Component) -> Iterator[Finding]:
    """wait_event() and wait_for_completion() without limit, in functions that serve requests."""
    check = registry.get("wait-without-timeout")
    contexts = contexts_of(component)
    served: dict[int, Function] = {}
    for _, start in component.all_functions():
        if id(start) in contexts.requests or contexts.threads.get(id(start)) == \
                "the crypto engine's thread":
            served.update({k: f for k, (f, _) in contexts.reachable(start).items()})
    for function in served.values():
        for call in function.calls:
            if call.name in ("wait_event", "wait_for_completion", "wait_event_interruptible",
                             "wait_for_completion_interruptible", "wait_event_killable"):
                yield check.finding(f"{call.name}() has no time limit", file=function.path,
                                    line=call.line)


@registry.check(
    "lock-against-interrupt", scope="code", severity="error",
    rule="A spinlock that an interrupt handler or tasklet takes is taken elsewhere with that "
         "context shut out.",
    why="The interrupt may come while the lock is held on the same CPU, and then spins for ever.",
    fix="use spin_lock_irqsave() for locks of interrupts, spin_lock_bh() for locks of tasklets",
)
def lock_against_interrupt(component: Component) -> Iterator[Finding]:
    """Plain spin_lock() of a lock that a reachable handler or softirq path takes as well."""
    check = registry.get("lock-against-interrupt")
    contexts = contexts_of(component)
    taken: dict[str, list[tuple[Function, str]]] = {}
    inside: set[int] = set()
    for _, start in component.all_functions():
        where = contexts.atomic.get(id(start))
        if where is None:
            continue
        for key, (function, _) in contexts.reachable(start).items():
            inside.add(key)
            for call in function.calls:
                if _SPIN_TAKE.fullmatch(call.name) and call.args:
                    name = _lock_name(component, function, call)
                    taken.setdefault(name, []).append((start, where))
    for _, function in component.all_functions():
        if id(function) in inside:
            continue
        for call in function.calls:
            if not _SPIN_TAKE.fullmatch(call.name) or not call.args:
                continue
            for start, where in taken.get(_lock_name(component, function, call), ()):
                weak = call.name.endswith("_lock") or (
                    call.name.endswith("_bh") and where == "an interrupt handler")
                near = component.is_one_module or start.path == function.path
                if weak and near and not _already_off(function, call, where):
                    yield check.finding(
                        f"{call.name}({call.args[0].text}) does not shut out {start.name}(), "
                        f"which is {where} and takes the lock too",
                        file=function.path, line=call.line)
                    break


def _lock_name(component: Component, function: Function, call: Expr) -> str:
    """The lock as ``struct owner.member``, or as it is written when its owner is unknown."""
    if not call.args:
        return ""
    lock = call.args[0]
    if lock.kind == "unary" and lock.op == "&":
        lock = lock.kids[0]
    if lock.kind != "member":
        return lock.text
    owner = lvalue_type(component, function, lock.kids[0])
    where = owner.struct_name if owner is not None and owner.struct_name else lock.kids[0].text
    return f"{where}.{lock.name}"


def _already_off(function: Function, call: Expr, where: str) -> bool:
    names = {"local_irq_disable", "local_irq_save"}
    if where != "an interrupt handler":
        names |= {"local_bh_disable"}
    outer = {"spin_lock_irqsave", "spin_lock_irq"} | (
        set() if where == "an interrupt handler" else {"spin_lock_bh"})
    return any(c.name in names | outer and c.line < call.line for c in function.calls)


@registry.check(
    "completion-bottom-half", scope="code", severity="warning",
    rule="A request is completed with bottom halves off.",
    why="Completion callbacks of the network stack expect softirq context; called from a thread "
        "they may deadlock against it.",
    fix="put local_bh_disable() and local_bh_enable() around the completion, or complete from a "
        "tasklet",
)
def completion_bottom_half(component: Component) -> Iterator[Finding]:
    """Completions in interrupt threads, work items and engine callbacks."""
    check = registry.get("completion-bottom-half")
    contexts = contexts_of(component)
    seen: set[int] = set()
    for _, start in component.all_functions():
        where = contexts.threads.get(id(start))
        if where is None:
            continue
        for function, way in contexts.reachable(start).values():
            off = any(c.name == "local_bh_disable" for c in function.calls) or any(
                c.name == "local_bh_disable" for c in start.calls)
            for call in function.calls:
                if off or id(call) in seen or not re.fullmatch(
                        r"crypto_finalize_\w+_request|\w+_request_complete|"
                        r"crypto_request_complete", call.name):
                    continue
                seen.add(id(call))
                through = f" through {' > '.join(way)}" if len(way) > 1 else ""
                yield check.finding(f"{call.name}() runs in {where}{through} with bottom halves "
                                    "on", file=function.path, line=call.line)
