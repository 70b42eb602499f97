"""The cover letter's text: written, and written by a person."""

from __future__ import annotations

import re

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_mail
from patchgen.checks.series.covertext import letter_text
from patchgen.mail.model import PatchMail

_PLACEHOLDER = re.compile(
    r"\*{3}\s*(?:SUBJECT|BLURB|TITLE|COVER)[\w ]*HERE\s*\*{3}|\bEDITME\b|\bEDIT ME\b"
    r"|\[?(?:YOUR|INSERT) (?:DESCRIPTION|TEXT|BLURB|SUBJECT)[\w ]*HERE\]?|\bLOREM IPSUM\b"
    r"|^\s*(?:TODO|FIXME|XXX|TBD)\b|<(?:describe|description|insert|your)[^<>@]*>",
    re.IGNORECASE,
)
_NOT_FOR_MERGING = r"\b(?:DO NOT|DON'T) (?:MERGE|APPLY)\b|\bDONOTMERGE\b|\bDNM\b"
_UNFINISHED = re.compile(r"(?:fixup|squash|amend)!|\bWIP\b|" + _NOT_FOR_MERGING)
_ANNOUNCED = re.compile(
    r"\bnot (?:to be|for) merg(?:ed|ing)\b|\b(?:do not|don't) (?:merge|apply)\b", re.IGNORECASE)


@check(
    "placeholder-text",
    scope="series",
    severity="error",
    rule="No template text is left in a mail",
    why="A cover letter that says SUBJECT HERE tells readers that nobody read it before sending.",
    fix="write the subject and the text, or set a branch description for git format-patch",
)
def placeholder_text(context: SeriesContext) -> Findings:
    """What git, b4 and templates leave to be filled in."""
    for mail in context.series.mails:
        if _PLACEHOLDER.search(mail.subject.title):
            yield in_mail("placeholder-text", mail, "the subject is still the template's")
        lines = [*enumerate(mail.message, mail.message_line)]
        if mail.changes:
            lines += enumerate(mail.below, mail.below_line)
        for number, line in lines:
            match = _PLACEHOLDER.search(line)
            if match:
                yield in_mail(
                    "placeholder-text",
                    mail,
                    f"text to be filled in: {match[0].strip()!r}",
                    line=number,
                )


@check(
    "unfinished-patch",
    scope="series",
    severity="error",
    rule="No fixup!, squash!, WIP or do-not-merge patch is sent",
    why="Such a patch is meant for its author's own rebase and cannot be applied as it is.",
    fix="git rebase -i --autosquash, or mark a discussion series as [RFC PATCH]",
)
def unfinished_patch(context: SeriesContext) -> Findings:
    """Subjects that say so themselves.

    A patch for testing may be the last one, if the cover letter says that it is not meant.
    """
    for mail in context.series.mails:
        match = _UNFINISHED.search(mail.subject.title)
        if match and not _announced(context, mail, match[0]):
            yield in_mail(
                "unfinished-patch",
                mail,
                f"the subject says {match[0]!r}",
                severity="warning" if mail.subject.rfc else None,
            )


def _announced(context: SeriesContext, mail: PatchMail, words: str) -> bool:
    cover = context.series.cover
    last = max(context.series.mails, key=lambda other: other.number)
    return (
        re.fullmatch(_NOT_FOR_MERGING, words) is not None
        and mail is last
        and cover is not None
        and _ANNOUNCED.search(" ".join(cover.message)) is not None
    )


@check(
    "cover-empty",
    scope="series",
    severity="error",
    rule="The cover letter says why the series is there",
    why="Shortlog and diffstat say what changes, never why; that is what reviewers need first.",
    fix="describe problem, approach and tests in the cover letter",
)
def cover_empty(context: SeriesContext) -> Findings:
    """A cover letter that is nothing but shortlog and diffstat."""
    cover = context.series.cover
    if cover is None:
        return
    if not cover.subject.title:
        yield in_mail("cover-empty", cover, "the cover letter has no subject")
    words = " ".join(text for _, text in letter_text(cover)).split()
    if len(words) < 5:
        yield in_mail(
            "cover-empty", cover, "the cover letter has no text of its own", line=cover.message_line
        )
