"""In which context a function runs: may it sleep there?

Sources: Documentation/kernel-hacking/locking.rst, include/linux/crypto.h (a request may come
from softirq context unless CRYPTO_TFM_REQ_MAY_SLEEP is set), include/crypto/engine.h.
"""

from __future__ import annotations

import functools
import re

from patchgen.checks.code.component import Component
from patchgen.checks.code.ir import Expr, Function
from patchgen.checks.code.tokens import words

REQUEST_CALLBACKS = words("encrypt decrypt update final finup digest")
"""Members of algorithm structs that may be called in softirq context."""

ENGINE_CALLBACKS = words("do_one_request prepare_request unprepare_request do_one_op "
                         "prepare_cipher_request do_one_cipher_request prepare_hash_request "
                         "do_one_hash_request do_batch_requests")
"""Called from the crypto engine's own kernel thread, where sleeping is allowed."""

_ATOMIC_ARGUMENT: dict[str, tuple[int, str]] = {
    "request_irq": (1, "an interrupt handler"), "devm_request_irq": (2, "an interrupt handler"),
    "request_threaded_irq": (1, "an interrupt handler"),
    "devm_request_threaded_irq": (2, "an interrupt handler"),
    "devm_request_any_context_irq": (2, "an interrupt handler"),
    "tasklet_init": (1, "a tasklet"), "tasklet_setup": (1, "a tasklet"),
    "timer_setup": (1, "a timer"), "setup_timer": (1, "a timer"),
    "hrtimer_setup": (1, "a timer"), "call_rcu": (1, "an RCU callback"),
    "init_timer_deferrable": (1, "a timer"),
}
_THREAD_ARGUMENT: dict[str, tuple[int, str]] = {
    "request_threaded_irq": (2, "an interrupt thread"),
    "devm_request_threaded_irq": (3, "an interrupt thread"),
    "INIT_WORK": (1, "a work item"), "INIT_DELAYED_WORK": (1, "a work item"),
    "kthread_run": (0, "a kernel thread"), "kthread_create": (0, "a kernel thread"),
    "kthread_init_work": (1, "a kernel thread"),
}

SLEEPING = re.compile(
    r"mutex_lock(?:_interruptible|_killable|_nested)?|msleep(?:_interruptible)?|ssleep|"
    r"usleep_range(?:_state)?|fsleep|schedule(?:_timeout\w*)?|cond_resched|might_sleep|"
    r"wait_event(?:_interruptible|_killable|_timeout|_interruptible_timeout|_freezable)?|"
    r"wait_for_completion(?:_\w+)?|down(?:_interruptible|_killable|_timeout|_read|_write)?|"
    r"vmalloc|vzalloc|kvmalloc|kvzalloc|crypto_wait_req|synchronize_(?:rcu|irq|net)|"
    r"flush_work(?:queue)?|cancel_work_sync|cancel_delayed_work_sync|disable_irq|"
    r"clk_prepare(?:_enable)?|clk_disable_unprepare|clk_unprepare|clk_set_rate|"
    r"pm_runtime_get_sync|pm_runtime_resume_and_get|pm_runtime_put_sync|regulator_\w+able|"
    r"request_firmware|copy_(?:from|to)_user|free_irq|request_irq|request_threaded_irq|"
    r"crypto_alloc_\w+|crypto_(?:un)?register_\w+|kthread_stop|read_poll_timeout|"
    r"readl_poll_timeout|readl_relaxed_poll_timeout|readq_poll_timeout|readw_poll_timeout|"
    r"regmap_read_poll_timeout|dma_request_chan|dma_pool_create|debugfs_create_\w+"
)
"""Functions that may sleep whatever they are given."""

ALLOCATORS: dict[str, int] = {
    "kmalloc": 1, "kzalloc": 1, "kcalloc": 2, "kmalloc_array": 2, "kmemdup": 2, "kstrdup": 1,
    "kmem_cache_alloc": 1, "kmem_cache_zalloc": 1, "dma_alloc_coherent": 3,
    "dma_pool_alloc": 1, "dma_pool_zalloc": 1, "__get_free_pages": 0, "__get_free_page": 0,
    "alloc_pages": 0, "alloc_page": 0, "get_zeroed_page": 0, "sg_alloc_table": 2,
    "sg_alloc_table_chained": 2, "ahash_request_alloc": 1, "skcipher_request_alloc": 1,
    "aead_request_alloc": 1, "akcipher_request_alloc": 1, "devm_kmalloc": 2, "devm_kzalloc": 2,
    "devm_kcalloc": 3, "kasprintf": 0, "mempool_alloc": 1, "idr_alloc": 4, "krealloc": 2,
    "alloc_skb": 1, "skb_clone": 1, "kvmalloc": 1, "kzalloc_node": 1, "kmalloc_node": 1,
}
"""Allocators, and which argument holds their GFP flags."""


