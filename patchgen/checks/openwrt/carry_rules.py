"""Rules about what is missing: lost between kernel versions, or never switched on."""

from __future__ import annotations

from collections.abc import Iterator

from patchgen.checks.registry import check, get
from patchgen.findings import Finding
from patchgen.openwrt.audit import Audit
from patchgen.openwrt.carry import Lost, losses, pairs
from patchgen.openwrt.choice import choose
from patchgen.openwrt.config import format_line
from patchgen.openwrt.drivers import cpu_of

_SHOWN = 6


def lost_symbols(audit: Audit) -> dict[str, list[Lost]]:
    """The losses of every subtarget, by the file of the newer version; each symbol once."""
    found: dict[str, dict[str, Lost]] = {}
    for older, newer in pairs(audit.openwrt.stacks):
        if audit.kernel not in (None, newer.kernel):
            continue
        for lost in losses(older, newer, audit.table(newer), audit.filter):
            found.setdefault(lost.newer.path, {}).setdefault(lost.symbol, lost)
    return {path: list(symbols.values()) for path, symbols in sorted(found.items())}


@check(
    "openwrt-lost", scope="openwrt", severity="warning",
    rule="What a target switches on for one kernel version it switches on for the next, or "
         "says \"not set\".",
    why="A configuration copied for a new kernel misses what was added to the old one "
        "afterwards; nothing fails, and the feature is gone.",
    fix="add the line to the newer file, or # CONFIG_X is not set if that is meant",
)
def lost(audit: Audit) -> Iterator[Finding]:
    """Symbols that the older configuration has and the newer one silently lacks."""
    rule = get("openwrt-lost")
    for path, entries in lost_symbols(audit).items():
        unclear: list[Lost] = []
        for entry in entries:
            if entry.fate == "unknown":
                unclear.append(entry)
                continue
            yield rule.finding(
                f"{format_line(entry.symbol, entry.value)} of {entry.older.path}:{entry.line} "
                "is lost: the kernel still has it, and no layer sets it any more",
                file=path, line=entry.newer.config.place_of(entry.symbol),
            )
        if unclear:
            names = ", ".join(entry.symbol for entry in unclear[:_SHOWN])
            more = len(unclear) - _SHOWN
            which = "1 symbol" if len(unclear) == 1 else f"{len(unclear)} symbols"
            yield rule.finding(
                f"{which} of {unclear[0].older.path} in no layer of the next kernel: {names}"
                + (f" and {more} others" if more > 0 else ""),
                severity="note", hint="give --linux DIR to tell which of them still exist",
                file=path, line=1,
            )


@check(
    "openwrt-missing-asm", scope="openwrt", severity="warning",
    rule="Where the C version of an algorithm is built in, so is the assembly version that the "
         "CPU can run.",
    why="With the C version built in nothing loads the faster module, and users such as mac80211 "
        "keep the slow one.",
    fix="add the line; patchgen series openwrt-arm64-ce writes the patches",
)
def missing_asm(audit: Audit) -> Iterator[Finding]:
    """Assembly drivers that the choice rule wants and no layer sets."""
    rule = get("openwrt-missing-asm")
    for stack in audit.stacks:
        table = audit.table(stack)
        if table is None or stack.arch != "arm64":
            continue
        choice = choose(stack, table, filter_=audit.openwrt.filter)
        for driver in choice.missing if choice else ():
            there = [c for c in driver.accelerates if stack.merged.get(c) == "y"]
            yield rule.finding(
                f"{' and '.join(there)} {'are' if len(there) > 1 else 'is'} built in without "
                f"{driver.symbol}, which {cpu_of(stack).name} can run",
                file=stack.top.path, line=stack.top.config.place_of(driver.symbol),
            )

