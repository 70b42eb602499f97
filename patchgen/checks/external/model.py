"""What every runner of an external checker returns."""

from __future__ import annotations

from dataclasses import dataclass, field

from patchgen.findings import Finding, Skip


@dataclass
class External:
    """Findings, skips, and ``(name, version)`` of what ran."""

    findings: list[Finding] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    ran: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: External) -> None:
        """Take in another runner's results."""
        self.findings += other.findings
        self.skips += other.skips
        self.ran += other.ran
