"""SARIF 2.1.0 (OASIS standard): one run, a rule each check, a result each finding."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from patchgen import __version__
from patchgen.findings import Finding
from patchgen.report.document import Report, silence_entry

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


def render_sarif(report: Report) -> str:
    """The report as a SARIF log."""
    rules = list(report.rules.values())
    index = {rule.id: n for n, rule in enumerate(rules)}
    results = [_result(f, index) for f in report.findings]
    for finding, reason in report.silenced:
        results.append({**_result(finding, index), "suppressions": [
            {"kind": "external", "status": "accepted", "justification": reason}]})
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "patchgen",
                "version": __version__,
                "rules": [{
                    "id": rule.id,
                    "shortDescription": {"text": rule.rule},
                    "fullDescription": {"text": rule.why},
                    "help": {"text": f"{rule.fix}\n\nTo silence it with a reason:\n"
                             f"[[tool.patchgen.silence]]\ncheck = \"{rule.id}\"\nreason = \"…\""},
                    "defaultConfiguration": {"level": rule.severity},
                } for rule in rules],
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {"level": "note", "message": {"text": f"{s.check} skipped: {s.reason}"}}
                    for s in report.skips
                ],
            }],
            "results": results,
        }],
    }
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _result(finding: Finding, index: dict[str, int]) -> dict[str, Any]:
    text = finding.message if not finding.hint else f"{finding.message}. Fix: {finding.hint}"
    result: dict[str, Any] = {
        "ruleId": finding.check,
        "level": finding.severity,
        "message": {"text": text},
        "properties": {"patch": finding.patch, "silence": silence_entry(finding)},
    }
    if finding.check in index:
        result["ruleIndex"] = index[finding.check]
    if finding.file is not None:
        region: dict[str, int] = {}
        if finding.line is not None:
            region["startLine"] = max(finding.line, 1)
            if finding.column is not None:
                region["startColumn"] = max(finding.column, 1)
        location: dict[str, Any] = {"artifactLocation": {"uri": quote(finding.file)}}
        if region:
            location["region"] = region
        result["locations"] = [{"physicalLocation": location}]
    return result
