"""A cover letter claims only what a log of the series shows."""

from __future__ import annotations

from collections.abc import Iterator

from patchgen.checks.registry import check as register
from patchgen.checks.registry import get
from patchgen.findings import Finding
from patchgen.mail.cover import cover_text, table_logs
from patchgen.series.plan import Plan


@register(
    "cover-claims", scope="plan", severity="error",
    rule="Every figure of speed in the cover letter comes from a log of the series",
    why="A number that nobody can trace is a number that nobody measured.",
    fix="put the log into the series' logs folder, or take the figure out of the letter",
)
def check(plan: Plan, version: int) -> Iterator[Finding]:
    """Compare rows, rates, ratios and percentages of the letter with the logs."""
    from patchgen.bench.claims import Table, unsupported

    series = plan.series
    tables = [Table(table_logs(series, name), spec.kind, spec.options)
              for name, spec in series.spec.table.items()]
    for claim in unsupported(cover_text(plan, version), tables):
        yield get("cover-claims").finding(
            f"no log says {claim.text!r}", patch=0, file=series.spec.cover, line=claim.line)
