"""What changed since the last version: told, and told below the cut."""

from __future__ import annotations

import re

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_mail
from patchgen.checks.series.covertext import numbered_text
from patchgen.mail.model import PatchMail

_LIST_HEAD = re.compile(
    r"\s*(?:[-*=#]+\s*)?\[?(?:"
    r"(?:changes?|changed|changelog|change log|history)\b[^.]{0,30}?\bv(?:ersion\s*)?\.?\d+"
    r"|v\d+\s*(?:->|=>|\u2192|\u2014>|to)\s*v\d+"
    r"|since\s+v\d+|(?:rfc\s+)?v\d+\s*(?:\([^)]*\))?\s*:(?!//)(?!\s*<?https?://\S*\s*$)|in\s+v\d+\s*:"
    r"|v\d+\s+changes)",
    re.IGNORECASE,
)
_ANY_VERSION = re.compile(r"\bv(?:ersion\s*)?\.?(\d{1,4})\b", re.IGNORECASE)
_HEAD_ONLY = re.compile(r"\s*(?:changes?|changelog|change log|history)\s*:?\s*$", re.IGNORECASE)


def changelog_lines(mail: PatchMail) -> list[tuple[int, str]]:
    """Lines that begin a changelog where it belongs: in the cover, or below the cut."""
    lines = numbered_text(mail) if not mail.changes else [*enumerate(mail.below, mail.below_line)]
    return [(n, line) for n, line in lines if _LIST_HEAD.match(line) or _HEAD_ONLY.match(line)]


@check(
    "changelog-missing",
    scope="series",
    severity="warning",
    rule="From v2 on, cover letter or patches say what changed since the version before",
    why="Reviewers of v1 otherwise have to compare every line again.",
    fix="add 'Changes in vN:' to the cover letter, or below the --- line of each patch",
)
def changelog_missing(context: SeriesContext) -> Findings:
    """No changelog at all, or one that does not reach this version."""
    series = context.series
    version = series.version
    if version < 2 or not context.is_mailed or any(m.subject.resend for m in series.mails):
        return
    heads = [line for mail in series.mails for _, line in changelog_lines(mail)]
    versions = {int(v) for line in heads for v in _ANY_VERSION.findall(line)}
    told = series.cover or (series.patches[0] if series.patches else None)
    if told is None or (heads and not versions):
        return
    if not heads:
        yield in_mail("changelog-missing", told, f"version {version} without a changelog")
    elif not versions & {version, version - 1}:
        yield in_mail(
            "changelog-missing", told, f"the changelog ends at v{max(versions)}, this is v{version}"
        )


@check(
    "changelog-place",
    scope="series",
    severity="warning",
    rule="A patch's changelog stands below the --- line",
    why="Everything above it becomes git history, where versions of a mail mean nothing.",
    fix="move the list below the --- line (git notes, or format-patch --notes)",
)
def changelog_place(context: SeriesContext) -> Findings:
    """Lists of versions in commit messages (drm keeps them there by custom)."""
    for patch in context.series.patches:
        if patch.subject.title.startswith("drm"):
            continue
        for number, line in enumerate(patch.message, patch.message_line):
            if _LIST_HEAD.match(line):
                yield in_mail(
                    "changelog-place",
                    patch,
                    "a list of changes between versions in the commit message",
                    line=number,
                )
                break
