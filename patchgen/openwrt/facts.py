"""The shipped facts about Kconfig symbols, for when no kernel source is at hand."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import msgspec

from patchgen.openwrt.symbols import Definition, SymbolTable
from patchgen.profiles import KernelVersion

DATA = Path(__file__).resolve().parent / "data"

COVERED = re.compile(
    r"CRYPTO(?!_DEV_)\w*|ARM64_CRYPTO|KERNEL_MODE_NEON|CRC_T10DIF|XXHASH|ZSTD_\w*"
    r"|RTC_CLASS|RTC_DRV_\w+|NVMEM|NVMEM_SYSFS|SUNXI_CCU|SUN50I_\w+_CCU|ARM64_LD_HAS_\w+"
    r"|ARCH_MHP_\w+|ARCH_WANTS_NO_INSTR|GENERIC_FIND_FIRST_BIT|SELECT_MEMORY_MODEL"
    r"|(?:FLAT|SPARSE|DISCONTIG)MEM\w*|ARCH_(?:SELECT|SPARSE|FLAT|DISCONTIG)MEM\w*"
    r"|ARCH_SELECT_MEMORY_MODEL|HOLES_IN_ZONE|KMSAN|HAVE_ARCH_KMSAN|USB_HID|MODULES"
)
"""The names that the facts cover; what selects some of them comes along as a helper."""

_ASKED = re.compile(r"CRYPTO\w*|ARM64_CRYPTO|NVMEM\w*|SUN50I_\w+")
"""Of those, the names whose prompts the facts are complete enough to ask about."""

PROBES = {"$(ld-option,--fix-cortex-a53-843419)": "y"}
"""What every toolchain that OpenWrt has used since kernel 5.10 answers."""


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a symbol is from one kernel version to another, both included."""

    since: str
    until: str
    definitions: tuple[Definition, ...]


class Document(msgspec.Struct, frozen=True):
    """``data/symbols.json``: see ``patchgen.openwrt.distil``, which makes it."""

    versions: tuple[str, ...]
    sources: dict[str, str]
    absent: dict[str, tuple[str, ...]]
    open: dict[str, tuple[str, ...]]
    gone: dict[str, str]
    symbols: dict[str, tuple[Row, ...]]


@lru_cache(maxsize=1)
def document() -> Document:
    """The shipped facts of all versions."""
    return msgspec.json.decode((DATA / "symbols.json").read_bytes(), type=Document)


def nearest_version(kernel: str) -> str:
    """The shipped version that stands in: the newest that is not newer, else the oldest."""
    wanted = KernelVersion.parse(kernel)
    versions = document().versions
    older = [v for v in versions if KernelVersion.parse(v) <= wanted]
    return older[-1] if older else versions[0]


@lru_cache(maxsize=32)
def facts_for(kernel: str) -> SymbolTable:
    """The shipped facts for an arm64 kernel of this version (or the nearest older one)."""
    shipped = document()
    version = nearest_version(kernel)
    number = KernelVersion.parse(version)
    symbols = {
        name: row.definitions
        for name, rows in shipped.symbols.items()
        for row in rows
        if KernelVersion.parse(row.since) <= number <= KernelVersion.parse(row.until)
    }
    symbols.update(_openwrt_symbols())
    gone = frozenset(n for n, v in shipped.gone.items() if KernelVersion.parse(v) <= number)
    return SymbolTable(
        kernel=kernel,
        arch="arm64",
        symbols=symbols,
        complete=False,
        elsewhere=frozenset(shipped.absent[version]),
        gone=gone.difference(symbols),
        open=frozenset(shipped.open[version]),
        helpers=frozenset(name for name in symbols if not _ASKED.fullmatch(name)),
        probes=PROBES,
        source=f"shipped facts for {version} ({shipped.sources[version]})",
    )


@lru_cache(maxsize=1)
def _openwrt_symbols() -> dict[str, tuple[Definition, ...]]:
    """Symbols that OpenWrt's own patches add and that select what a refresh has to know."""
    return msgspec.toml.decode(
        (DATA / "openwrt-symbols.toml").read_bytes(), type=dict[str, tuple[Definition, ...]]
    )
