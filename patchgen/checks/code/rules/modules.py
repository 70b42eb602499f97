"""Module tables and descriptions: what udev, modinfo and modpost read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.component import Component, Unit
from patchgen.checks.code.ir import Expr, Var
from patchgen.checks.code.tokens import split_comments
from patchgen.findings import Finding

BUS_OF_TABLE = {
    "of_device_id": "of", "platform_device_id": "platform", "pci_device_id": "pci",
    "acpi_device_id": "acpi", "usb_device_id": "usb", "i2c_device_id": "i2c",
    "spi_device_id": "spi", "cpu_feature": "cpu", "x86_cpu_id": "x86cpu",
    "virtio_device_id": "virtio", "vio_device_id": "vio", "amba_id": "amba",
    "mhi_device_id": "mhi", "auxiliary_device_id": "auxiliary", "fsl_mc_device_id": "fslmc",
    "css_device_id": "css", "ap_device_id": "ap", "tee_client_device_id": "tee",
}


def _tables(component: Component) -> Iterator[tuple[Unit, Var, str]]:
    for unit in component.units.values():
        for var in unit.declared.variables:
            name = var.type.struct_name
            if name in BUS_OF_TABLE and var.type.dims and var.init is not None \
                    and var.init.kind == "init":
                yield unit, var, name


def _is_sentinel(entry: Expr) -> bool:
    if entry.kind == "literal":
        entry = entry.kids[0]
    if entry.kind == "field" and entry.name.startswith("["):
        entry = entry.kids[0]
    if entry.kind != "init":
        return False
    values = [k.kids[0] if k.kind == "field" else k for k in entry.kids]
    return all(v.text in ("0", "NULL", '""', "{  }") or _is_sentinel(v) for v in values)


@registry.check(
    "id-table-sentinel", scope="code", severity="error",
    rule="A device id table ends with an empty entry.",
    why="The core walks the table until it finds an empty entry; without one it reads what "
        "happens to follow in memory.",
    fix="end the table with { }",
)
def id_table_sentinel(component: Component) -> Iterator[Finding]:
    """Tables whose last entry names a device."""
    check = registry.get("id-table-sentinel")
    for unit, var, _ in _tables(component):
        assert var.init is not None
        if not var.init.kids or not _is_sentinel(var.init.kids[-1]):
            last = var.init.kids[-1].line if var.init.kids else var.line
            yield check.finding(f"{var.name}[] has no empty last entry",
                                file=unit.path, line=last or var.line)


@registry.check(
    "device-table-missing", scope="code", severity="error",
    rule="A device id table that a driver uses is published with MODULE_DEVICE_TABLE.",
    why="Without it the module has no alias, so udev never loads it for its device.",
    fix="add MODULE_DEVICE_TABLE(bus, table) below the table",
)
def device_table_missing(component: Component) -> Iterator[Finding]:
    """Tables that are used but not published."""
    check = registry.get("device-table-missing")
    for unit, var, name in _tables(component):
        if name in ("virtio_device_id",) and unit.path.endswith(".h"):
            continue
        published = any(
            call.name == "MODULE_DEVICE_TABLE" and call.arguments[-1] == var.name
            for call in unit.pre.calls
        )
        builtin = any(call.name.startswith("builtin_") for call in unit.pre.calls)
        used = var.name in component.roles or _is_used(unit, var.name)
        if not published and not builtin and used:
            bus = BUS_OF_TABLE[name]
            yield check.finding(f"{var.name}[] is not published for loading",
                                hint=f"add MODULE_DEVICE_TABLE({bus}, {var.name});",
                                file=unit.path, line=var.line)


def _is_used(unit: Unit, name: str) -> bool:
    return len(re.findall(rf"\b{re.escape(name)}\b", unit.pre.text)) > 1


@registry.check(
    "device-table-unused", scope="code", severity="error",
    rule="A published device id table is also the one that the driver matches with.",
    why="The module is loaded for its device and then does not bind to it.",
    fix="put the table into the driver struct: .of_match_table or .id_table",
)
def device_table_unused(component: Component) -> Iterator[Finding]:
    """Tables that only MODULE_DEVICE_TABLE names."""
    check = registry.get("device-table-unused")
    for unit, var, name in _tables(component):
        if name == "cpu_feature" or "static" not in var.storage:
            continue
        mentions = len(re.findall(rf"\b{re.escape(var.name)}\b", split_comments(unit.pre.text)[0]))
        published = sum(c.name == "MODULE_DEVICE_TABLE" and c.arguments[-1] == var.name
                        for c in unit.pre.calls)
        if published and mentions <= 1 + published:
            yield check.finding(f"nothing matches with {var.name}[]", file=unit.path,
                                line=var.line)


@registry.check(
    "device-table-bus", scope="code", severity="error",
    rule="MODULE_DEVICE_TABLE names the bus of the table's own type, and a table that exists.",
    why="modpost reads the table with the layout of the bus named; a wrong one yields wrong "
        "aliases or none.",
    fix="name the bus that belongs to the table's type",
)
def device_table_bus(component: Component) -> Iterator[Finding]:
    """MODULE_DEVICE_TABLE calls that do not fit their table."""
    check = registry.get("device-table-bus")
    for unit in component.units.values():
        for call in unit.pre.calls:
            if call.name != "MODULE_DEVICE_TABLE" or len(call.arguments) != 2:
                continue
            bus, table = call.arguments
            found = component.globals.get(table)
            if found is None:
                if unit.parsed_by == "pycparser" and not _macro_made(unit, table):
                    yield check.finding(f"there is no table {table}", file=unit.path,
                                        line=call.line, hint="name the table that the file has")
                continue
            kind = found[1].type.struct_name or ""
            wanted = BUS_OF_TABLE.get(kind)
            if wanted is not None and wanted != bus:
                yield check.finding(
                    f"{table}[] is a struct {kind} table, but is published as {bus}",
                    hint=f"write MODULE_DEVICE_TABLE({wanted}, {table});",
                    file=unit.path, line=call.line)


def _macro_made(unit: Unit, name: str) -> bool:
    return len(re.findall(rf"\b{re.escape(name)}\b", unit.pre.text)) < 2


def _is_module(unit: Unit) -> bool:
    return any(call.name.startswith("module_") and not call.name.startswith("module_param")
               for call in unit.pre.calls)


def _module_files(component: Component, unit: Unit) -> list[Unit]:
    """The units that may carry the module's texts: of its folder, when several make it up."""
    return [u for u in component.units.values() if u.path.endswith(".c")] \
        if len([u for u in component.units.values() if _is_module(u)]) == 1 else [unit]


