"""Findings as lines for people: ``error 2/3 file:line message [check]`` and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from patchgen.findings import Finding, count_by_severity
from patchgen.mail.text import one_line


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
        where = place(finding)
        yield (
            f"{finding.severity}: {where + ': ' if where else ''}"
            f"{one_line(finding.message)} [{finding.check}]"
        )
        if finding.hint and finding.severity != "note":
            yield f"    fix: {one_line(finding.hint)}"


def summary_line(findings: Iterable[Finding]) -> str:
    """``2 errors, 1 warning``, notes only when there are some."""
    counts = count_by_severity(findings)
    parts = [f"{n} {name}{'s' * (n != 1)}" for name, n in counts.items() if n or name != "note"]
    return ", ".join(parts)
