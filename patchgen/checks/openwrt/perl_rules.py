"""The tree's own kconfig.pl as a second opinion on what the layers come to."""

from __future__ import annotations

from collections.abc import Iterator

from patchgen import process
from patchgen.checks.registry import check, get
from patchgen.findings import Finding
from patchgen.openwrt.audit import Audit
from patchgen.openwrt.perl import SCRIPT, disagreements

_COMPARED = 6


@check(
    "openwrt-kconfig-pl", scope="openwrt", severity="error",
    rule="patchgen and the tree's own scripts/kconfig.pl agree on what the layers come to.",
    why="Every other finding and every computed patch rests on the merge; a script that works "
        "otherwise would make them wrong.",
    fix="report it with the two lines; the script may have changed its rules",
)
def second_opinion(audit: Audit) -> Iterator[Finding]:
    """Merge and fixed point of some stacks, compared with the script where there is one."""
    rule = get("openwrt-kconfig-pl")
    if not audit.openwrt.tree.exists(SCRIPT) or not process.have_tool("perl"):
        return
    step = max(1, len(audit.stacks) // _COMPARED)
    for found in disagreements(audit.openwrt, audit.stacks[::step][:_COMPARED]):
        yield rule.finding(
            f"{found.stack} {found.kernel}: {found.expression}: the script says "
            f"{found.script!r}, patchgen {found.patchgen!r}", file=SCRIPT, line=1,
        )
