"""Rules that need to know the kernel's symbols: from its Kconfig, or from the shipped facts."""

from __future__ import annotations

from collections.abc import Iterator

from patchgen.checks.registry import check, get
from patchgen.findings import Finding, Severity
from patchgen.openwrt.audit import Audit, LayerUse
from patchgen.openwrt.config import format_line
from patchgen.openwrt.evaluate import Unmet
from patchgen.openwrt.layers import Stack
from patchgen.openwrt.patched import is_foreign


def _dead_in(audit: Audit, use: LayerUse, symbol: str) -> Unmet | None:
    """Why a line has no effect in any stack of its file; None when it may have one."""
    found: Unmet | None = None
    for stack in use.stacks:
        evaluator = audit.evaluator(stack)
        if evaluator is None:
            return None
        if symbol in evaluator.table.elsewhere:
            unmet: Unmet | None = Unmet(f"{stack.arch} does not have it", None, absent=True)
        elif evaluator.table.type_of(symbol) not in ("bool", "tristate"):
            return None
        else:
            unmet = evaluator.unmet(symbol)
        if unmet is None:
            return None
        found = found or unmet
    return found


def _on_and_known(audit: Audit, use: LayerUse) -> list[str]:
    """The symbols that the file switches on and that some stack's table says something about."""
    tables = {id(table): table for table in map(audit.table, use.stacks) if table is not None}
    return [
        symbol for symbol, value in use.layer.config.values.items()
        if value in ("y", "m")
        and any(symbol in table or symbol in table.elsewhere for table in tables.values())
    ]


def _foreign(audit: Audit, stack: Stack) -> bool:
    table = audit.table(stack)
    return table is not None and is_foreign(stack, table)


@check(
    "openwrt-dead", scope="openwrt", severity="warning",
    rule="A line that switches a symbol on has its dependencies met.",
    why="Kconfig drops the line without a word, so the feature is off although the file says "
        "otherwise.",
    fix="switch on what it depends on in the same layer, or delete the line",
)
def dead(audit: Audit) -> Iterator[Finding]:
    """Lines whose dependencies can never be met in the merged configuration."""
    rule = get("openwrt-dead")
    for use in audit.target_uses:
        patched = any(_foreign(audit, stack) for stack in use.stacks)
        for symbol in _on_and_known(audit, use):
            if _is_32bit(audit, use, symbol):
                continue
            value = use.layer.config.values[symbol]
            unmet = _dead_in(audit, use, symbol)
            if unmet is None or (use.may_have_others and unmet.nothing_selects):
                continue
            off = unmet.symbol is not None and any(
                stack.merged.get(unmet.symbol, "y") in (None, "n") for stack in use.stacks)
            unsure = use.may_have_others or (patched and not off and not unmet.absent)
            severity: Severity = "note" if unsure else "warning"
            what = (f"it needs {unmet.symbol}, which is off" if unmet.symbol
                    else unmet.condition if unmet.nothing_selects or unmet.absent
                    else f"it needs {unmet.condition}")
            yield rule.finding(f"{format_line(symbol, value)!r} has no effect: {what}",
                               severity=severity, file=use.layer.path,
                               line=use.layer.config.where[symbol])


@check(
    "openwrt-unknown-symbol", scope="openwrt", severity="warning",
    rule="Every symbol is defined in a Kconfig file of the kernel or of OpenWrt's patches.",
    why="The line does nothing: the symbol was renamed or removed, and what it stood for may be "
        "lost.",
    fix="look up what became of the symbol, and delete the line or write the new name",
)
def unknown_symbol(audit: Audit) -> Iterator[Finding]:
    """Symbols that no Kconfig of the kernel has; without Linux, those known to be gone."""
    rule = get("openwrt-unknown-symbol")
    for use in audit.uses:
        tables = [(stack, audit.table(stack)) for stack in use.stacks]
        known = [(stack, table) for stack, table in tables if table is not None]
        if not known or len({stack.kernel for stack, _ in known}) > 1:
            continue
        stack, table = known[0]
        added = frozenset[str]().union(*(
            audit.patched.of(one) for one, _ in known if table.complete))
        for symbol, line in use.layer.config.where.items():
            gone = symbol in table.gone or (
                table.complete and symbol not in table and symbol not in table.elsewhere
                and symbol not in added
            )
            if gone:
                unset = use.layer.config.values[symbol] in (None, "n")
                yield rule.finding(
                    f"Linux {stack.kernel} has no symbol {symbol}",
                    severity="note" if unset or use.layer.name == "generic" else "warning",
                    file=use.layer.path, line=line,
                )


