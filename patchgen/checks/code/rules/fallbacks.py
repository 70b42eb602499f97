"""Software fallbacks: keyed with the right flags, given a callback, room in the request.

Source: include/crypto/skcipher.h, include/crypto/hash.h, Documentation/crypto/api-samples.rst.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.component import Component
from patchgen.checks.code.contexts import contexts_of
from patchgen.checks.code.ir import Expr, Function
from patchgen.checks.code.lvalue_types import lvalue_type
from patchgen.checks.code.lvalues import normal_key
from patchgen.checks.code.rules.algorithms import algorithms, callbacks
from patchgen.findings import Finding

_SETKEY = re.compile(r"crypto_(sync_skcipher|skcipher|ahash|shash|aead|cipher)_setkey")
_FALLBACK_NAME = re.compile(r"fallback|fbk|\bfb\b|sw_|soft|_sw\b|cipher_fb|fb_tfm|tfm_fb", re.I)


@registry.check(
    "fallback-flags", scope="code", severity="error",
    rule="The request flags of the outer transform are handed to the fallback before it is keyed.",
    why="Without them the fallback does not refuse weak keys when it should, and may sleep when "
        "it must not.",
    fix="call crypto_…_clear_flags(fallback, CRYPTO_TFM_REQ_MASK) and crypto_…_set_flags() with "
        "the outer transform's flags before crypto_…_setkey()",
)
def fallback_flags(component: Component) -> Iterator[Finding]:
    """setkey callbacks that key a fallback without setting its flags."""
    check = registry.get("fallback-flags")
    for _, function in component.all_functions():
        for call in function.calls:
            match = _SETKEY.fullmatch(call.name)
            if match is None or not call.args or match[1] == "shash" \
                    or not _FALLBACK_NAME.search(call.args[0].text):
                continue
            kind = match[1]
            names = {c.name for c in function.calls if c.line <= call.line}
            missing = [f"crypto_{kind}_{verb}_flags" for verb in ("clear", "set")
                       if f"crypto_{kind}_{verb}_flags" not in names]
            if missing:
                yield check.finding(f"{call.args[0].text} is keyed without {missing[0]}()",
                                    file=function.path, line=call.line)


@registry.check(
    "fallback-callback", scope="code", severity="error",
    rule="A request that is given a transform is given a callback and flags as well.",
    why="The memory of a request context is not cleared: stale flags let the software version "
        "sleep, and an asynchronous one calls whatever the callback field holds.",
    fix="call …_request_set_callback(request, flags of the outer request, its callback, its data)",
)
def fallback_callback(component: Component) -> Iterator[Finding]:
    """…_request_set_tfm() without …_request_set_callback() on the same request."""
    check = registry.get("fallback-callback")
    for _, function in component.all_functions():
        for call in function.calls:
            match = re.fullmatch(r"(skcipher|ahash|aead)_request_set_(?:sync_)?tfm", call.name)
            if match is None or not call.args:
                continue
            wanted = normal_key(call.args[0].text)
            given = any(
                c.name == f"{match[1]}_request_set_callback" and c.args
                and normal_key(c.args[0].text) == wanted for c in function.calls
            )
            copied = any(c.name in ("memcpy",) and c.args and normal_key(c.args[0].text) == wanted
                         for c in function.calls)
            helper = any(
                (target := component.function(c.name, function.path)) is not None
                and any(normal_key(a.text) == wanted for a in c.args)
                and any(k.name == f"{match[1]}_request_set_callback" for k in target.calls)
                for c in function.calls if c.kids[0].kind == "id"
            )
            whole = any(e.kind == "assign" and e.kids[0].text in (f"*{wanted}", wanted)
                        and e.kids[1].kind == "unary" for e in function.exprs)
            if given or copied or helper or whole:
                continue
            flags = any(e.kind == "assign" and e.kids[0].text.endswith("base.flags")
                        and normal_key(e.kids[0].text).startswith(wanted)
                        for e in function.exprs)
            yield check.finding(
                f"{call.args[0].text} gets no callback" + (
                    ", only flags: an asynchronous fallback never completes it" if flags else ""),
                severity="warning" if flags else None, file=function.path, line=call.line)


@registry.check(
    "fallback-reqsize", scope="code", severity="error",
    rule="The request size of a transform with a fallback request inside includes what the "
         "fallback needs.",
    why="The fallback writes its own context behind its request: past the end of the allocation "
        "when it was not counted.",
    fix="add crypto_…_reqsize(fallback) to the size given to crypto_…_set_reqsize()",
)
def fallback_reqsize(component: Component) -> Iterator[Finding]:
    """init callbacks that allocate a fallback and set a size without asking it."""
    check = registry.get("fallback-reqsize")
    for _, function in component.all_functions():
        for kind in ("skcipher", "ahash", "aead"):
            taken = function.calls_to(f"crypto_alloc_{kind}")
            sizes = [c for c in function.calls if re.fullmatch(
                rf"crypto_{kind}_set_reqsize(?:_dma)?|crypto_hash_set_reqsize", c.name)]
            asks = function.calls_to(f"crypto_{kind}_reqsize")
            if taken and sizes and not asks and _embeds(component, kind):
                yield check.finding("the size leaves no room for the fallback's context",
                                    file=function.path, line=sizes[0].line)
            elif taken and not sizes and not asks and _embeds(component, kind) and not \
                    _sized_elsewhere(component, function, kind):
                yield check.finding("no request size is set that counts the fallback",
                                    file=function.path, line=taken[0].line)


def _embeds(component: Component, kind: str) -> bool:
    """Whether a struct of the component holds a request of this kind by value."""
    return any(f.type.struct_name == f"{kind}_request" and not f.type.pointer
               for s in component.structs.values() for f in s.fields)


def _sized_elsewhere(component: Component, function: Function, kind: str) -> bool:
    names = (f"crypto_{kind}_reqsize", f"crypto_{kind}_set_reqsize", "crypto_ahash_set_reqsize")
    return any(f is not function and f.calls_to(*names) for _, f in component.all_functions())


@registry.check(
    "fallback-last-member", scope="code", severity="error",
    rule="A fallback request is the last member of the request context.",
    why="The fallback's own context begins right behind its request, over whatever member "
        "follows.",
    fix="move the request to the end of the struct",
)
def fallback_last_member(component: Component) -> Iterator[Finding]:
    """Structs with a request by value that is followed by other members."""
    check = registry.get("fallback-last-member")
    for struct in component.structs.values():
        if struct.path not in component.units or struct.kind != "struct":
            continue
        for member, following in zip(struct.fields, struct.fields[1:], strict=False):
            name = member.type.struct_name or ""
            if name in ("skcipher_request", "ahash_request", "aead_request") \
                    and not member.type.pointer and not member.type.dims:
                yield check.finding(f"{member.name} is followed by {following.name or 'a union'}",
                                    file=struct.path, line=member.line)


@registry.check(
    "request-misplaced", scope="code", severity="error",
    rule="A request lives in a member of its own type, not in memory cast to it.",
    why="A request inside an array of bytes or words starts at any offset: misaligned, it and the "
        "context behind it trap on some CPUs and tear on others.",
    fix="make it the last member of the request context",
)
def request_misplaced(component: Component) -> Iterator[Finding]:
    """Casts of members to requests."""
    check = registry.get("request-misplaced")
    wanted = {"skcipher_request", "ahash_request", "aead_request", "shash_desc"}
    for _, function in component.all_functions():
        for expr in function.exprs:
            if expr.kind != "cast" or expr.type is None or expr.type.pointer != 1 \
                    or expr.type.struct_name not in wanted:
                continue
            inner = expr.kids[0]
            member = inner.kind in ("member", "index") or (
                inner.kind == "unary" and inner.op == "&"
                and inner.kids[0].kind in ("member", "index"))
            if member and not _is_pointer_member(component, function, inner):
                yield check.finding(f"{inner.text} is cast to struct {expr.type.struct_name}",
                                    file=function.path, line=expr.line)


def _is_pointer_member(component: Component, function: Function, expr: Expr) -> bool:
    if expr.kind == "unary":
        return False
    kind = lvalue_type(component, function, expr)
    return kind is None or kind.is_pointer or (kind.base == "void")


@registry.check(
    "setkey-length", scope="code", severity="error",
    rule="A setkey callback refuses key lengths that lie inside the range but are none of the "
         "cipher's.",
    why="The API only checks min and max: 20 bytes pass for AES, and the engine runs with a size "
        "code that means nothing.",
    fix="use aes_check_keylen() or aes_expandkey(), a switch on the length, or return the "
        "fallback's answer",
)
def setkey_length(component: Component) -> Iterator[Finding]:
    """AES setkey callbacks in which nothing tests the length."""
    check = registry.get("setkey-length")
    done: set[int] = set()
    for alg in algorithms(component):
        if not alg.kind.startswith("skcipher") or "aes" not in alg.name \
                or alg.text("min_keysize") == alg.text("max_keysize"):
            continue
        for setkey in callbacks(component, alg, "setkey"):
            if id(setkey) in done or len(setkey.params) < 3:
                continue
            done.add(id(setkey))
            reached = [f for f, _ in contexts_of(component).reachable(setkey).values()]
            if not any(_tests_length(f) for f in reached):
                yield check.finding(f"{setkey.name}() takes any length of key",
                                    file=setkey.path, line=setkey.line)


def _tests_length(function: Function) -> bool:
    checkers = re.compile(r"aes_check_keylen|aes_expandkey|crypto_\w+_setkey|verify_skcipher_\w+|"
                          r"xts_(?:verify|check)_key|crypto_\w+_expandkey|ce_aes_expandkey|"
                          r"\w*expand_?key\w*|\w*check_key\w*|\w*keylen\w*")
    if any(checkers.fullmatch(c.name) for c in function.calls):
        return True
    lengths = {p.name for p in function.params if re.search(r"len|size|bits", p.name)}
    for stmt in function.statements:
        if stmt.kind in ("if", "switch") and stmt.expr is not None and any(
                e.kind == "id" and e.name in lengths for e in stmt.expr.walk()):
            return True
    return any(e.kind == "ternary" and any(k.name in lengths for k in e.kids[0].walk())
               for e in function.exprs)
