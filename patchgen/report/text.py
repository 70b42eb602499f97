"""Findings as lines for people: where, what, why it matters, how to mend it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from patchgen.findings import Finding, count_by_severity
from patchgen.mail.text import one_line

if TYPE_CHECKING:
    from patchgen.report.document import Report


def place(finding: Finding) -> str:
    """Where a finding is: ``patch 2``, ``patch 2, file.c:83:9``; empty when it has no place."""
    parts = []
    if finding.patch is not None:
        parts.append("cover letter" if finding.patch == 0 else f"patch {finding.patch}")
    if finding.file is not None:
        where = one_line(finding.file)
        if finding.line is not None:
            where += f":{finding.line}"
            if finding.column is not None:
                where += f":{finding.column}"
        parts.append(where)
    return ", ".join(parts)


def finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """One or two lines a finding; control characters and line breaks are neutralised."""
    for finding in findings:
        yield _first_line(finding)
        if finding.hint and finding.severity != "note":
            yield f"    fix: {one_line(finding.hint)}"


def _first_line(finding: Finding) -> str:
    where = place(finding)
    return (f"{finding.severity}: {where + ': ' if where else ''}"
            f"{one_line(finding.message)} [{finding.check}]")


def summary_line(findings: Iterable[Finding]) -> str:
    """``2 errors, 1 warning``, notes only when there are some."""
    counts = count_by_severity(findings)
    parts = [f"{n} {name}{'s' * (n != 1)}" for name, n in counts.items() if n or name != "note"]
    return ", ".join(parts)


def render_text(report: Report) -> str:
    """The whole report; why a rule matters stands at its first finding."""
    lines: list[str] = []
    series = report.series
    if series is not None:
        patches = f"{len(series.patches)} patch{'es' * (len(series.patches) != 1)}"
        lines.append(f"{one_line(series.title) or '(no subject)'}: v{series.version}, {patches}"
                     f"{', cover letter' if series.cover else ''}")
        lines += _others(report)
    explained: set[str] = set()
    rules = report.rules
    for finding in report.findings:
        lines.append(_first_line(finding))
        rule = rules.get(finding.check)
        if rule is not None and finding.check not in explained and finding.severity != "note":
            explained.add(finding.check)
            lines.append(f"    why: {rule.why}")
        if finding.hint and finding.severity != "note":
            lines.append(f"    fix: {finding.hint}")
    for finding, reason in report.silenced:
        lines.append(f"silenced: {_first_line(finding)}: {one_line(reason)}")
    for name, version in report.ran:
        lines.append(f"ran: {name} {one_line(version)}".rstrip())
    for skip in report.skips:
        lines.append(f"skipped: {skip.check}: {skip.reason}")
    lines.append(summary_line(report.findings))
    if any(f.severity != "note" for f in report.findings):
        lines.append("patchgen checks ID explains a rule; [[tool.patchgen.silence]] in "
                     "pyproject.toml silences a finding with a reason")
    return "\n".join(lines) + "\n"


def _others(report: Report) -> Iterator[str]:
    """What else was in the input and has not been checked."""
    assert report.series is not None
    others = [o for o in report.series.others if o.reason in ("other-series", "other-version")]
    versions = [v for v in report.series.versions if v != report.series.version]
    if versions:
        yield f"not checked: version{'s' * (len(versions) > 1)} " + ", ".join(
            f"v{v}" for v in versions)
    series = [o for o in others if o.reason == "other-series"]
    for other in series[:5]:
        yield f"not checked: another series in the input, {one_line(other.subject.title)!r}"
    if len(series) > 5:
        yield f"not checked: {len(series) - 5} more series"