def sleeps(call: Expr) -> str | None:
    """Why a call may sleep, None when it does not by itself."""
    if SLEEPING.fullmatch(call.name):
        if call.name.endswith(("_atomic", "_trylock")):
            return None
        return f"{call.name}() may sleep"
    position = ALLOCATORS.get(call.name)
    if position is not None and position < len(call.args):
        flags = {e.name for e in call.args[position].walk() if e.kind == "id"}
        if flags & {"GFP_KERNEL", "GFP_USER", "GFP_KERNEL_ACCOUNT"} \
                and call.args[position].kind != "ternary":
            return f"{call.name}() with GFP_KERNEL may sleep"
    return None


class Contexts:
    """Contexts of the functions of a component, found through who is called by whom."""

    def __init__(self, component: Component) -> None:
        self._component = component
        self.atomic: dict[int, str] = {}
        self.threads: dict[int, str] = {}
        self.requests: dict[int, str] = {}
        self._collect_roles()
        self._collect_arguments()

    def _collect_roles(self) -> None:
        for _, function in self._component.all_functions():
            for role in self._component.roles_of(function):
                if role.field in ENGINE_CALLBACKS:
                    self.threads[id(function)] = "the crypto engine's thread"
                elif role.field in REQUEST_CALLBACKS and (
                    role.struct_name.endswith(("_alg", "alg_common", "")) and re.search(
                        r"skcipher|ahash|aead|akcipher|kpp|cipher_alg|crypto_alg",
                        role.struct_name)
                ):
                    self.requests[id(function)] = f"{role.struct_name}.{role.field}"
                elif role.field == "callback" and role.struct_name == "tasklet_struct":
                    self.atomic[id(function)] = "a tasklet"
                elif role.field == "function" and role.struct_name == "timer_list":
                    self.atomic[id(function)] = "a timer"

    def _collect_arguments(self) -> None:
        for _, function in self._component.all_functions():
            for call in function.calls:
                for table, into in ((_ATOMIC_ARGUMENT, self.atomic),
                                    (_THREAD_ARGUMENT, self.threads)):
                    entry = table.get(call.name)
                    if entry is None or entry[0] >= len(call.args):
                        continue
                    argument = call.args[entry[0]]
                    if argument.kind == "unary":
                        argument = argument.kids[0]
                    target = self._component.function(argument.name, function.path)
                    if target is not None:
                        into.setdefault(id(target), entry[1])
            for expr in function.exprs:
                if expr.kind == "assign" and expr.kids[0].kind == "member":
                    self._stored(expr, function)

    def _stored(self, expr: Expr, function: Function) -> None:
        value = expr.kids[1]
        if value.kind == "unary" and value.op == "&":
            value = value.kids[0]
        if value.kind != "id":
            return
        target = self._component.function(value.name, function.path)
        if target is None:
            return
        if expr.kids[0].name in ENGINE_CALLBACKS:
            self.threads.setdefault(id(target), "the crypto engine's thread")
        elif expr.kids[0].name in ("encrypt", "decrypt") and target.name not in ("",):
            self.requests.setdefault(id(target), f"the {expr.kids[0].name} callback")

    def reachable(self, start: Function) -> dict[int, tuple[Function, tuple[str, ...]]]:
        """The functions that a call of ``start`` reaches directly, with the way there.

        Calls that hand the work to a thread or a queue end the way, because their callbacks
        are only named, not called.
        """
        found: dict[int, tuple[Function, tuple[str, ...]]] = {id(start): (start, (start.name,))}
        todo = [start]
        while todo:
            function = todo.pop()
            way = found[id(function)][1]
            for call in function.calls:
                if call.kids[0].kind != "id":
                    continue
                target = self._component.function(call.name, function.path)
                if target is not None and id(target) not in found and id(target) not in \
                        self.threads and len(way) < 8:
                    found[id(target)] = (target, (*way, target.name))
                    todo.append(target)
        return found


@functools.lru_cache(maxsize=8)
def contexts_of(component: Component) -> Contexts:
    """The contexts of a component, worked out once."""
    return Contexts(component)
