"""Secrets: wiped from the stack and from freed memory, compared in constant time.

Source: include/linux/string.h (memzero_explicit), mm/slab_common.c (kfree_sensitive),
include/crypto/algapi.h (crypto_memneq).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.cfg import Effect, Step
from patchgen.checks.code.component import Component
from patchgen.checks.code.contexts import contexts_of
from patchgen.checks.code.facts import Facts
from patchgen.checks.code.ir import Function, Type, Var
from patchgen.checks.code.lvalue_types import lvalue_type
from patchgen.checks.code.lvalues import normal_key, tail
from patchgen.checks.code.paths import Trail, Walker
from patchgen.checks.code.rules.algorithms import algorithms, callbacks
from patchgen.findings import Finding

_KEY_STRUCTS = frozenset({"crypto_aes_ctx", "des_ctx", "des3_ede_ctx", "crypto_authenc_keys",
                          "crypto_sm4_ctx", "sm4_ctx", "crypto_des3_ede_ctx", "aesti_ctx",
                          "blowfish_ctx", "cast5_ctx"})
_KEY_NAME = re.compile(
    r"(?:.*_)?(?:key|keys|secret|ipad|opad|kipad|k_pad|subkey|subkeys|rk|key_?enc|key_?dec|"
    r"round_?keys?|passphrase|hash_?key|keyword|key_?buf|key_?copy|tmp_?key|aes_?key|"
    r"enc_?key|dec_?key|key_?tmp|des_?key|skey|rkey|exp_?key|expanded_?key|ks)\d*", re.I)
_NOT_KEY = re.compile(r"(?:.*_)?pub(?:lic)?_?.*|"
                      r".*(?:len|size|bits|id|type|slot|words|dma|phys|mode|num|idx)$", re.I)
_WIPES = frozenset({"memzero_explicit"})


def _is_secret(component: Component, var: Var) -> bool:
    kind = var.type
    if kind.pointer or "static" in var.storage or kind.const:
        return False
    if kind.struct_name in _KEY_STRUCTS:
        return True
    if kind.dims:
        return _KEY_NAME.fullmatch(var.name) is not None and _NOT_KEY.fullmatch(
            var.name) is None and kind.base in ("u8", "u32", "u64", "__be32", "__le32", "__be64",
                                                "__le64", "unsigned char", "uint8_t",
                                                "uint32_t", "unsigned int", "__u8")
    struct = component.struct(kind.struct_name) if kind.struct_name else None
    return struct is not None and struct.path in component.units and any(
        f.type.dims and _KEY_NAME.fullmatch(f.name) for f in struct.fields)


@registry.check(
    "key-not-wiped", scope="code", severity="error",
    rule="Key material on the stack is wiped with memzero_explicit() on every path.",
    why="An expanded key that stays on the stack can be read by the next function that leaks "
        "uninitialised memory.",
    fix="call memzero_explicit(&variable, sizeof(variable)) before every return",
)
def key_not_wiped(component: Component) -> Iterator[Finding]:
    """Locals that hold keys, on paths from their first use to a return."""
    check = registry.get("key-not-wiped")
    for _, function in component.all_functions():
        for var in function.locals:
            if _is_secret(component, var):
                line = _unwiped(component, function, var)
                if line:
                    wiped = any(c.name in _WIPES and c.args and normal_key(
                        c.args[0].text) == var.name for c in function.calls)
                    how = "not wiped on the path that returns here" if wiped else "never wiped"
                    yield check.finding(f"{var.name} holds a key in {function.name}() and is {how}",
                                        file=function.path, line=line if wiped else var.line)


def _unwiped(component: Component, function: Function, var: Var) -> int:
    """The line of a return that the key reaches, 0 when there is none."""
    found: list[int] = []

    def effect(_: Step, what: Effect, state: str, __: Facts) -> str:
        if what.kind == "call":
            names = {normal_key(a.text) for a in what.expr.args}
            parts = {n.split(".")[0].split("[")[0] for n in names}
            if what.expr.name in _WIPES and var.name in names:
                return "clean"
            if var.name in names or var.name in parts:
                if what.expr.name in ("memset",) or what.expr.name.startswith(("dev_", "pr_")):
                    return state
                fails = re.fullmatch(r"\w*expand_?key\w*|des\w*_expand_key", what.expr.name)
                return "maybe" if fails else "dirty"
        if what.kind == "write" and re.match(rf"{re.escape(var.name)}\b", what.target):
            return "dirty"
        return state

    def branch(step: Step, truth: bool, state: str, _: Facts) -> str:
        if state != "maybe" or step.expr is None:
            return state
        failed = truth if step.expr.kind in ("id", "call") or step.expr.op in ("<", "!=") \
            else not truth
        return "failed" if failed else "dirty"

    def at_return(step: Step, state: str, _: Facts, trail: Trail) -> None:
        if state in ("dirty", "maybe"):
            jump = [s.line for s in trail() if s.kind == "goto"]
            found.append(step.line if step.expr is not None or not jump else jump[-1])

    Walker(component.graph(function), effect=effect, at_return=at_return,
           branch=branch).walk("clean")
    return min(found, default=0)


@registry.check(
    "key-memset", scope="code", severity="error",
    rule="Secrets are wiped with memzero_explicit(), not with memset().",
    why="The compiler drops a memset() of a variable that nobody reads any more.",
    fix="use memzero_explicit()",
)
def key_memset(component: Component) -> Iterator[Finding]:
    """memset(secret, 0, …) as the last use of a local secret."""
    check = registry.get("key-memset")
    for _, function in component.all_functions():
        secrets = {v.name for v in function.locals if _is_secret(component, v)}
        for call in function.calls_to("memset"):
            name = normal_key(call.args[0].text) if call.args else ""
            if name in secrets and len(call.args) > 1 and call.args[1].text == "0" \
                    and not any(e.kind == "id" and e.name == name and e.line > call.line
                                for e in function.exprs):
                yield check.finding(f"memset() of {name} may be optimised away",
                                    file=function.path, line=call.line)


@registry.check(
    "key-free", scope="code", severity="error",
    rule="Memory that held a key is freed with kfree_sensitive().",
    why="Freed memory is handed out again as it is.",
    fix="use kfree_sensitive() (or memzero_explicit() before the free)",
)
def key_free(component: Component) -> Iterator[Finding]:
    """kfree() of keys and of copies of keys."""
    check = registry.get("key-free")
    for _, function in component.all_functions():
        for call in function.calls_to("kfree", "kvfree"):
            if not call.args:
                continue
            name = tail(normal_key(call.args[0].text))
            if not _KEY_NAME.fullmatch(name) or _NOT_KEY.fullmatch(name):
                continue
            kind = lvalue_type(component, function, call.args[0])
            if kind is not None and kind.struct_name and kind.struct_name not in _KEY_STRUCTS:
                continue
            wiped = any(c.name in ("memzero_explicit", "memset") and c.args
                        and normal_key(c.args[0].text) == normal_key(call.args[0].text)
                        and c.line < call.line for c in function.calls)
            if not wiped:
                yield check.finding(f"{call.args[0].text} is freed with its content",
                                    file=function.path, line=call.line)


_TAG = re.compile(r"(?:.*_)?(?:\w?tag|\w?mac|icv|digest|auth_?tag|hmac|authdata|auth_?sum|"
                  r"computed|expected|hash_?tag)\d*", re.I)


@registry.check(
    "secret-memcmp", scope="code", severity="error",
    rule="Tags, digests and keys are compared with crypto_memneq().",
    why="memcmp() stops at the first difference; its time tells an attacker how many bytes were "
        "right.",
    fix="use crypto_memneq()",
)
def secret_memcmp(component: Component) -> Iterator[Finding]:
    """memcmp() of authentication tags and keys."""
    check = registry.get("secret-memcmp")
    for _, function in component.all_functions():
        for call in function.calls_to("memcmp", "bcmp"):
            names = [tail(normal_key(a.text)) for a in call.args[:2]]
            sized = call.args[2].text if len(call.args) > 2 else ""
            about_tag = any(_TAG.fullmatch(n) for n in names) or re.search(
                r"authsize|AUTH_?SIZE|ICV|TAG_?SIZE|TAG_?LEN|maclen|digest_?size", sized)
            about_key = sum(bool(_KEY_NAME.fullmatch(n)) for n in names) and re.search(
                r"key", sized, re.I)
            if about_tag or (about_key and "setkey" not in function.name
                             and "xts" not in function.name):
                yield check.finding(f"{call.name}() compares {names[0]} and {names[1]}",
                                    file=function.path, line=call.line)


@registry.check(
    "key-printed", scope="code", severity="error",
    rule="Key material is never printed, not even with dev_dbg().",
    why="Kernel logs are read and kept by many.",
    fix="remove the print",
)
def key_printed(component: Component) -> Iterator[Finding]:
    """Hex dumps of keys."""
    check = registry.get("key-printed")
    for _, function in component.all_functions():
        for call in function.calls:
            if not re.fullmatch(r"print_hex_dump\w*", call.name):
                continue
            for argument in call.args:
                name = tail(normal_key(argument.text))
                kind = lvalue_type(component, function, argument)
                if argument.kind in ("id", "member") and _KEY_NAME.fullmatch(name) \
                        and not _NOT_KEY.fullmatch(name) and (kind is None or _is_bytes(kind)):
                    yield check.finding(f"{argument.text} is printed", severity="warning",
                                        file=function.path, line=call.line)


def _is_bytes(kind: Type) -> bool:
    return bool(kind.pointer or kind.dims)


@registry.check(
    "key-verify", scope="code", severity="error",
    rule="An xts key goes through xts_verify_key(), a DES key through verify_skcipher_des*_key().",
    why="Equal halves make XTS insecure and weak DES keys must be refused when asked; the "
        "self-tests check both.",
    fix="call the function at the start of setkey",
)
def key_verify(component: Component) -> Iterator[Finding]:
    """xts and des setkey callbacks from which the check is not reached."""
    check = registry.get("key-verify")
    done: set[tuple[int, str]] = set()
    for alg in algorithms(component):
        if alg.kind not in ("skcipher_alg", "skcipher_engine_alg"):
            continue
        wanted = ""
        if alg.name.startswith("xts("):
            wanted = r"xts_(?:verify|check)_key"
        elif re.search(r"\(des(?:3_ede)?\)", alg.name):
            wanted = r"(?:verify_\w+_des3?_key|des3?_\w*expand_key|crypto_des3?_\w*verify_key|" \
                     r"crypto_\w+_setkey)"
        for setkey in callbacks(component, alg, "setkey") if wanted else ():
            if (id(setkey), wanted) in done:
                continue
            done.add((id(setkey), wanted))
            names = {c.name for f, _ in contexts_of(component).reachable(setkey).values()
                     for c in f.calls}
            if not any(re.fullmatch(wanted, n) for n in names):
                yield check.finding(f"{setkey.name}() does not check the key of {alg.name}",
                                    file=setkey.path, line=setkey.line)
