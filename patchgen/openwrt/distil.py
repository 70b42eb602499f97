"""Making the shipped facts: the part of a kernel's symbol table that patchgen carries along.

The facts cover what the choice of accelerated crypto and the refresh of arm64 layers need:
the crypto symbols, the libraries and cores that other symbols select, the memory model, the
errata workarounds, the clocks of two SoC families. Everything else needs ``--linux DIR``.
``docs/openwrt.md`` tells how to make them anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from patchgen.openwrt.expr import parse, symbols_of
from patchgen.openwrt.facts import COVERED, Document, Row
from patchgen.openwrt.symbols import Definition, SymbolTable
from patchgen.profiles import KernelVersion

_HELPERS = re.compile(
    r"MFD_CORE|MDIO_(?:DEVICE|DEVRES|BUS)|FIXED_PHY|ARMADA_AP_CPU_CLK|ARM64_WORKAROUND_\w+"
    r"|NVMEM_SYSFS|XXHASH|ZSTD_\w*|CRYPTO_ZSTD|ARCH_WANTS_NO_INSTR|ARCH_MHP_MEMMAP\w*"
)
"""Symbols whose every selector comes along, so that the facts can say "must be on"."""
_ARM_ONLY = re.compile(r"(?:CRYPTO_\w*|ARM_CRYPTO)\Z")


class Facts(msgspec.Struct, frozen=True, omit_defaults=True):
    """The facts of one kernel version, for arm64."""

    kernel: str
    source: str
    symbols: dict[str, tuple[Definition, ...]]
    absent: tuple[str, ...] = ()
    """Names that the facts mention and arm64 does not have, and the crypto of 32-bit Arm."""
    open: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    """Names that an earlier version had and no architecture has any more."""


class Between(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a version that was not read follows from its neighbours (``between.toml``)."""

    after: str
    before: str
    like_earlier: tuple[str, ...] = ()
    """Patterns of names that are still as in the earlier version."""
    like_later: tuple[str, ...] = ()
    """Patterns of names that are already as in the later version."""
    gone: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    symbols: dict[str, tuple[Definition, ...]] = {}
    """Symbols that neither neighbour has in this form."""


def scope(table: SymbolTable) -> frozenset[str]:
    """The names whose definitions the facts hold."""
    names = {n for n in table.symbols if COVERED.fullmatch(n) or _HELPERS.fullmatch(n)}
    for name in tuple(names):
        if _HELPERS.fullmatch(name):
            names.update(selector for selector, _ in table.selectors.get(name, ()))
    return frozenset(names)


def _references(definitions: Iterable[Definition]) -> set[str]:
    found: set[str] = set()
    for definition in definitions:
        conditions = [definition.depends, definition.prompt or ""]
        conditions += [condition for _, condition in definition.defaults + definition.selects]
        for condition in conditions:
            if condition:
                found |= symbols_of(parse(condition))
    return found


def distil(table: SymbolTable, kernel: str, earlier: frozenset[str] = frozenset()) -> Facts:
    """The facts of a complete arm64 table; ``earlier`` are all names of an older version."""
    names = scope(table)
    symbols = {
        name: tuple(
            msgspec.structs.replace(
                definition,
                selects=tuple(pair for pair in definition.selects if pair[0] in names),
                defaults=() if definition.type in ("int", "hex", "string")
                else definition.defaults,
            )
            for definition in table.symbols[name]
        )
        for name in sorted(names)
    }
    mentioned = {n for d in symbols.values() for n in _references(d)}
    absent = {n for n in mentioned if n not in table and not n[:1].isdigit()}
    absent |= {n for n in table.elsewhere if _ARM_ONLY.match(n) and not n.startswith("CRYPTO_DEV_")}
    opened = {
        name for name in names
        if any(selector not in names for selector, _ in table.selectors.get(name, ()))
    }
    present = table.elsewhere.union(table.symbols)
    return Facts(
        kernel=kernel,
        source=table.source,
        symbols=symbols,
        absent=tuple(sorted(absent)),
        open=tuple(sorted(opened)),
        gone=tuple(sorted(earlier - present)),
    )


