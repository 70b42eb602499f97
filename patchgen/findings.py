"""Findings: what a check says about a series, as data (architecture page, "finding")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark of one check.

    ``check`` is the stable, lower-case, hyphenated id. ``patch`` is the number of the patch
    in its series (0 is the cover letter); ``line`` and ``column`` count from 1. Errors and
    warnings are what a reviewer would object to; a note never is.
    """

    check: str
    severity: Severity
    message: str
    hint: str | None = None
    patch: int | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def as_json(self) -> dict[str, object]:
        """The finding in the shape of the command line contract."""
        return {
            "check": self.check,
            "severity": self.severity,
            "patch": self.patch,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "message": self.message,
            "hint": self.hint,
        }


@dataclass(frozen=True, slots=True)
class Skip:
    """A check that could not run, and why: never a silent pass."""

    check: str
    reason: str

    def as_json(self) -> dict[str, object]:
        """The skip in the shape of the command line contract."""
        return {"check": self.check, "reason": self.reason}


def count_by_severity(findings: Iterable[Finding]) -> dict[Severity, int]:
    """How many findings there are of each severity; all three keys are present."""
    counts: dict[Severity, int] = dict.fromkeys(SEVERITIES, 0)
    for finding in findings:
        counts[finding.severity] += 1
    return counts


def sort_key(finding: Finding) -> tuple[int, int, str, int, int, str]:
    """Order for people: severity, then patch, file, line, column, check id."""
    return (
        SEVERITIES.index(finding.severity),
        -1 if finding.patch is None else finding.patch,
        finding.file or "",
        finding.line or 0,
        finding.column or 0,
        finding.check,
    )
