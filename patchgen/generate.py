"""The main job: plan, record, format, check, and only then write."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from patchgen import __version__
from patchgen.findings import Finding, Skip, count_by_severity
from patchgen.history import Commit, Scratch, commit_date, scratch
from patchgen.mail.cover import cover_text
from patchgen.mail.format import Mail, MailOptions, format_prerequisites, format_series
from patchgen.series.identity import Identity
from patchgen.series.load import Series
from patchgen.series.plan import Plan, PlannedPatch, PlanOptions, plan_series
from patchgen.tree import Base

Progress = Callable[[str], None]

_TRAILER = re.compile(r"[A-Z][A-Za-z-]*(-by|Fixes|Link|Closes|Cc)?: \S")


@dataclass(frozen=True, slots=True)
class Generated:
    """A series as mails, with what the checks said about it."""

    plan: Plan
    mails: tuple[Mail, ...]
    prerequisites: tuple[Mail, ...]
    findings: tuple[Finding, ...]
    skips: tuple[Skip, ...]
    options: MailOptions
    stats: tuple[tuple[int, int, int], ...] = field(default=())
    """Files, added and removed lines of each patch."""

    @property
    def has_errors(self) -> bool:
        """Whether a check found an error."""
        return count_by_severity(self.findings)["error"] > 0

    def files(self) -> dict[str, bytes]:
        """The output folder: relative path to bytes."""
        files = {mail.name: mail.data for mail in self.mails}
        files |= {f"prerequisites/{mail.name}": mail.data for mail in self.prerequisites}
        files["series.json"] = (json.dumps(self.description(), indent=2) + "\n").encode("utf-8")
        return files

    def description(self) -> dict[str, object]:
        """``series.json``: what was generated from what."""
        plan = self.plan
        return {
            "series": plan.series.name,
            "title": plan.series.spec.title,
            "version": self.options.version,
            "patchgen": __version__,
            "author": str(plan.identity),
            "placeholder_author": plan.identity.is_placeholder,
            "base": {
                "kind": {"EmbeddedBase": "embedded", "DirectoryBase": "directory",
                         "GitBase": "git"}[type(plan.base).__name__],
                "description": plan.base.description,
                "commit": plan.base.commit,
            },
            "profile": str(plan.profile.version),
            "prerequisites": [mail.name for mail in self.prerequisites],
            "patches": [
                {"number": number, "subject": patch.subject, "mail": mail.name,
                 "files": list(patch.paths), "added": stat[1], "removed": stat[2]}
                for number, (patch, mail, stat) in enumerate(
                    zip(plan.patches, self.mails[1:], self.stats, strict=True), start=1)
            ],
            "already_applied": [
                {"number": a.number, "subject": a.subject, "where": a.where} for a in plan.applied
            ],
            "vectors": list(plan.series.spec.vectors),
            "checks": {
                "findings": count_by_severity(self.findings),
                "skipped": [skip.as_json() for skip in self.skips],
            },
        }


def generate(
    series: Series, base: Base | None, plan_options: PlanOptions, mail_options: MailOptions,
    *, ignore: frozenset[str] = frozenset(), progress: Progress = lambda _: None,
) -> Generated:
    """Make the mails of a series and check them; nothing is written.

    ``ignore`` names checks to leave out. Raises ``AlreadyAppliedError``, ``InputError``.
    """
    from patchgen.checks.plan import check_plan

    progress("planning")
    plan = plan_series(series, base, plan_options)
    with scratch(plan.identity, commit_date(series.spec.date), plan.base) as repository:
        progress("recording commits")
        recorded = repository.record(
            plan.start,
            [_commit(patch, plan.identity) for patch in plan.prerequisites],
            [_commit(patch, plan.identity) for patch in plan.patches],
        )
        progress("writing mails")
        body = cover_text(plan, mail_options.version)
        mails = format_series(repository, recorded, series.spec.title, body, mail_options)
        prerequisites = format_prerequisites(repository, recorded)
        stats = _stats(repository, recorded.patches)
        progress("checking")
        findings, skips = check_plan(plan, mails, repository, recorded, mail_options,
                                     ignore=ignore, progress=progress)
    return Generated(plan, mails, prerequisites, findings, skips, mail_options, stats)


def commit_message(subject: str, body: str, identity: Identity) -> str:
    """A commit message with its sign-off, in one block with other trailers."""
    text = body.strip()
    signed = f"Signed-off-by: {identity}"
    last = text.rpartition("\n\n")[2]
    joint = "\n" if text and all(_TRAILER.match(line) for line in last.splitlines()) else "\n\n"
    return f"{subject}\n\n{text}{joint}{signed}\n" if text else f"{subject}\n\n{signed}\n"


def _commit(patch: PlannedPatch, identity: Identity) -> Commit:
    return Commit(commit_message(patch.subject, patch.body, identity), patch.after)


def _stats(repository: Scratch, commits: tuple[str, ...]) -> tuple[tuple[int, int, int], ...]:
    stats = []
    for commit in commits:
        done = repository.git("diff-tree", "--numstat", "-r", "--no-commit-id", "-z", commit)
        rows = [row.split("\t") for row in done.text.split("\0") if row]
        counts = [(int(a) if a != "-" else 0, int(b) if b != "-" else 0) for a, b, _ in rows]
        stats.append((len(rows), sum(a for a, _ in counts), sum(b for _, b in counts)))
    return tuple(stats)
