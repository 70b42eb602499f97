"""Rules that need nothing but one configuration file and the layers below it."""

from __future__ import annotations

from collections.abc import Iterator

from patchgen.checks.registry import check, get
from patchgen.findings import Finding
from patchgen.openwrt import algebra
from patchgen.openwrt.audit import Audit
from patchgen.openwrt.config import ADVICE, format_line

_WHAT = {
    "crlf": "ends in CR LF; the build would read the CR as part of the value",
    "conflict": "is a merge conflict marker",
    "empty": "has no value, and the build drops it",
    "unparsable": "is neither a value nor a \"not set\" line, and the build drops it",
}


@check(
    "openwrt-syntax", scope="openwrt", severity="error",
    rule="Every line is CONFIG_X=value or # CONFIG_X is not set, with Unix line ends.",
    why="kconfig.pl warns about other lines on stderr and drops them; the symbol then silently "
        "has the value of a lower layer.",
    fix="write CONFIG_X=value or # CONFIG_X is not set",
)
def syntax(audit: Audit) -> Iterator[Finding]:
    """Lines that the build would drop or misread."""
    rule = get("openwrt-syntax")
    for use in audit.uses:
        crlf = [line for line in use.layer.config.problems if line.problem == "crlf"]
        if crlf:
            yield rule.finding(f"{_WHAT['crlf']} ({len(crlf)} such lines)", hint=ADVICE["crlf"],
                               file=use.layer.path, line=crlf[0].number)
        for line in use.layer.config.problems:
            if line.problem is not None and line.problem != "crlf":
                yield rule.finding(f"{line.text.strip()[:60]!r} {_WHAT[line.problem]}",
                                   hint=ADVICE[line.problem], file=use.layer.path,
                                   line=line.number)


@check(
    "openwrt-duplicate", scope="openwrt", severity="warning",
    rule="A configuration file holds each symbol once.",
    why="The last line wins, so a reader of the first one is misled, and an edit of it has no "
        "effect.",
    fix="keep the line that is meant and delete the other",
)
def duplicate(audit: Audit) -> Iterator[Finding]:
    """Symbols that one file holds twice."""
    rule = get("openwrt-duplicate")
    for use in audit.uses:
        for earlier, later in use.layer.config.duplicates:
            same = "again" if earlier.value == later.value else "with another value"
            yield rule.finding(
                f"{later.symbol} is given {same}; line {earlier.number} has no effect",
                file=use.layer.path, line=later.number,
            )


@check(
    "openwrt-order", scope="openwrt", severity="warning",
    rule="Symbols are sorted by name, \"not set\" lines among the others.",
    why="The next make kernel_oldconfig moves the line, and the move hides in an unrelated "
        "change.",
    fix="run make kernel_oldconfig, or patchgen validate --fix",
)
def order(audit: Audit) -> Iterator[Finding]:
    """Lines that are out of order."""
    rule = get("openwrt-order")
    for use in audit.uses:
        for line, before in use.layer.config.misplaced:
            where = f"before {before}" if before else "at the end"
            yield rule.finding(f"{line.symbol} is out of order: it belongs {where}",
                               file=use.layer.path, line=line.number)


@check(
    "openwrt-redundant", scope="openwrt", severity="warning",
    rule="A layer holds only what differs from the layers below it.",
    why="The line does nothing today, and it will keep an old value when the lower layer "
        "changes.",
    fix="delete the line, or run make kernel_oldconfig",
)
def redundant(audit: Audit) -> Iterator[Finding]:
    """Lines that repeat the merge of the lower layers."""
    rule = get("openwrt-redundant")
    for use in audit.target_uses:
        below = [use.below(stack) for stack in use.stacks]
        for symbol, value in use.layer.config.values.items():
            if all(symbol in merged and merged[symbol] == value for merged in below):
                source = next(
                    layer for layer in reversed(use.stacks[0].layers)
                    if layer.path != use.layer.path and symbol in layer.config.values
                )
                yield rule.finding(
                    f"{format_line(symbol, value)!r} repeats {source.path}",
                    file=use.layer.path, line=use.layer.config.where[symbol],
                )


@check(
    "openwrt-filtered", scope="openwrt", severity="warning",
    rule="No target layer holds a symbol that config-filter drops.",
    why="Such symbols follow from the toolchain or the architecture; a line for them is stale "
        "as soon as either changes, and a refresh deletes it.",
    fix="delete the line",
)
def filtered(audit: Audit) -> Iterator[Finding]:
    """Lines for symbols that config-filter names."""
    rule = get("openwrt-filtered")
    for use in audit.target_uses:
        for symbol, line in use.layer.config.where.items():
            if algebra.matches(symbol, audit.filter):
                yield rule.finding(f"{symbol} is one of those that config-filter drops",
                                   file=use.layer.path, line=line)


@check(
    "openwrt-no-generic", scope="openwrt", severity="warning",
    rule="Every config-X.Y has a generic/config-X.Y below it.",
    why="Without it the layer is merged with nothing, and the build stops at thousands of "
        "prompts; usually the file was left behind by a kernel bump.",
    fix="delete the file, or add generic/config-X.Y",
)
def no_generic(audit: Audit) -> Iterator[Finding]:
    """Configuration files whose kernel version generic does not have."""
    rule = get("openwrt-no-generic")
    for path, version in audit.openwrt.missing_generic():
        if audit.kernel in (None, version):
            yield rule.finding(f"there is no generic/config-{version}", file=path, line=1)


@check(
    "openwrt-conflict", scope="openwrt", severity="warning",
    rule="A target layer does not set what every subtarget sets otherwise.",
    why="The target's value never takes effect, yet whoever reads or edits that file believes "
        "it does.",
    fix="give the target layer the value that all subtargets use, and delete it from them",
)
def conflict(audit: Audit) -> Iterator[Finding]:
    """Values of a target that all its subtargets override with one and the same other value."""
    rule = get("openwrt-conflict")
    for use in audit.target_uses:
        if "/" in use.layer.name or len(use.stacks) < 2:
            continue
        for symbol, value in use.layer.config.values.items():
            tops = [stack.top.config.values for stack in use.stacks
                    if stack.top.path != use.layer.path]
            others = {top[symbol] for top in tops if symbol in top}
            overridden = all(symbol in top for top in tops) and len(tops) == len(use.stacks)
            if overridden and len(others) == 1 and others != {value}:
                other = others.pop()
                yield rule.finding(
                    f"{format_line(symbol, value)!r} never holds: every subtarget says "
                    f"{format_line(symbol, other)!r}",
                    severity="note" if use.may_have_others else "warning",
                    file=use.layer.path, line=use.layer.config.where[symbol],
                )
