"""Rules for a series of mails by anyone: what checkpatch, which sees one mail, cannot see."""

from __future__ import annotations

import importlib
from collections.abc import Collection
from typing import TYPE_CHECKING

from patchgen.findings import Finding, Skip, sort_key
from patchgen.mail.model import MailSeries
from patchgen.profiles import KernelProfile
from patchgen.tree import Tree

if TYPE_CHECKING:
    from patchgen.checks.series.context import SeriesContext

MODULES = (
    "numbering",
    "threading",
    "cover",
    "stat",
    "changelog",
    "subjects",
    "messages",
    "signoff",
    "tags",
    "fixes",
    "bases",
    "applying",
    "repairs",
    "order",
    "symbols",
    "hunks",
    "whitespace",
    "transport",
    "recipients",
    "files",
    "maintainers",
    "wording",
)


def check_series(
    series: MailSeries,
    *,
    tree: Tree | None = None,
    kernel: KernelProfile | None = None,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
) -> tuple[list[Finding], list[Skip]]:
    """Run every series rule (or only ``select``, without ``ignore``) on a series.

    The tree, when given, is what the series is to be applied to. Findings come sorted by
    weight; a rule that cannot be judged (no tree, no history) is a named skip.
    """
    from patchgen.checks.series.context import SeriesContext

    return check_context(SeriesContext(series, tree, kernel), select=select, ignore=ignore)


def check_context(
    context: SeriesContext, *, select: Collection[str] = (), ignore: Collection[str] = ()
) -> tuple[list[Finding], list[Skip]]:
    """``check_series`` for a context that the caller keeps, to share what it works out."""
    from patchgen.checks.registry import registered
    from patchgen.checks.series.context import SkipCheck

    for name in MODULES:
        importlib.import_module(f"patchgen.checks.series.{name}")
    findings: list[Finding] = []
    skips: list[Skip] = []
    for check in sorted(registered("series"), key=lambda c: c.id):
        if (select and check.id not in select) or check.id in ignore:
            continue
        try:
            findings.extend(check.function(context))
        except SkipCheck as reason:
            skips.append(Skip(check.id, str(reason)))
    return sorted(findings, key=lambda f: (*sort_key(f), f.message)), skips
