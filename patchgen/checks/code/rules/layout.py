"""Structs that hardware reads: fixed widths, pinned sizes, byte orders kept apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.component import Component
from patchgen.checks.code.ir import Expr, Function, Struct, Type
from patchgen.checks.code.lvalue_types import lvalue_type
from patchgen.findings import Finding

ENDIAN = re.compile(r"__([bl]e)(16|32|64)")
_BYTE_SIZES = re.compile(r"(?:MD5|SHA\d+|SM3|AES|DES3?(?:_EDE)?|SM4|CHACHA|GHASH|GCM)_?\w*"
                         r"(?:DIGEST|BLOCK|KEY|IV|HASH)_?SIZE(?:_\d+)?|AES_KEYSIZE_\d+|"
                         r"\w*_DIGEST_SIZE|\w*_MAX_KEY_SIZE")
_WORDS = {"u16": 2, "u32": 4, "u64": 8, "__be32": 4, "__le32": 4, "__be64": 8, "__le64": 8,
          "__be16": 2, "__le16": 2, "int": 4, "unsigned int": 4, "uint32_t": 4, "__u32": 4,
          "unsigned long": 8, "s32": 4}


@registry.check(
    "bytes-as-words", scope="code", severity="error",
    rule="An array of words is not dimensioned with a size in bytes.",
    why="SHA1_DIGEST_SIZE is 20 bytes: u32 state[SHA1_DIGEST_SIZE] is 80, and everything derived "
        "from the struct's size, such as statesize, is too large.",
    fix="divide by the element's size: [SHA1_DIGEST_SIZE / sizeof(u32)]",
)
def bytes_as_words(component: Component) -> Iterator[Finding]:
    """Members and locals of word type with a *_SIZE constant as dimension."""
    check = registry.get("bytes-as-words")
    for unit in component.units.values():
        for struct in unit.declared.structs:
            for member in struct.fields:
                if _too_wide(member.type):
                    yield check.finding(f"{member.name} has {member.type} elements, one for each "
                                        "byte", file=unit.path, line=member.line)
        for function in unit.functions:
            for var in function.locals:
                if _too_wide(var.type):
                    yield check.finding(f"{var.name} is {var.type}, one word for each byte",
                                        file=unit.path, line=var.line)


def _too_wide(kind: Type) -> bool:
    if kind.pointer or len(kind.dims) != 1 or kind.dims[0] is None:
        return False
    return kind.base in _WORDS and _BYTE_SIZES.fullmatch(kind.dims[0].text) is not None


def hardware_structs(component: Component) -> Iterator[Struct]:
    """Structs that a device reads: with byte-order types, or descriptors by name."""
    for unit in component.units.values():
        for struct in unit.declared.structs:
            if struct.kind != "struct" or not struct.name:
                continue
            ordered = [f for f in struct.fields if ENDIAN.fullmatch(f.type.base)]
            named = re.search(r"(?:^|_)(?:h?w_?)?(?:desc|descriptor|ring_entry|cmd_?desc)$",
                              struct.name)
            if (ordered and len(ordered) * 2 >= len(struct.fields)) or (
                    named and _all_plain(struct)):
                yield struct


def _all_plain(struct: Struct) -> bool:
    return bool(struct.fields) and all(
        not f.type.pointer and not f.type.function_pointer
        and not (f.type.struct_name or "").startswith(("list_head", "completion", "device"))
        for f in struct.fields
    ) and any(f.type.base in ("u32", "__be32", "__le32", "u64", "__u32") for f in struct.fields)


@registry.check(
    "hw-struct-width", scope="code", severity="error",
    rule="A struct that hardware reads has only members of fixed width.",
    why="phys_addr_t, dma_addr_t, pointers, long and enums change their size with the "
        "configuration; the device's layout does not.",
    fix="use __be32, __le32 or u8 members of the width that the data sheet gives",
)
def hw_struct_width(component: Component) -> Iterator[Finding]:
    """Members whose size depends on the architecture."""
    check = registry.get("hw-struct-width")
    loose = {"phys_addr_t", "dma_addr_t", "unsigned long", "long", "size_t", "ssize_t",
             "resource_size_t", "bool", "uintptr_t"}
    for struct in hardware_structs(component):
        for member in struct.fields:
            if member.type.base in loose or member.type.is_pointer:
                yield check.finding(f"{member.name} of struct {struct.name} is {member.type}",
                                    file=struct.path, line=member.line)


@registry.check(
    "hw-struct-pinned", scope="code", severity="warning",
    rule="The size of every struct that hardware reads is pinned by a static assertion.",
    why="A member added or resized by mistake shifts everything behind it, and the compiler has "
        "no way to know.",
    fix="add static_assert(sizeof(struct x) == 16) below the struct",
)
def hw_struct_pinned(component: Component) -> Iterator[Finding]:
    """Hardware structs without static_assert() or BUILD_BUG_ON() on their size."""
    check = registry.get("hw-struct-pinned")
    pinned: set[str] = set()
    for unit in component.units.values():
        for text in re.findall(r"(?:static_assert|BUILD_BUG_ON\w*|_Static_assert)\s*\("
                               r"[^;]*?sizeof\s*\(\s*struct\s+(\w+)", unit.pre.text):
            pinned.add(text)
    for struct in hardware_structs(component):
        if struct.name not in pinned:
            yield check.finding(f"nothing pins the size of struct {struct.name}",
                                file=struct.path, line=struct.line)


_TO_ENDIAN = re.compile(r"cpu_to_([bl]e)(16|32|64)p?|htons|htonl")
_NEUTRAL = frozenset({"0", "NULL"})


def _order(component: Component, function: Function, expr: Expr) -> str:
    """``be32``, ``le32``, ``cpu`` or empty when it is not known."""
    while expr.kind == "cast" and expr.type is not None:
        match = ENDIAN.fullmatch(expr.type.base)
        if match and not expr.type.pointer:
            return match[1] + match[2]
        if expr.type.pointer:
            return ""
        expr = expr.kids[0]
    if expr.kind == "call":
        match = _TO_ENDIAN.fullmatch(expr.name)
        if match:
            return "be32" if match[1] is None else match[1] + match[2]
        if re.fullmatch(r"[bl]e(?:16|32|64)_to_cpup?|get_unaligned_[bl]e\d+|lower_32_bits|"
                        r"upper_32_bits|ioread32|readl", expr.name):
            return "cpu"
        return ""
    if expr.kind in ("id", "member", "index") or (expr.kind == "unary" and expr.op == "*"):
        kind = lvalue_type(component, function, expr)
        if kind is None or kind.pointer or kind.dims:
            return ""
        match = ENDIAN.fullmatch(kind.base)
        if match:
            return match[1] + match[2]
        return "cpu" if kind.base in ("u16", "u32", "u64", "int", "unsigned int", "size_t",
                                      "dma_addr_t", "unsigned", "uint32_t", "s32") else ""
    if expr.kind == "binary" and expr.op in ("|", "&", "+", "-", "^", "<<", ">>", "*", "/"):
        sides = {_order(component, function, kid) for kid in expr.kids} - {""}
        return sides.pop() if len(sides) == 1 else ""
    return "zero" if expr.text in _NEUTRAL else ""


@registry.check(
    "endian-mix", scope="code", severity="error",
    rule="Values in a fixed byte order are converted before they meet CPU values, and typed "
         "__be32 or __le32.",
    why="It works on the author's machine and writes reversed words on the other byte order; "
        "sparse reports each, but few run it.",
    fix="use cpu_to_be32(), be32_to_cpu() and their kin",
)
def endian_mix(component: Component) -> Iterator[Finding]:
    """Assignments, comparisons and arithmetic between orders."""
    check = registry.get("endian-mix")
    for _, function in component.all_functions():
        for expr in function.exprs:
            if expr.kind == "assign" and expr.op in ("=", "|=", "&=", "^="):
                left = _order(component, function, expr.kids[0])
                right = _order(component, function, expr.kids[1])
                if _clash(left, right):
                    yield check.finding(f"{expr.kids[0].text} is {_spoken(left)}, but gets a "
                                        f"{_spoken(right)} value", file=function.path,
                                        line=expr.line)
                elif left not in ("", "cpu", "zero") and _plain_number(expr.kids[1]):
                    yield check.finding(f"{expr.kids[0].text} is {_spoken(left)}, but gets the "
                                        f"number {expr.kids[1].text}", file=function.path,
                                        line=expr.line)
            elif expr.kind == "assign" and expr.op in ("+=", "-=", "<<=", ">>=", "*="):
                left = _order(component, function, expr.kids[0])
                if left not in ("", "cpu", "zero"):
                    yield check.finding(f"arithmetic on {expr.kids[0].text}, which is "
                                        f"{_spoken(left)}", file=function.path, line=expr.line)
            elif expr.kind == "binary" and expr.op in ("&", "|", "==", "!=", "<", ">", "+", "-"):
                left, right = (_order(component, function, k) for k in expr.kids)
                if _clash(left, right):
                    yield check.finding(f"{expr.text} mixes {_spoken(left)} and {_spoken(right)}",
                                        file=function.path, line=expr.line)
            elif expr.kind == "call" and re.fullmatch(r"([bl]e)(16|32|64)_to_cpu", expr.name) \
                    and expr.args:
                inner = _order(component, function, expr.args[0])
                wanted = expr.name.split("_")[0]
                if inner == "cpu" or (inner[:2] in ("be", "le") and inner[:2] != wanted[:2]):
                    yield check.finding(f"{expr.name}() of {expr.args[0].text}, which is "
                                        f"{_spoken(inner)}", file=function.path, line=expr.line)
            elif expr.kind == "call" and _TO_ENDIAN.fullmatch(expr.name) and expr.args:
                inner = _order(component, function, expr.args[0])
                if inner[:2] in ("be", "le"):
                    yield check.finding(f"{expr.name}() of {expr.args[0].text}, which is "
                                        f"{_spoken(inner)} already", file=function.path,
                                        line=expr.line)


def _clash(left: str, right: str) -> bool:
    known = {left[:2], right[:2]}
    return not ("" in known or "ze" in known or len(known) == 1)


def _plain_number(expr: Expr) -> bool:
    """Whether an expression is a number other than 0."""
    return expr.kind == "const" and re.fullmatch(
        r"(?:0[xX][0-9a-fA-F]*[1-9a-fA-F][0-9a-fA-F]*|[1-9][0-9]*)[uUlL]*", expr.name) is not None


def _spoken(order: str) -> str:
    names = {"be": "big endian", "le": "little endian"}
    return names.get(order[:2], "CPU order")


@registry.check(
    "pointer-truncated", scope="code", severity="error",
    rule="A pointer is not cast to a 32-bit integer.",
    why="On 64-bit kernels the upper half is lost; COMPILE_TEST builds warn, and what the value "
        "is used for is seldom right anywhere.",
    fix="keep it a pointer, or take a DMA address from the DMA API",
)
def pointer_truncated(component: Component) -> Iterator[Finding]:
    """Casts of pointers and addresses to u32 and int."""
    check = registry.get("pointer-truncated")
    for _, function in component.all_functions():
        for expr in function.exprs:
            if expr.kind != "cast" or expr.type is None or expr.type.pointer or expr.type.dims \
                    or expr.type.base not in ("u32", "int", "unsigned int", "unsigned", "__u32",
                                              "uint32_t", "s32", "u16", "u8"):
                continue
            inner = expr.kids[0]
            kind = lvalue_type(component, function, inner)
            is_address = inner.kind == "unary" and inner.op == "&"
            if is_address or (kind is not None and (kind.is_pointer or kind.dims)):
                yield check.finding(f"({expr.type}){inner.text} drops half of a pointer",
                                    file=function.path, line=expr.line)
