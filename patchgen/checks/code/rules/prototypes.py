"""Prototypes and bodies: each has the other, and they agree with who calls them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.component import Component, Unit
from patchgen.checks.code.ir import Function, Var
from patchgen.checks.code.tokens import split_comments
from patchgen.findings import Finding


def _own_prototypes(component: Component) -> Iterator[tuple[Unit, Var]]:
    for unit in component.units.values():
        for prototype in unit.declared.prototypes:
            yield unit, prototype


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


@registry.check(
    "prototype-without-body", scope="code", severity="error",
    rule="Every function that a component's own header declares has a body in the component.",
    why="A prototype that nothing defines is left over from an earlier version; no compiler says "
        "so, and the next caller fails at link time.",
    fix="write the function, or remove the prototype",
)
def prototype_without_body(component: Component) -> Iterator[Finding]:
    """Unused leftovers in headers and forward declarations in sources."""
    check = registry.get("prototype-without-body")
    has_source = {_folder(path) for path in component.units if path.endswith(".c")}
    for unit, prototype in _own_prototypes(component):
        if prototype.name in component.functions or _folder(unit.path) not in has_source:
            continue
        macro = unit.pre.visible.get(prototype.name)
        if "asmlinkage" in _source_line(unit, prototype.line) or macro is not None:
            continue
        is_header = unit.path.endswith(".h")
        if not is_header and "static" not in prototype.storage:
            continue
        if is_header and prototype.name in component.callers and not _complete(component, unit):
            continue
        yield check.finding(f"{prototype.name}() is declared but has no body",
                            file=unit.path, line=prototype.line, column=prototype.column)


def _source_line(unit: Unit, line: int) -> str:
    lines = unit.pre.text.split("\n")
    return "\n".join(lines[max(0, line - 2) : line])


def _complete(component: Component, header: Unit) -> bool:
    """Whether the bodies of most of a header's prototypes are here: then all should be."""
    names = [p.name for p in header.declared.prototypes]
    found = sum(name in component.functions for name in names)
    return found * 2 >= len(names)


@registry.check(
    "missing-prototype", scope="code", severity="warning",
    rule="A function without static has a prototype in a header.",
    why="Without one, compiler and sparse cannot compare definition and callers; functions used "
        "in one file only must be static.",
    fix="make it static, or declare it in the component's header",
)
def missing_prototype(component: Component) -> Iterator[Finding]:
    """What gcc's -Wmissing-prototypes and sparse report."""
    check = registry.get("missing-prototype")
    for unit in component.units.values():
        if not unit.path.endswith(".c"):
            continue
        for function in unit.functions:
            if function.is_static or "inline" in function.storage or function.name == "main":
                continue
            declared = any(u.path != unit.path for u, _ in component.prototypes.get(
                function.name, ()))
            if declared or _includes_unknown_header(component, unit):
                continue
            exported = any(function.name in call.arguments for call in unit.pre.calls
                           if call.name.startswith("EXPORT_"))
            if not exported:
                yield check.finding(f"{function.name}() is neither static nor declared",
                                    file=unit.path, line=function.line)


def _includes_unknown_header(component: Component, unit: Unit) -> bool:
    return any(
        not include.system and not any(path.endswith(include.path.rpartition("/")[2])
                                       for path in component.units)
        for include in unit.pre.includes
    )


@registry.check(
    "extern-inline", scope="code", severity="error",
    rule="A header does not declare an inline function whose body is in a source file.",
    why="An inline function without a visible body cannot be inlined; sparse reports it as marked "
        "inline without a definition, and C99 rules may leave no definition at all.",
    fix="put the body into the header as static inline, or drop the word inline",
)
def extern_inline(component: Component) -> Iterator[Finding]:
    """``extern inline`` prototypes, and non-static inline bodies that a header declares."""
    check = registry.get("extern-inline")
    for unit, prototype in _own_prototypes(component):
        if "inline" in prototype.storage and "static" not in prototype.storage:
            yield check.finding(f"{prototype.name}() is declared inline without a body",
                                file=unit.path, line=prototype.line, column=prototype.column)
    for unit in component.units.values():
        for function in unit.functions:
            if "inline" in function.storage and not function.is_static \
                    and unit.path.endswith(".c"):
                yield check.finding(f"{function.name}() is inline but not static",
                                    file=unit.path, line=function.line)


@registry.check(
    "ops-signature", scope="code", severity="error",
    rule="A callback has the parameters and the return type of the struct member it is put in.",
    why="A callback of another type is undefined behaviour and traps under kernel CFI; the "
        "driver's interfaces changed over kernel versions, so copies go stale.",
    fix="give the function the signature of the member",
)
def ops_signature(component: Component) -> Iterator[Finding]:
    """Compare every function put in a struct with the member's declared type."""
    check = registry.get("ops-signature")
    for name, roles in component.roles.items():
        for role in roles:
            function = component.function(name, role.path)
            struct = component.struct(role.struct_name) if role.struct_name else None
            member = struct.field(role.field) if struct is not None else None
            if function is None or member is None or not member.type.function_pointer:
                continue
            wanted = _member_type(component, role.struct_name, member)
            problem = _mismatch(function, wanted)
            if problem:
                yield check.finding(
                    f"{name}() does not fit {role.struct_name}.{role.field}: {problem}",
                    file=role.path, line=role.line)


