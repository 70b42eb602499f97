"""Threading: every patch hangs below the cover letter (or the first patch)."""

from __future__ import annotations

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_mail
from patchgen.mail.model import PatchMail


@check(
    "thread-broken",
    scope="series",
    severity="error",
    rule="Every mail of the series is in the cover letter's thread",
    why="Archives, patchwork and b4 find the mails of a series by their references.",
    fix="git send-email --thread (the default), or git format-patch --thread",
)
def thread_broken(context: SeriesContext) -> Findings:
    """Patches that refer to nothing of the series. Mails not sent yet are not judged."""
    mails = context.series.mails
    named = [m for m in mails if m.message_id]
    if len(mails) < 2 or not named:
        return
    ids = {m.message_id for m in named}
    above = _parents(mails[0])  # a cover letter that is not here
    for mail in mails[1:]:
        parents = _parents(mail)
        if parents & (ids - {mail.message_id}) or parents & above:
            continue
        what = "refers to another thread" if parents else "has no In-Reply-To or References"
        yield in_mail("thread-broken", mail, f"the mail {what}")


def _parents(mail: PatchMail) -> set[str]:
    return {id for id in (mail.in_reply_to, *mail.references) if id}


@check(
    "thread-id",
    scope="series",
    severity="error",
    rule="Every mail has a Message-ID of its own",
    why="Servers and archives drop a mail whose Message-ID they have seen.",
    fix="let git send-email make the Message-IDs",
)
def thread_id(context: SeriesContext) -> Findings:
    """Message-IDs that occur twice, or are missing from some mails."""
    seen: dict[str, int] = {}
    mails = context.series.mails
    sent = sum(m.message_id is not None for m in mails) * 2 > len(mails)
    for mail in mails:
        if mail.message_id is None:
            if sent:
                yield in_mail("thread-id", mail, "the mail has no Message-ID", severity="warning")
        elif mail.message_id in seen:
            yield in_mail(
                "thread-id", mail, f"the Message-ID is that of mail {seen[mail.message_id]}"
            )
        else:
            seen[mail.message_id] = mail.number
