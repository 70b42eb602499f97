"""Spelling of cover letters and commit messages."""

from __future__ import annotations

import re

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, SkipCheck, in_mail
from patchgen.checks.series.covertext import letter_text
from patchgen.mail.model import PatchMail

_IDENTIFIER = re.compile(r"[A-Za-z]{4,}")


@check(
    "message-spelling", scope="series", severity="warning",
    rule="Subjects, cover letters and commit messages are spelt right",
    why="checkpatch and reviewers stumble over it, and history cannot be corrected later.",
    fix="codespell FILE, or scripts/checkpatch.pl --codespell",
)
def message_spelling(context: SeriesContext) -> Findings:
    """Words of codespell's list that are no names in the patches themselves."""
    from patchgen.checks.spelling import available, misspellings

    if not available():
        raise SkipCheck("codespell is not installed; install it with: "
                        "pip install 'patchgen[spell]'")
    known = _names(context)
    for mail in context.series.mails:
        for number, line in _prose(mail):
            for wrong in misspellings(line, known):
                yield in_mail("message-spelling", mail,
                              f"{wrong.word!r} is misspelt, meant is {wrong.meant}", line=number)


def _prose(mail: PatchMail) -> list[tuple[int | None, str]]:
    lines: list[tuple[int | None, str]] = [(None, mail.subject.title)]
    lines += [*enumerate(mail.message, mail.message_line)] if mail.changes else letter_text(mail)
    return [(n, line) for n, line in lines if not line.startswith((" ", "\t", ">"))]


def _names(context: SeriesContext) -> frozenset[str]:
    """Words of paths, of people, and of identifiers that the code itself uses."""
    words: set[str] = set()
    for mail in context.series.mails:
        for person in (mail.author, mail.sender, *(t.address for t in mail.trailers)):
            if person is not None:
                words.update(_IDENTIFIER.findall(person.name.lower()))
        for change in mail.changes:
            words.update(_IDENTIFIER.findall(change.path.lower()))
    return frozenset(words)
