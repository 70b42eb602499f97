"""Subjects: a prefix that fits the touched paths, and the form git log readers expect."""

from __future__ import annotations

import re

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_mail
from patchgen.mail.address import Address
from patchgen.mail.model import PatchMail

LONGEST = 75
"""Columns of a subject without its [PATCH] marker (submitting-patches.rst: 70-75)."""

_BINDINGS = "Documentation/devicetree/bindings/"
_AREAS: tuple[tuple[str, str, str], ...] = (
    (
        _BINDINGS,
        r"dt-bindings:|.*: dt-bindings:|.*: devicetree:|scsi: ufs: dt-bindings:|media: dt",
        "dt-bindings: crypto: …",
    ),
    ("drivers/crypto/", r"crypto:|hwrng:|dmaengine:", "crypto: driver - …"),
    ("crypto/", r"crypto:|lib/crypto|certs|async|X\.509|KEYS|PKCS", "crypto: algorithm - …"),
    ("arch/arm64/boot/dts/", r"arm64: dts:|dts:|ARM: dts", "arm64: dts: …"),
    ("arch/arm/boot/dts/", r"ARM: dts:|ARM: dt", "ARM: dts: …"),
    ("arch/mips/boot/dts/", r"MIPS:|mips:", "MIPS: dts: …"),
    ("MAINTAINERS", r"MAINTAINERS|mailmap|\S", "MAINTAINERS: …"),
)
"""Path, pattern of accepted prefixes, example. The last row accepts anything with a word."""

_KNOWN = {
    "net": ("net/", "drivers/net/", "include/net/", "include/linux/", "include/uapi/"),
    "crypto": ("crypto", "certs/", "security/keys", "include/linux/"),
    "dt-bindings": ("Documentation/devicetree/bindings/", "include/dt-bindings/"),
    "media": ("media",),
    "usb": ("usb", "thunderbolt"),
    "mmc": ("mmc",),
    "i2c": ("i2c",),
    "spi": ("spi",),
    "gpio": ("gpio",),
    "clk": ("clk",),
    "mtd": ("mtd",),
    "iio": ("iio",),
    "hwmon": ("hwmon",),
    "pinctrl": ("pinctrl",),
    "watchdog": ("watchdog",),
    "rtc": ("rtc",),
    "dmaengine": ("dma",),
    "scsi": ("scsi", "ufs"),
    "asoc": ("sound/", "sound"),
    "alsa": ("sound",),
    "kvm": ("kvm",),
    "pci": ("pci",),
    "mm": ("mm/", "include/linux/", "mm"),
    "hwrng": ("hw_random", "crypto"),
    "wifi": ("wireless", "net/", "ieee80211"),
    "ext4": ("ext4",),
    "btrfs": ("btrfs",),
    "xfs": ("xfs",),
    "nfs": ("nfs",),
    "bpf": ("bpf",),
    "maintainers": ("MAINTAINERS",),
}
"""Well-known first words of subjects and what must occur in some touched path."""

_EXEMPT = ("revert", "reapply", "do not merge")
_LOOSE_CRYPTO = re.compile(r"crypto[/-]\S+:|crypto \S+:|drivers?/crypto\S*:", re.IGNORECASE)


@check(
    "subject-prefix",
    scope="series",
    severity="warning",
    rule="The subject's prefix fits the files that the patch touches",
    why="Maintainers filter their mail by prefix; a patch with another one is not seen.",
    fix="take the prefix that git log --oneline shows for these files",
)
def subject_prefix(context: SeriesContext) -> Findings:
    """Prefix against paths, for areas with a fixed custom and for well-known words."""
    for patch in context.series.patches:
        paths = [c.path for c in patch.changes]
        title = patch.subject.title
        if not paths or not title or title.lower().startswith(_EXEMPT):
            continue
        if patch.subject.prefix == "":
            yield in_mail(
                "subject-prefix",
                patch,
                "the subject has no subsystem prefix",
                severity="warning" if context.is_mailed else "note",
            )
            continue
        complaint = _misfit(title, paths)
        if complaint:
            yield in_mail("subject-prefix", patch, complaint)
    cover = context.series.cover
    if cover is not None and _LOOSE_CRYPTO.match(cover.subject.title):
        yield in_mail(
            "subject-prefix",
            cover,
            "the prefix is written 'crypto: driver - …'",
            hint="crypto: realtek - …",
        )


def _misfit(title: str, paths: list[str]) -> str | None:
    areas = {_area(path) for path in paths} - {None}
    main = {area for area in areas if area != "MAINTAINERS"}
    plain = [p for p in paths if p != "MAINTAINERS"]
    if len(main) == 1 and all(_area(p) in main for p in plain):
        area = next(a for a in _AREAS if a[0] in main)
        if not re.match(area[1], title):
            return f"a patch to {area[0]} is titled '{area[2]}'"
    if not plain and paths:
        return None
    word = re.split(r"[\s:/,]", title, maxsplit=1)[0].lower()
    wanted = _KNOWN.get(word)
    if wanted and not any(part in path for part in wanted for path in paths):
        return f"the prefix says {word}, no file of the patch belongs to it"
    return None


