"""What a series rule may look at: the mails, the tree, and what follows from both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from patchgen.checks.registry import get
from patchgen.findings import Finding, Severity
from patchgen.mail.apply import Applied, apply_series
from patchgen.mail.diffstat import TrueStat, count_changes
from patchgen.mail.model import FileChange, MailSeries, PatchMail
from patchgen.profiles import KernelProfile
from patchgen.tree import Tree


class SkipCheck(Exception):  # noqa: N818 - not an error: the reason why a rule cannot be judged
    """Raised by a rule that lacks what it needs; becomes a named skip."""


@dataclass
class SeriesContext:
    """One series under review. ``tree`` is what it is to be applied to, when that is known."""

    series: MailSeries
    tree: Tree | None = None
    kernel: KernelProfile | None = None

    @cached_property
    def applied(self) -> Applied:
        """The series applied in memory."""
        return apply_series(self.series, self.tree)

    @cached_property
    def stats(self) -> dict[int, TrueStat]:
        """The true diffstat of every patch, by number."""
        return {p.number: count_changes(p.changes) for p in self.series.patches}

    @cached_property
    def created(self) -> dict[str, int]:
        """Every path that the series creates and the first patch that does."""
        found: dict[str, int] = {}
        for patch in self.series.patches:
            for change in patch.changes:
                if change.kind in ("add", "copy", "rename") and change.new_path:
                    found.setdefault(change.new_path, patch.number)
        return found

    @cached_property
    def touched_by(self) -> dict[str, list[int]]:
        """Every path and the patches that touch it, in order."""
        found: dict[str, list[int]] = defaultdict(list)
        for patch in self.series.patches:
            for change in patch.changes:
                found[change.path].append(patch.number)
        return found

    @property
    def is_mailed(self) -> bool:
        """Whether there are mails with headers at all (a git range or bare diffs have none)."""
        return self.series.mailed and any(m.headers for m in self.series.mails)

    def changes(self) -> Iterator[tuple[PatchMail, FileChange]]:
        """Every file change with its patch."""
        for patch in self.series.patches:
            for change in patch.changes:
                yield patch, change


def in_mail(
    id: str,
    mail: PatchMail,
    message: str,
    *,
    line: int | None = None,
    severity: Severity | None = None,
    hint: str | None = None,
) -> Finding:
    """A finding at a line of a mail (its headers, message or diff as a text)."""
    return get(id).finding(
        message, severity=severity, hint=hint, patch=mail.number, file=mail.source, line=line
    )


def in_file(
    id: str,
    patch: int,
    path: str,
    line: int | None,
    message: str,
    *,
    severity: Severity | None = None,
    hint: str | None = None,
    column: int | None = None,
) -> Finding:
    """A finding at a line of a file as the patch leaves it."""
    return get(id).finding(
        message, severity=severity, hint=hint, patch=patch, file=path, line=line, column=column
    )


Findings = Iterator[Finding]
