"""Commit messages: there is one, it is long enough, its lines are short enough."""

from __future__ import annotations

import re

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_mail
from patchgen.mail.diffstat import parse_diffstat
from patchgen.mail.model import PatchMail

LONGEST = 75
_LARGE = 150
_FEW_WORDS = 25
_FREE = re.compile(
    r"\s|>|\[ *\d+\.\d+\]|.*(?:https?|ftp|git)://|\S+$|.*\S{50,}|[-+|*#=]|"
    r"(?:Fixes|Link|Closes|Cc)\s*:"
)


def description_words(patch: PatchMail) -> list[str]:
    """The words of a commit message without trailers."""
    return " ".join(patch.message).split()


@check(
    "message-missing",
    scope="series",
    severity="error",
    rule="Every patch says above the --- line what it does and why",
    why="git am drops everything below ---; a commit without text explains nothing later.",
    fix="describe the problem, the change and its effect in the commit message",
)
def message_missing(context: SeriesContext) -> Findings:
    """Empty messages, and those whose text stands below the cut."""
    for patch in context.series.patches:
        if description_words(patch) or not patch.headers:
            continue
        stat = parse_diffstat(patch.below, patch.below_line)
        shown = stat.line - patch.below_line if stat else len(patch.below)
        below = [line for line in patch.below[:shown] if line.strip() and "|" not in line]
        if below:
            yield in_mail(
                "message-missing",
                patch,
                "the description stands below the --- line, the message is empty",
                hint="move it above the --- line",
                line=patch.below_line,
            )
        else:
            yield in_mail(
                "message-missing", patch, "the patch has no description", line=patch.message_line
            )


@check(
    "message-short",
    scope="series",
    severity="warning",
    rule="A large patch has a description of its own size",
    why="A driver in one sentence: hardware, limits and tests are what reviewers ask for next.",
    fix="describe the hardware, what is supported, what is not, and how it was tested",
)
def message_short(context: SeriesContext) -> Findings:
    """More than 150 added lines of code and fewer than 25 words."""
    for patch in context.series.patches:
        words = description_words(patch)
        added = sum(c.counts[0] for c in patch.changes)
        if words and added > _LARGE and len(words) < _FEW_WORDS and patch.headers:
            yield in_mail(
                "message-short",
                patch,
                f"{added} added lines are described in {len(words)} words",
                line=patch.message_line,
            )
        title = patch.subject.title.rpartition(": ")[2].rstrip(".").casefold()
        if words and " ".join(words).rstrip(".").casefold() in (
            title,
            patch.subject.title.rstrip(".").casefold(),
        ):
            yield in_mail(
                "message-short",
                patch,
                "the description only repeats the subject",
                line=patch.message_line,
            )


@check(
    "message-line",
    scope="series",
    severity="warning",
    rule="Lines of a commit message have at most 75 columns",
    why="git log indents them by four; longer lines break on terminals and in mails.",
    fix="wrap the text; tables, logs, URLs and Fixes: stay on their line",
)
def message_line(context: SeriesContext) -> Findings:
    """Prose that is not wrapped."""
    for patch in context.series.patches:
        long = [
            n
            for n, line in enumerate(patch.message, patch.message_line)
            if len(line.expandtabs(8)) > LONGEST and not _FREE.match(line)
        ]
        if long:
            more = f" and {len(long) - 1} more lines" if len(long) > 1 else ""
            yield in_mail(
                "message-line",
                patch,
                f"a line of the message is longer than {LONGEST} columns{more}",
                line=long[0],
            )


@check(
    "cut-missing",
    scope="series",
    severity="error",
    rule="A --- line parts the commit message from diffstat and remarks",
    why="Without it git am takes the diffstat into the commit message.",
    fix="let git format-patch write the mail",
)
def cut_missing(context: SeriesContext) -> Findings:
    """A diffstat inside the message."""
    for patch in context.series.patches:
        if patch.cut_line is None and patch.changes:
            stat = parse_diffstat(patch.written, patch.message_line)
            if stat is not None:
                yield in_mail(
                    "cut-missing",
                    patch,
                    "no --- line: the diffstat becomes part of the message",
                    line=stat.line,
                )


_DISCLAIMER = re.compile(
    r"(?:e-?mail|message|communication)\b.{0,60}\b(?:confidential|privileged)"
    r"|intended (?:only|solely) for (?:the )?(?:use of )?(?:the )?(?:addressee|named|individual|"
    r"intended)|if you (?:are not the intended recipient|have received this)",
    re.IGNORECASE,
)


@check(
    "mail-disclaimer",
    scope="series",
    severity="error",
    rule="No confidentiality notice in a mail to a public list",
    why="Maintainers delete such mails: they forbid what a patch is sent for.",
    fix="send through a server that does not add the notice",
)
def mail_disclaimer(context: SeriesContext) -> Findings:
    """Footers of company mail servers."""
    for mail in context.series.mails:
        lines = [*enumerate(mail.message, mail.message_line)]
        lines += enumerate(mail.below, mail.below_line)
        lines += enumerate(mail.tail, mail.tail_line)
        found = next((number for number, line in lines if _DISCLAIMER.search(line)), None)
        if found is not None:
            yield in_mail("mail-disclaimer", mail, "a confidentiality notice", line=found)
