"""Algorithm flags: asynchronous, needs a fallback, allocates memory, driver only.

Source: include/linux/crypto.h (CRYPTO_ALG_*), Documentation/crypto/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.component import Component
from patchgen.checks.code.contexts import ALLOCATORS, REQUEST_CALLBACKS, contexts_of
from patchgen.checks.code.ir import Function
from patchgen.checks.code.rules.algorithms import Algorithm, algorithms, callbacks
from patchgen.findings import Finding

_COMPLETIONS = re.compile(
    r"crypto_finalize_\w+_request|(?:skcipher|ahash|aead|akcipher|kpp)_request_complete|"
    r"crypto_request_complete|crypto_transfer_\w+_request_to_engine"
)
_FALLBACK_ALLOC = re.compile(r"crypto_alloc_(?:sync_)?(?:skcipher|ahash|shash|aead|cipher|akcipher|"
                             r"acomp|comp|kpp)")


def _flagged(component: Component) -> Iterator[Algorithm]:
    for alg in algorithms(component):
        if "cra_name" in alg.members or "cra_driver_name" in alg.members:
            yield alg


def _flags_set_later(component: Component, flag: str) -> bool:
    """Whether code adds the flag to cra_flags at run time."""
    return any(
        e.kind == "assign" and e.kids[0].kind == "member" and e.kids[0].name == "cra_flags"
        and any(k.name == flag for k in e.kids[1].walk())
        for _, f in component.all_functions() for e in f.exprs
    )


def _request_functions(component: Component, alg: Algorithm) -> list[Function]:
    contexts = contexts_of(component)
    found: dict[int, Function] = {}
    for start in callbacks(component, alg, *REQUEST_CALLBACKS, "op.do_one_request",
                           "do_one_request"):
        found.update({k: f for k, (f, _) in contexts.reachable(start).items()})
    return list(found.values())


def _is_asynchronous(functions: list[Function]) -> bool:
    return any(
        e.kind == "unary" and e.text in ("-EINPROGRESS", "-EIOCBQUEUED")
        for f in functions for e in f.exprs
    ) or any(c.name.startswith("crypto_transfer_") for f in functions for c in f.calls)


@registry.check(
    "alg-async", scope="code", severity="error",
    rule="CRYPTO_ALG_ASYNC is set exactly when requests may complete later.",
    why="Without the flag, callers that cannot wait use the algorithm and take -EINPROGRESS for "
        "an error; with it but without completion, callers lose the synchronous users.",
    fix="set the flag and complete through the request's callback, or drop the flag",
)
def alg_async(component: Component) -> Iterator[Finding]:
    """The flag without any completion, and -EINPROGRESS without the flag."""
    check = registry.get("alg-async")
    completes = any(_COMPLETIONS.fullmatch(c.name) for _, f in component.all_functions()
                    for c in f.calls) or any(
        e.kind == "call" and e.kids[0].kind == "member" and e.kids[0].name == "complete"
        for _, f in component.all_functions() for e in f.exprs)
    for alg in _flagged(component):
        if not alg.kind.startswith(("skcipher", "ahash", "aead")):
            continue
        flag = "CRYPTO_ALG_ASYNC" in alg.flags
        functions = _request_functions(component, alg)
        if flag and not completes and functions:
            yield check.finding(f"{alg.name} says CRYPTO_ALG_ASYNC, but nothing completes a "
                                "request later", file=alg.unit.path, line=alg.line_of("cra_flags"))
        elif not flag and functions and _is_asynchronous(functions) \
                and not _flags_set_later(component, "CRYPTO_ALG_ASYNC"):
            yield check.finding(f"{alg.name} returns -EINPROGRESS, but lacks CRYPTO_ALG_ASYNC",
                                file=alg.unit.path, line=alg.line_of("cra_flags"))


@registry.check(
    "alg-need-fallback", scope="code", severity="error",
    rule="CRYPTO_ALG_NEED_FALLBACK is set exactly when the algorithm allocates a fallback.",
    why="With the flag, users that ask for algorithms without fallback are refused for nothing; "
        "without it, a fallback may be the driver's own algorithm: endless recursion.",
    fix="set the flag together with the allocation, and give it in the mask of the allocation",
)
def alg_need_fallback(component: Component) -> Iterator[Finding]:
    """The flag without an allocation in init, and the reverse."""
    check = registry.get("alg-need-fallback")
    allocates = any(_FALLBACK_ALLOC.fullmatch(c.name) for _, f in component.all_functions()
                    for c in f.calls)
    for alg in _flagged(component):
        flag = "CRYPTO_ALG_NEED_FALLBACK" in alg.flags
        if flag and not allocates:
            yield check.finding(f"{alg.name} says CRYPTO_ALG_NEED_FALLBACK, but nothing allocates "
                                "one", file=alg.unit.path, line=alg.line_of("cra_flags"))
            continue
        if flag or _flags_set_later(component, "CRYPTO_ALG_NEED_FALLBACK"):
            continue
        for init in callbacks(component, alg, "init", "cra_init", "init_tfm"):
            if _allocates_same(component, init):
                yield check.finding(f"{alg.name} allocates a fallback, but lacks "
                                    "CRYPTO_ALG_NEED_FALLBACK", file=alg.unit.path,
                                    line=alg.line_of("cra_flags"))
                break


def _allocates_same(component: Component, init: Function) -> bool:
    """Whether init allocates its own algorithm with CRYPTO_ALG_NEED_FALLBACK in the mask."""
    for function, _ in contexts_of(component).reachable(init).values():
        for call in function.calls:
            if _FALLBACK_ALLOC.fullmatch(call.name) and len(call.args) == 3 and any(
                    e.name == "CRYPTO_ALG_NEED_FALLBACK" for e in call.args[2].walk()) and (
                    re.search(r"tfm_alg_name|cra_name", call.args[0].text)
                    or _named_by_own(function, call.args[0].text)):
                return True
    return False


@registry.check(
    "fallback-mask", scope="code", severity="error",
    rule="A fallback is allocated with CRYPTO_ALG_NEED_FALLBACK in the mask.",
    why="Without it the API may hand the driver its own algorithm, or another one that needs a "
        "fallback: recursion until the stack ends.",
    fix="write crypto_alloc_…(name, 0, CRYPTO_ALG_NEED_FALLBACK)",
)
def fallback_mask(component: Component) -> Iterator[Finding]:
    """Allocations of the transform's own name without the mask."""
    check = registry.get("fallback-mask")
    flagged = any("CRYPTO_ALG_NEED_FALLBACK" in a.flags for a in _flagged(component))
    for _, function in component.all_functions():
        for call in function.calls:
            if not _FALLBACK_ALLOC.fullmatch(call.name) or len(call.args) != 3 \
                    or call.name in component.functions:
                continue
            own_name = re.search(r"crypto_tfm_alg_name|cra_name|alg_name", call.args[0].text) \
                or _named_by_own(function, call.args[0].text)
            masked = "CRYPTO_ALG_NEED_FALLBACK" in call.args[2].text
            if own_name and flagged and not masked and call.args[2].text.isupper() | (
                    call.args[2].text == "0"):
                yield check.finding(f"the fallback's mask is {call.args[2].text}",
                                    file=function.path, line=call.line)