def _area(path: str) -> str | None:
    return next((area for area, _, _ in _AREAS if path.startswith(area)), None)


@check(
    "subject-form",
    scope="series",
    severity="warning",
    rule="A subject is one line of at most 75 columns without a full stop",
    why="It becomes the first line of the commit: git log --oneline and shortlogs show only that.",
    fix="say what the patch does in a few words, the rest belongs into the message",
)
def subject_form(context: SeriesContext) -> Findings:
    """Length, full stop, emptiness, doubled markers."""
    for mail in context.series.mails:
        title = mail.subject.title
        if not title:
            if mail.changes and mail.headers:
                yield in_mail("subject-form", mail, "the subject is empty", severity="error")
            continue
        if len(title) > LONGEST and mail.changes:
            yield in_mail("subject-form", mail, f"the subject has {len(title)} columns")
        if title.endswith(".") and not title.endswith("..."):
            yield in_mail("subject-form", mail, "the subject ends with a full stop")
        if re.search(r"\[(?:RFC |RESEND )?PATCH", title, re.IGNORECASE):
            yield in_mail("subject-form", mail, "a second [PATCH] marker in the subject")
        yield from _headers(mail)


def _headers(mail: PatchMail) -> Findings:
    if mail.subject.is_reply:
        yield in_mail("subject-form", mail, "the subject is that of a reply (Re:)")


@check(
    "mail-header",
    scope="series",
    severity="error",
    rule="A patch has a Subject and a From",
    why="git am takes author and title from them; without them it stops or guesses.",
    fix="make the patch with git format-patch",
)
def mail_header(context: SeriesContext) -> Findings:
    """Patches without Subject, From or Date, as tools other than git write them."""
    for patch in context.series.patches:
        if not patch.headers and not patch.author:
            yield in_mail(
                "mail-header", patch, "a bare diff without From, Subject and message", line=1
            )
            continue
        if not patch.subject.raw:
            yield in_mail("mail-header", patch, "the patch has no Subject", line=1)
        if patch.author is None:
            named = patch.header("From")
            yield in_mail(
                "mail-header",
                patch,
                f"From is no address: {named!r}" if named else "the patch has no From",
                line=1,
            )
        elif not patch.author.valid:
            yield in_mail(
                "mail-header", patch, f"From is no address: {patch.author.mail!r}", line=1
            )


_NO_HOST = re.compile(
    r"@(?:localhost|\(none\)|[^@]*\.(?:local|localdomain|lan|internal))$|^root@|"
    r"^(?:you|your(?:name|\.name)?)@(?!example\.)|@(?:[^@.]+)$",
    re.IGNORECASE,
)


@check(
    "mail-author",
    scope="series",
    severity="warning",
    rule="Author and sign-off have an address that mail can reach",
    why="git's guess of user@host ends up in history, and nobody can ask the author.",
    fix="git config user.email, then git commit --amend --reset-author",
)
def mail_author(context: SeriesContext) -> Findings:
    """Addresses that git made up from user and host."""
    for patch in context.series.patches:
        people: list[tuple[int | None, Address | None]] = [(None, patch.author)]
        people += [(t.line, t.address) for t in patch.trailers if t.kind == "signed-off-by"]
        for line, person in people:
            if person is not None and _NO_HOST.search(person.mail):
                yield in_mail(
                    "mail-author", patch, f"{person.mail} is no public address", line=line
                )
                break


@check(
    "mail-date",
    scope="series",
    severity="warning",
    rule="Every mail has a Date, and those of one series are close together",
    why="Mail programs sort by date: a patch dated last year is not seen.",
    fix="let git send-email write the dates",
)
def mail_date(context: SeriesContext) -> Findings:
    """Missing or unreadable dates of mails that were sent; mails a week off the others."""
    sent = [m for m in context.series.mails if m.message_id is not None]
    dates = {m.number: _date(m) for m in sent}
    known = sorted(d for d in dates.values() if d is not None)
    for mail in sent:
        date = dates[mail.number]
        if date is None:
            yield in_mail(
                "mail-date",
                mail,
                f"no date that can be read: {mail.date!r}" if mail.date else "the mail has no Date",
            )
        elif abs(date - known[len(known) // 2]) > _WEEK:
            yield in_mail("mail-date", mail, f"dated {mail.date}, a week off the other mails")


_WEEK = 7 * 24 * 3600.0


def _date(mail: PatchMail) -> float | None:
    from email.utils import mktime_tz, parsedate_tz

    parsed = parsedate_tz(mail.date or "")
    try:
        return float(mktime_tz(parsed)) if parsed else None
    except (ValueError, OverflowError):
        return None
