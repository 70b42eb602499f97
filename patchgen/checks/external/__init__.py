"""Other people's checkers: their output as findings of the same shape."""

from __future__ import annotations

from dataclasses import dataclass, field

from patchgen.findings import Finding, Skip


@dataclass
class External:
    """What external checkers said. ``ran`` are names and versions."""

    findings: list[Finding] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    ran: list[tuple[str, str]] = field(default_factory=list)


def run_external(series: object, results: object, tree: object, options: object) -> External:
    """Placeholder until the runners land."""
    return External()
