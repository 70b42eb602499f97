"""Fixes: tags, their form and (with a git tree) their truth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, SkipCheck, in_mail
from patchgen.checks.series.history import Repository, repository_of
from patchgen.findings import Finding
from patchgen.mail.model import PatchMail

_TAG = re.compile(r"(?P<commit>commit\s+)?(?P<sha>[0-9a-fA-F]+)(?P<rest>.*)", re.DOTALL)
_QUOTED = re.compile(r"\s+\(\"(?P<title>.+)\"\)\s*$")


@dataclass(frozen=True, slots=True)
class FixesTag:
    """One Fixes: the commit id, the quoted subject (None without one), its mail line."""

    sha: str
    title: str | None
    line: int


def fixes_tags(patch: PatchMail) -> Iterator[FixesTag]:
    """The Fixes tags of a patch that name a commit."""
    for trailer in patch.trailers_of("fixes"):
        match = _TAG.match(trailer.value)
        if match:
            quoted = _QUOTED.match(match["rest"])
            yield FixesTag(match["sha"], quoted["title"] if quoted else None, trailer.line)


@check(
    "fixes-form",
    scope="series",
    severity="error",
    rule="Fixes: has 12 hex digits or more and the quoted subject, in one line",
    why="Stable maintainers' scripts find backports by exactly this form.",
    fix="git log -1 --abbrev=12 --format='Fixes: %h (\"%s\")' COMMIT",
)
def fixes_form(context: SeriesContext) -> Findings:
    """Short ids, missing or unquoted subjects, 'commit', wrapped lines, no colon."""
    for patch in context.series.patches:
        for trailer in patch.trailers_of("fixes"):
            complaint = _complaint(trailer.separator, trailer.value, trailer.wrapped)
            if complaint:
                yield in_mail("fixes-form", patch, complaint, line=trailer.line)


def _complaint(separator: str, value: str, wrapped: bool) -> str | None:
    match = _TAG.match(value)
    if match is None:
        if re.match(r"https?://", value):
            return "Fixes names a URL, not a commit; use Closes for a report"
        return f"Fixes names no commit: {value[:40]!r}"
    if separator.strip() != ":" or separator != ": ":
        return "Fixes is written 'Fixes: ' with one colon and one blank"
    if match["commit"]:
        return "Fixes is followed by 'commit'"
    if not 12 <= len(match["sha"]) <= 40:
        return f"the commit id of Fixes has {len(match['sha'])} digits instead of 12"
    if match["sha"] != match["sha"].lower():
        return "the commit id of Fixes is not in lower case"
    if wrapped:
        return "Fixes goes on in the next line; tools read one line only"
    if _QUOTED.match(match["rest"]) is None:
        if not match["rest"].strip():
            return "Fixes lacks the subject of the commit"
        return 'the subject of the commit is not written ("subject")'
    return None


@check(
    "fixes-commit",
    scope="series",
    severity="error",
    rule="The commit that Fixes names exists and has the subject quoted",
    why="A wrong id makes backports go to the wrong kernels.",
    fix="look the commit up with git log --grep",
)
def fixes_commit(context: SeriesContext) -> Findings:
    """Against the history of a git tree. In a shallow clone an unknown id proves nothing."""
    tags = [
        (patch, tag)
        for patch in context.series.patches
        for tag in fixes_tags(patch)
        if len(tag.sha) >= 7
    ]
    if not tags:
        return
    repository = repository_of(context)
    if repository is None:
        raise SkipCheck("unverified: needs --tree with git history")
    titles = repository.subjects([tag.sha.lower() for _, tag in tags])
    for patch, tag in tags:
        title = titles.get(tag.sha.lower())
        if title is None:
            yield _unknown(repository, patch, tag)
        elif tag.title is not None and _plain(title) != _plain(tag.title):
            yield in_mail(
                "fixes-commit",
                patch,
                f"commit {tag.sha} is {title!r}, quoted is {tag.title!r}",
                line=tag.line,
            )


def _unknown(repository: Repository, patch: PatchMail, tag: FixesTag) -> Finding:
    if repository.is_partial:
        return in_mail(
            "fixes-commit",
            patch,
            f"unverified: commit {tag.sha} is not in this shallow or young history",
            severity="note",
            line=tag.line,
        )
    return in_mail("fixes-commit", patch, f"the tree has no commit {tag.sha}", line=tag.line)


def _plain(title: str) -> str:
    return " ".join(title.split()).casefold()