def _is_32bit(audit: Audit, use: LayerUse, symbol: str) -> bool:
    """Whether the symbol is one of 32-bit Arm that arm64 does not have or can never use."""
    for stack in use.stacks:
        if stack.arch != "arm64":
            continue
        evaluator = audit.evaluator(stack)
        if evaluator is None:
            continue
        table = evaluator.table
        if symbol not in table:
            if audit.linux is not None and table.complete:
                return symbol in table.elsewhere and symbol in audit.linux.table("arm")
            return symbol in table.elsewhere and (
                symbol == "ARM_CRYPTO" or symbol.startswith("CRYPTO_"))
        unmet = evaluator.unmet(symbol)
        return unmet is not None and unmet.symbol == "ARM"
    return False


@check(
    "openwrt-32bit-symbol", scope="openwrt", severity="warning",
    rule="Layers of 64-bit subtargets hold no symbols of 32-bit Arm.",
    why="arm64 has no such symbol: the line accelerates nothing there, and the 64-bit version "
        "has another name.",
    fix="move the line to the 32-bit subtargets, and set the ARM64 symbol for the others",
)
def wrong_width(audit: Audit) -> Iterator[Finding]:
    """Symbols of 32-bit Arm in layers that arm64 subtargets use."""
    rule = get("openwrt-32bit-symbol")
    for use in audit.target_uses:
        names = sorted({stack.name for stack in use.stacks if stack.arch == "arm64"})
        if not names:
            continue
        found = [s for s in _on_and_known(audit, use) if _is_32bit(audit, use, s)]
        crypto = [symbol for symbol in found if symbol == "ARM_CRYPTO" or "CRYPTO_" in symbol]
        shared = "/" not in use.layer.name and len(names) < len({s.name for s in use.stacks})
        loud = crypto if shared or use.may_have_others else found
        for symbol in loud:
            yield rule.finding(
                f"{symbol} is of 32-bit Arm and has no effect on {', '.join(names)}",
                file=use.layer.path, line=use.layer.config.where[symbol],
            )
        quiet = [symbol for symbol in found if symbol not in loud]
        if quiet:
            yield rule.finding(
                f"{len(quiet)} more symbols of 32-bit Arm have no effect on {', '.join(names)}: "
                f"{', '.join(quiet[:8])}{' …' if len(quiet) > 8 else ''}",
                severity="note", file=use.layer.path, line=use.layer.config.where[quiet[0]],
            )


@check(
    "openwrt-unanswered", scope="openwrt", severity="warning",
    rule="Every prompt that the merged configuration opens has an answer in some layer.",
    why="The build stops and asks (NEW), or dies where nobody can answer.",
    fix="write # CONFIG_X is not set into generic, or a value into the target",
)
def unanswered(audit: Audit) -> Iterator[Finding]:
    """Prompts that no layer answers."""
    rule = get("openwrt-unanswered")
    for stack in audit.stacks:
        evaluator = audit.evaluator(stack)
        if evaluator is None:
            continue
        exact = evaluator.table.complete
        for symbol in evaluator.unanswered():
            yield rule.finding(
                f"{symbol} is new in {stack.kernel} and no layer answers it",
                severity="note" if exact and _foreign(audit, stack) else "warning",
                file=stack.top.path, line=stack.top.config.place_of(symbol),
            )