def encode(rows: dict[str, tuple[Row, ...]], document: Document) -> bytes:
    """The facts as JSON, one symbol a line, so that two versions can be compared."""
    head = msgspec.json.decode(msgspec.json.encode(document))
    del head["symbols"]
    lists = "".join(
        f" {msgspec.json.encode(key).decode()}: {msgspec.json.encode(value).decode()},\n"
        for key, value in head.items()
    )
    lines = ",\n".join(
        f"  {msgspec.json.encode(name).decode()}: {msgspec.json.encode(row).decode()}"
        for name, row in sorted(rows.items())
    )
    return f'{{\n{lists} "symbols": {{\n{lines}\n }}\n}}\n'.encode()


def combine(read: dict[str, Facts], between: dict[str, Between]) -> bytes:
    """The shipped document from the facts of kernels that were read and rules for the others.

    A version in ``between`` lies between two that were read: a symbol that both have is as in
    the earlier one, with the selects that both share, unless the rule says that it is all as in
    the one or the other; a symbol that only one of them has counts as unknown.
    """
    facts = {**read, **{v: _between(v, read, rule) for v, rule in between.items()}}
    versions = sorted(facts, key=KernelVersion.parse)
    rows: dict[str, list[Row]] = {}
    for version in versions:
        for name, definitions in facts[version].symbols.items():
            row = rows.setdefault(name, [])
            last = versions[versions.index(version) - 1]
            if row and row[-1].until == last and row[-1].definitions == definitions:
                row[-1] = Row(row[-1].since, version, definitions)
            else:
                row.append(Row(version, version, definitions))
    document = Document(
        versions=tuple(versions),
        sources={v: facts[v].source for v in versions},
        absent={v: facts[v].absent for v in versions},
        open={v: facts[v].open for v in versions},
        gone=_first_gone(facts, versions),
        symbols={},
    )
    return encode({name: tuple(row) for name, row in rows.items()}, document)


def _between(version: str, read: dict[str, Facts], rule: Between) -> Facts:
    older, newer = read[rule.after], read[rule.before]
    earlier = re.compile("|".join(rule.like_earlier) or r"(?!)")
    later = re.compile("|".join(rule.like_later) or r"(?!)")
    symbols = {}
    for name in older.symbols.keys() | newer.symbols.keys():
        if later.fullmatch(name):
            if name in newer.symbols:
                symbols[name] = newer.symbols[name]
        elif name in older.symbols and earlier.fullmatch(name):
            symbols[name] = older.symbols[name]
        elif name in older.symbols and name in newer.symbols:
            symbols[name] = _shared(older.symbols[name], newer.symbols[name])
    symbols.update(rule.symbols)
    absent = (set(older.absent) & set(newer.absent)) | set(rule.absent)
    absent |= {n for n in older.absent if _ARM_ONLY.match(n)}
    for name in absent.intersection(symbols):
        del symbols[name]
    return Facts(
        kernel=version,
        source=f"what Linux {rule.after} and {rule.before} share",
        symbols=symbols,
        absent=tuple(sorted(absent)),
        open=tuple(sorted((set(older.open) | set(newer.open)) & symbols.keys())),
        gone=rule.gone,
    )


def _shared(
    older: tuple[Definition, ...], newer: tuple[Definition, ...]
) -> tuple[Definition, ...]:
    """The earlier definitions with only those selects that the later ones have too."""
    later = {pair for definition in newer for pair in definition.selects}
    return tuple(
        msgspec.structs.replace(d, selects=tuple(pair for pair in d.selects if pair in later))
        for d in older
    )


def _first_gone(facts: dict[str, Facts], versions: list[str]) -> dict[str, str]:
    first: dict[str, str] = {}
    for version in versions:
        for name in facts[version].gone:
            first.setdefault(name, version)
    return first
