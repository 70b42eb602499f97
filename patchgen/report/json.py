"""The JSON document of the command line contract (design: CLI, "JSON")."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from patchgen import __version__
from patchgen.findings import Finding, Skip, count_by_severity

if TYPE_CHECKING:
    from patchgen.report.document import Report


def json_document(
    command: str,
    series: Mapping[str, Any],
    findings: Sequence[Finding],
    skips: Sequence[Skip],
    **more: Any,
) -> dict[str, Any]:
    """One document: command, version, series, summary, ``more`` keys, skipped, findings."""
    return {
        "command": command,
        "version": __version__,
        "series": dict(series),
        "summary": dict(count_by_severity(findings)),
        **more,
        "skipped": [skip.as_json() for skip in skips],
        "findings": [finding.as_json() for finding in findings],
    }


def render_json(report: Report) -> str:
    """The report as JSON; ``rules`` says once a rule why it matters and how to silence it."""
    from patchgen.report.document import silence_entry

    by_check = {f.check: f for f in report.findings}
    document = json_document(
        report.command, report.series_json(), report.findings, report.skips,
        ran=[{"tool": name, "version": version} for name, version in report.ran],
        silenced=[{**finding.as_json(), "reason": reason} for finding, reason in report.silenced],
        rules={
            id: {"rule": check.rule, "why": check.why, "fix": check.fix,
                 "silence": silence_entry(by_check[id]) if id in by_check else None}
            for id, check in report.rules.items()
        },
    )
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