def _named_by_own(function: Function, name: str) -> bool:
    return any(v.name == name and v.init is not None
               and re.search(r"alg_name|cra_name", v.init.text) for v in function.locals)


@registry.check(
    "alg-allocates-memory", scope="code", severity="error",
    rule="An algorithm whose request path allocates memory says CRYPTO_ALG_ALLOCATES_MEMORY.",
    why="dm-crypt in the path of memory reclaim asks for algorithms that do not allocate; one "
        "that does anyway can deadlock the machine under memory pressure.",
    fix="add the flag, or allocate when the transform is set up",
)
def alg_allocates_memory(component: Component) -> Iterator[Finding]:
    """Allocators reached from the request callbacks of an algorithm without the flag."""
    check = registry.get("alg-allocates-memory")
    if _flags_set_later(component, "CRYPTO_ALG_ALLOCATES_MEMORY"):
        return
    for alg in _flagged(component):
        if not alg.kind.startswith(("skcipher", "ahash", "aead")) \
                or "CRYPTO_ALG_ALLOCATES_MEMORY" in alg.flags or not alg.flags:
            continue
        for function in _request_functions(component, alg):
            call = next((c for c in function.calls if c.name in ALLOCATORS
                         and not c.name.startswith(("devm_", "idr_"))
                         and c.name not in component.functions), None)
            if call is not None:
                yield check.finding(
                    f"{alg.name} calls {call.name}() for a request (line {call.line} of "
                    f"{function.path.rpartition('/')[2]}), but lacks CRYPTO_ALG_ALLOCATES_MEMORY",
                    file=alg.unit.path, line=alg.line_of("cra_flags"))
                break


@registry.check(
    "alg-kern-driver-only", scope="code", severity="warning",
    rule="An algorithm that only a kernel driver can offer says CRYPTO_ALG_KERN_DRIVER_ONLY.",
    why="User space (AF_ALG, cryptodev) takes algorithms without the flag for something it could "
        "do itself with the CPU's instructions, and passes the hardware by.",
    fix="add CRYPTO_ALG_KERN_DRIVER_ONLY to cra_flags",
)
def alg_kern_driver_only(component: Component) -> Iterator[Finding]:
    """Asynchronous algorithms of components that use DMA, without the flag."""
    check = registry.get("alg-kern-driver-only")
    dma = {"dma_map_sg", "dma_map_single", "dma_map_page", "dma_alloc_coherent",
           "dmam_alloc_coherent", "dma_map_sgtable"} & component.callers.keys()
    if not dma or _flags_set_later(component, "CRYPTO_ALG_KERN_DRIVER_ONLY"):
        return
    for alg in _flagged(component):
        if "CRYPTO_ALG_ASYNC" in alg.flags and "CRYPTO_ALG_KERN_DRIVER_ONLY" not in alg.flags:
            yield check.finding(f"{alg.name} lacks CRYPTO_ALG_KERN_DRIVER_ONLY",
                                file=alg.unit.path, line=alg.line_of("cra_flags"))
