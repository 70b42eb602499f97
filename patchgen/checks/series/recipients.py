"""Who gets the series: everybody who has to, and all of it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, SkipCheck, in_mail
from patchgen.mail.maintainers import Maintainers, read_maintainers
from patchgen.mail.model import PatchMail

_LIST = re.compile(
    r"@vger\.kernel\.org$|@lists?\.|-devel@|@lists?$|linux-[\w-]+@|"
    r"@kvack\.org$|@googlegroups\.com$|@.*\blists\b"
)
_BINDINGS = "Documentation/devicetree/bindings/"
DEVICETREE = "devicetree@vger.kernel.org"
CRYPTO = "linux-crypto@vger.kernel.org"
_EVERYTHING = frozenset({"linux-kernel@vger.kernel.org"})


def is_list(mail: str) -> bool:
    """Whether an address is that of a mailing list."""
    return _LIST.search(mail.lower()) is not None


def _addresses(mail: PatchMail) -> set[str]:
    return {a.mail.lower() for a in mail.recipients}


@check(
    "recipients-missing",
    scope="series",
    severity="warning",
    rule="Every patch goes to the lists and maintainers that MAINTAINERS names for its files",
    why="Who is not addressed does not see the patch, and cannot take it.",
    fix="scripts/get_maintainer.pl PATCH, or b4 prep --auto-to-cc",
)
def recipients_missing(context: SeriesContext) -> Findings:
    """With a tree, its MAINTAINERS; without, the lists that everybody knows."""
    mails = context.series.mails
    if not context.is_mailed or not any(m.recipients for m in mails):
        raise SkipCheck("the mails name no recipients yet")
    known = _maintainers(context)
    cover = _addresses(context.series.cover) if context.series.cover else set()
    for patch in context.series.patches:
        to = _addresses(patch) | (cover if not patch.recipients else set())
        paths = [c.path for c in patch.changes]
        lists = _fixed_lists(paths)
        people: list[tuple[str, frozenset[str]]] = []
        if known is not None:
            for section in known.sections_for(paths):
                lists |= {m for m in section.lists if m not in _EVERYTHING}
                people.append((section.title, section.people))
        for missing in sorted(lists - to):
            yield in_mail("recipients-missing", patch, f"{missing} is not addressed")
        for title, wanted in people:
            if wanted and not wanted & to:
                yield in_mail(
                    "recipients-missing",
                    patch,
                    f"no maintainer of {title} is addressed: {', '.join(sorted(wanted))}",
                )


def _fixed_lists(paths: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for path in paths:
        if path.startswith(_BINDINGS):
            found.add(DEVICETREE)
        elif path.startswith(("drivers/crypto/", "crypto/")):
            found.add(CRYPTO)
    return found


def _maintainers(context: SeriesContext) -> Maintainers | None:
    if context.tree is None or not context.tree.exists("MAINTAINERS"):
        return None
    return read_maintainers(context.tree.read("MAINTAINERS"))


@check(
    "recipients-differ",
    scope="series",
    severity="warning",
    rule="The lists that get one patch get the whole series, and everybody gets the cover letter",
    why="A reviewer who sees one patch of five cannot judge it.",
    fix="git send-email --to-cover --cc-cover, or b4 send",
)
def recipients_differ(context: SeriesContext) -> Findings:
    """Mails of one series to different lists; people who miss the cover letter."""
    series = context.series
    mails = [m for m in series.mails if m.headers]
    if not any(m.recipients for m in mails) or len(mails) < 2:
        return
    lists = {m.number: {a for a in _addresses(m) if is_list(a)} for m in mails}
    everywhere = set.union(*lists.values())
    for mail in mails:
        if not mail.recipients:
            yield in_mail("recipients-differ", mail, "the mail goes to nobody, others do")
            continue
        missing = everywhere - lists[mail.number]
        if missing:
            yield in_mail(
                "recipients-differ",
                mail,
                f"{', '.join(sorted(missing))} gets only other mails of the series",
            )
    cover = series.cover
    if cover is None or not cover.recipients:
        return
    reached = _addresses(cover)
    unaware = {
        a for p in series.patches for a in _addresses(p) if a not in reached and not is_list(a)
    }
    authors = {m.author.mail.lower() for m in mails if m.author}
    if unaware - authors:
        yield in_mail(
            "recipients-differ",
            cover,
            "the cover letter does not go to " + ", ".join(sorted(unaware - authors)[:5]),
        )


@check(
    "recipient-form",
    scope="series",
    severity="warning",
    rule="Every recipient is an address that can be delivered",
    why="One broken address makes a server refuse the mail, in the middle of the series.",
    fix="correct the To or Cc",
)
def recipient_form(context: SeriesContext) -> Findings:
    """Addresses without a domain, or with blanks."""
    for mail in context.series.mails:
        for address in mail.recipients:
            if not address.valid:
                yield in_mail("recipient-form", mail, f"not an address: {address.mail!r}")
