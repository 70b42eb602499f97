"""The JSON document of the command line contract (design: CLI, "JSON")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from patchgen import __version__
from patchgen.findings import Finding, Skip, count_by_severity


def json_document(
    command: str,
    series: Mapping[str, Any],
    findings: Sequence[Finding],
    skips: Sequence[Skip],
    **more: Any,
) -> dict[str, Any]:
    """One document: command, version, series, summary, skipped and findings, in that order.

    ``more`` are further keys, put before the findings. Text is kept as it is: JSON escapes
    control characters, so nothing can act on a terminal.
    """
    return {
        "command": command,
        "version": __version__,
        "series": dict(series),
        "summary": dict(count_by_severity(findings)),
        **more,
        "skipped": [skip.as_json() for skip in skips],
        "findings": [finding.as_json() for finding in findings],
    }
