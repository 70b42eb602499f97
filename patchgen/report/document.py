"""One report: a series or sources, findings, skips; every format is made from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from patchgen.checks.registry import Check, get
from patchgen.checks.silence import Silence
from patchgen.errors import InputError
from patchgen.findings import Finding, Severity, Skip, count_by_severity
from patchgen.mail.model import MailSeries
from patchgen.mail.text import one_line, printable

FORMATS = ("text", "json", "sarif", "junit", "html")


@dataclass(frozen=True)
class Report:
    """What was checked and found. All text in findings and skips is safe to show."""

    command: str
    series: MailSeries | None
    findings: tuple[Finding, ...]
    skips: tuple[Skip, ...]
    silenced: tuple[tuple[Finding, str], ...]
    ran: tuple[tuple[str, str], ...]

    @property
    def counts(self) -> dict[Severity, int]:
        """Findings of each severity."""
        return count_by_severity(self.findings)

    @property
    def rules(self) -> dict[str, Check]:
        """The rules behind the findings, silenced ones included, by id."""
        ids = {f.check for f in self.findings} | {f.check for f, _ in self.silenced}
        found: dict[str, Check] = {}
        for id in sorted(ids):
            try:
                found[id] = get(id)
            except InputError:
                continue
        return found

    def series_json(self) -> dict[str, object]:
        """What the series is, as JSON: title, version, and each mail's numbers."""
        series = self.series
        if series is None:
            return {}
        return {
            "title": printable(series.title),
            "version": series.version,
            "versions": list(series.versions),
            "expected": series.expected,
            "cover": series.cover is not None,
            "patches": [
                {"number": p.number, "subject": printable(p.subject.title),
                 "author": printable(str(p.author)) if p.author else None,
                 "file": printable(p.source),
                 "added": sum(c.counts[0] for c in p.changes),
                 "removed": sum(c.counts[1] for c in p.changes),
                 "paths": [printable(c.path) for c in p.changes]}
                for p in series.patches
            ],
            "others": [
                {"subject": printable(o.subject.raw), "reason": o.reason}
                for o in series.others[:100] if o.reason != "reply"
            ],
        }


def build_report(
    command: str,
    series: MailSeries | None,
    findings: Iterable[Finding],
    skips: Iterable[Skip] = (),
    silenced: Sequence[tuple[Finding, Silence]] = (),
    ran: Iterable[tuple[str, str]] = (),
) -> Report:
    """A report in which every text from outside is made harmless."""
    return Report(
        command, series, tuple(_safe(f) for f in findings),
        tuple(Skip(s.check, one_line(s.reason)) for s in skips),
        tuple((_safe(f), s.reason) for f, s in silenced), tuple(ran),
    )


def _safe(finding: Finding) -> Finding:
    return replace(
        finding, message=one_line(finding.message),
        hint=None if finding.hint is None else one_line(finding.hint),
        file=None if finding.file is None else printable(finding.file),
    )


def silence_entry(finding: Finding) -> str:
    """The ``[tool.patchgen]`` entry that would silence a finding, its reason left open."""
    lines = ["[[tool.patchgen.silence]]", f'check = "{finding.check}"']
    if finding.file is not None and '"' not in finding.file and "\\" not in finding.file:
        lines.append(f'path = "{finding.file}"')
    return "\n".join([*lines, 'reason = "…"'])


def render(report: Report, format: str) -> str:
    """The report as text of a format; raises ``InputError`` for an unknown one."""
    if format == "text":
        from patchgen.report.text import render_text

        return render_text(report)
    if format == "json":
        from patchgen.report.json import render_json

        return render_json(report)
    if format == "sarif":
        from patchgen.report.sarif import render_sarif

        return render_sarif(report)
    if format == "junit":
        from patchgen.report.junit import render_junit

        return render_junit(report)
    if format == "html":
        from patchgen.report.html import render_html

        return render_html(report)
    raise InputError(f"no format {format!r}", advice=f"there are: {', '.join(FORMATS)}")