def _text_missing(component: Component, macro: str) -> Iterator[tuple[Unit, int]]:
    for unit in component.units.values():
        if not _is_module(unit):
            continue
        files = _module_files(component, unit)
        if not any(call.name == macro for file in files for call in file.pre.calls):
            line = next(c.line for c in unit.pre.calls if c.name.startswith("module_")
                        and not c.name.startswith("module_param"))
            yield unit, line


@registry.check(
    "module-license", scope="code", severity="error",
    rule="A module states its licence.",
    why="modpost refuses a module without MODULE_LICENSE.",
    fix='add MODULE_LICENSE("GPL")',
)
def module_license(component: Component) -> Iterator[Finding]:
    """Modules without MODULE_LICENSE, and licence strings the kernel does not know."""
    check = registry.get("module-license")
    for unit, line in _text_missing(component, "MODULE_LICENSE"):
        yield check.finding("the module has no MODULE_LICENSE", file=unit.path, line=line)
    known = {"GPL", "GPL v2", "GPL and additional rights", "Dual BSD/GPL", "Dual MIT/GPL",
             "Dual MPL/GPL", "Proprietary"}
    for unit in component.units.values():
        for call in unit.pre.calls:
            text = call.arguments[0].strip('"') if call.arguments else ""
            if call.name == "MODULE_LICENSE" and '"' in call.arguments[0] and text not in known:
                yield check.finding(f"{call.arguments[0]} is no licence the kernel knows",
                                    hint='the usual one is "GPL"', file=unit.path, line=call.line)


@registry.check(
    "module-description", scope="code", severity="error",
    rule="A module describes itself.",
    why="modpost warns about modules without MODULE_DESCRIPTION (W=1, by default in new kernels).",
    fix="add MODULE_DESCRIPTION with one line on what the module drives",
)
def module_description(component: Component) -> Iterator[Finding]:
    """Modules without MODULE_DESCRIPTION."""
    check = registry.get("module-description")
    for unit, line in _text_missing(component, "MODULE_DESCRIPTION"):
        yield check.finding("the module has no MODULE_DESCRIPTION", file=unit.path, line=line)


@registry.check(
    "module-parm-desc", scope="code", severity="error",
    rule="Every module parameter has a MODULE_PARM_DESC of the same name.",
    why="modinfo shows an undocumented parameter without a word of what it does.",
    fix='add MODULE_PARM_DESC(name, "what it does and in which unit")',
)
def module_parm_desc(component: Component) -> Iterator[Finding]:
    """Parameters without a description and descriptions without a parameter."""
    check = registry.get("module-parm-desc")
    for unit in component.units.values():
        calls = unit.pre.calls
        named = {c.arguments[0]: c.line for c in calls
                 if c.name.startswith("module_param") and c.arguments}
        described = {c.arguments[0]: c.line for c in calls
                     if c.name == "MODULE_PARM_DESC" and c.arguments}
        for name, line in named.items():
            if name not in described:
                yield check.finding(f"parameter {name} has no description",
                                    file=unit.path, line=line)
        for name, line in described.items():
            if name not in named:
                yield check.finding(f"the description names {name}, which is no parameter",
                                    file=unit.path, line=line,
                                    hint="use the parameter's own name")