def _member_type(component: Component, struct: str, member: Var) -> Var:
    """The member as the kernel version has it."""
    if struct == "platform_driver" and member.name in ("remove", "remove_new"):
        returns = "void" if (
            component.kernel.platform_remove_returns_void or member.name == "remove_new"
        ) else "int"
        kind = member.type
        changed = type(kind)(returns, params=kind.params, function_pointer=True)
        return Var(member.name, changed, member.line)
    return member


_SAME = {"unsigned": "unsigned int", "u8": "unsigned char", "uint": "unsigned int",
         "u32": "unsigned int", "__u32": "unsigned int", "uint32_t": "unsigned int",
         "uint8_t": "unsigned char", "irqreturn_t": "enum irqreturn", "s32": "int"}


def _canonical(base: str) -> str:
    return _SAME.get(base, base)


def _mismatch(function: Function, member: Var) -> str:
    params = member.type.params or ()
    if len(function.params) != len(params):
        return f"{len(function.params)} parameters instead of {len(params)}"
    pairs = [("the return type", function.type, member.type)]
    pairs += [(f"parameter {i}", ours.type, theirs.type)
              for i, (ours, theirs) in enumerate(zip(function.params, params, strict=True), 1)]
    for what, ours, theirs in pairs:
        depth = ours.pointer + len(ours.dims)
        same = _canonical(ours.base) == _canonical(theirs.base)
        if depth != theirs.pointer + len(theirs.dims) or not (same or theirs.base == ours.base):
            return f"{what} is {_shown(ours.base, depth)}, not " \
                f"{_shown(theirs.base, theirs.pointer + len(theirs.dims))}"
        if depth and ours.const != theirs.const and what != "the return type":
            return f"{what} is {'' if ours.const else 'not '}const"
    return ""


def _shown(base: str, depth: int) -> str:
    return f"{base} {'*' * depth}".strip()


@registry.check(
    "include-used", scope="code", severity="warning",
    rule="A source includes the headers whose functions it calls.",
    why="It compiles only while some other header happens to include the right one; the next "
        "clean-up of headers breaks it on one architecture.",
    fix="include the header",
)
def include_used(component: Component) -> Iterator[Finding]:
    """Calls of functions whose header neither the source nor the component's headers name."""
    check = registry.get("include-used")
    included_by_headers = {i.path for u in component.units.values() if u.path.endswith(".h")
                           for i in u.pre.includes}
    for unit in component.units.values():
        if not unit.path.endswith(".c") or not unit.pre.includes:
            continue
        have = {i.path for i in unit.pre.includes} | included_by_headers
        have |= {given for path in have for given in _brings(path)}
        missing: set[str] = set()
        for function in unit.functions:
            for call in function.calls:
                header = component.stubs.header_of(call.name)
                if header is None or header in have or header in missing \
                        or call.name in component.functions:
                    continue
                missing.add(header)
                yield check.finding(f"{call.name}() is declared in <{header}>, which is not "
                                    "included", hint=f"add #include <{header}>", file=unit.path,
                                    line=call.line)


_BRINGS = {
    "linux/platform_device.h": ("linux/device.h",),
    "linux/pci.h": ("linux/device.h", "linux/interrupt.h", "linux/mod_devicetree.h"),
    "linux/dma-mapping.h": ("linux/device.h",),
    "linux/of_platform.h": ("linux/device.h", "linux/platform_device.h"),
    "linux/dmaengine.h": ("linux/device.h", "linux/dma-mapping.h"),
    "linux/cdev.h": ("linux/device.h",), "linux/pm_runtime.h": ("linux/device.h",),
    "linux/hw_random.h": ("linux/completion.h",), "linux/virtio.h": ("linux/device.h",),
}


def _brings(path: str) -> tuple[str, ...]:
    """Headers that including another one is known, and meant, to bring along."""
    if path.startswith("crypto/") or path == "linux/crypto.h":
        return ("linux/completion.h", "linux/crypto.h")
    return _BRINGS.get(path, ())


@registry.check(
    "unused-function", scope="code", severity="error",
    rule="Every static function is used.",
    why="The compiler warns about it, and what should have called it does not happen.",
    fix="call it, or remove it",
)
def unused_function(component: Component) -> Iterator[Finding]:
    """Static functions whose name appears nowhere but in their own definition."""
    check = registry.get("unused-function")
    for unit in component.units.values():
        if not unit.path.endswith(".c"):
            continue
        words = _words(unit)
        for function in unit.functions:
            pasted = re.search(r"_(?:show|store|open|read|write)$", function.name)
            if function.is_static and "inline" not in function.storage and not pasted \
                    and 0 < words[function.name] < 2 + len(component.prototypes.get(
                        function.name, ())):
                source = _source_line(unit, function.line)
                if function.name in source and not re.search(r"__(?:maybe_un)?used", source):
                    yield check.finding(f"nothing uses {function.name}()", file=unit.path,
                                        line=function.line)


def _words(unit: Unit) -> Counter[str]:
    text, _ = split_comments(unit.pre.text)
    return Counter(re.findall(r"[A-Za-z_]\w*", text))
