"""The chain of Signed-off-by (Documentation/process/submitting-patches.rst, DCO)."""

from __future__ import annotations

import re

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_mail
from patchgen.mail.address import Address
from patchgen.mail.model import PatchMail
from patchgen.mail.trailers import Trailer, near_signoff

_LIST_MANGLED = re.compile(r" via .*")


def signoffs(patch: PatchMail) -> list[Trailer]:
    """The Signed-off-by trailers, whatever their case."""
    return [t for t in patch.trailers if t.kind == "signed-off-by"]


@check(
    "signoff-missing",
    scope="series",
    severity="error",
    rule="Every patch has a Signed-off-by above the --- line",
    why="Without it nobody has certified the right to submit the work; git am drops what is below.",
    fix="git commit --amend --signoff, or git rebase --signoff BASE for the series",
)
def signoff_missing(context: SeriesContext) -> Findings:
    """No sign-off, or one that git am will not see."""
    for patch in context.series.patches:
        if signoffs(patch):
            continue
        misspelt = [t for t in patch.trailers if near_signoff(t.key)]
        if misspelt:
            continue
        below = [
            n
            for n, line in enumerate(patch.below, patch.below_line)
            if line.lower().startswith("signed-off-by:")
        ]
        above = [
            n
            for n, line in enumerate(patch.message, patch.message_line)
            if line.strip().lower().startswith("signed-off-by:")
        ]
        if below:
            yield in_mail(
                "signoff-missing",
                patch,
                "the Signed-off-by stands below the --- line, git am drops it",
                hint="move it to the end of the commit message",
                line=below[0],
            )
        elif above:
            yield in_mail(
                "signoff-missing",
                patch,
                "the Signed-off-by stands in the middle of the message",
                hint="move it to the end of the commit message",
                line=above[0],
            )
        else:
            yield in_mail(
                "signoff-missing",
                patch,
                "no Signed-off-by",
                line=patch.cut_line or patch.message_line,
            )


def _same_person(one: Address, other: Address) -> bool:
    return one.mail_key == other.mail_key and (
        one.name_key == other.name_key or not one.name or not other.name
    )


@check(
    "signoff-author",
    scope="series",
    severity="error",
    rule="The author of a patch has signed it off, with the name and address of From",
    why="The certificate counts for the person that From names; another one is a gap in the chain.",
    fix="git commit --amend --author=… or correct the Signed-off-by, so that both agree",
)
def signoff_author(context: SeriesContext) -> Findings:
    """No sign-off of the author; or one under another name or address."""
    for patch in context.series.patches:
        author = patch.author
        people = [(t, t.address) for t in signoffs(patch)]
        known = [(t, a) for t, a in people if a is not None]
        if author is None or not known or any(_same_person(author, a) for _, a in known):
            continue
        if any(author.mail in line and line.startswith("Signed-off-by") for line in patch.message):
            continue
        same_mail = [t for t, a in known if a.mail_key == author.mail_key]
        same_name = [t for t, a in known if a.name_key == author.name_key]
        if same_mail:
            yield in_mail(
                "signoff-author",
                patch,
                f"From says {author.name!r}, the Signed-off-by of that address another name",
                line=same_mail[0].line,
            )
        elif same_name:
            if _LIST_MANGLED.search(author.name):
                continue
            yield in_mail(
                "signoff-author",
                patch,
                f"From has the address {author.mail}, the Signed-off-by another one",
                severity="warning",
                line=same_name[0].line,
            )
        else:
            yield in_mail(
                "signoff-author",
                patch,
                f"no Signed-off-by of the author, {author}",
                line=known[0][0].line,
            )


@check(
    "signoff-sender",
    scope="series",
    severity="warning",
    rule="Who sends somebody else's patch has signed it off, last",
    why="Everybody who hands a patch on certifies it; the chain must end at the sender.",
    fix="add your own Signed-off-by as the last one",
)
def signoff_sender(context: SeriesContext) -> Findings:
    """A sender other than the author, without a sign-off or not the last one."""
    for patch in context.series.patches:
        sender, author = patch.sender, patch.author
        chain = [t for t in signoffs(patch) if t.address is not None]
        if sender is None or author is None or not chain or not context.series.mailed:
            continue
        if (
            _same_person(sender, author)
            or sender.name_key == author.name_key
            or (_LIST_MANGLED.search(sender.name))
        ):
            continue
        mine = [
            t
            for t in chain
            if t.address
            and (t.address.mail_key == sender.mail_key or t.address.name_key == sender.name_key)
        ]
        if not mine:
            yield in_mail(
                "signoff-sender",
                patch,
                f"sent by {sender}, who has not signed it off",
                line=chain[-1].line,
            )
        elif mine[-1] is not chain[-1]:
            yield in_mail(
                "signoff-sender",
                patch,
                f"the last Signed-off-by is not that of the sender, {sender}",
                line=chain[-1].line,
            )


@check(
    "co-developed",
    scope="series",
    severity="error",
    rule="Co-developed-by is followed at once by the Signed-off-by of the same person",
    why="Co-authors certify their part themselves; the author of From signs as the last of them.",
    fix="add 'Signed-off-by:' of that person on the next line",
)
def co_developed(context: SeriesContext) -> Findings:
    """Pairs that are torn, and a co-developer who is the author."""
    for patch in context.series.patches:
        trailers = patch.trailers
        for index, trailer in enumerate(trailers):
            if trailer.kind != "co-developed-by":
                continue
            person = trailer.address
            following = trailers[index + 1] if index + 1 < len(trailers) else None
            signed = (
                following is not None
                and following.kind == "signed-off-by"
                and (
                    following.address is not None
                    and person is not None
                    and following.address.mail_key == person.mail_key
                )
            )
            if not signed:
                yield in_mail(
                    "co-developed",
                    patch,
                    "Co-developed-by is not followed by that person's Signed-off-by",
                    line=trailer.line,
                )
            if person and patch.author and person.mail_key == patch.author.mail_key:
                yield in_mail(
                    "co-developed",
                    patch,
                    "the author is no co-developer as well",
                    severity="warning",
                    line=trailer.line,
                )
