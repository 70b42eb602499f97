"""From one raw mail to a ``PatchMail``: the rules of git mailinfo, and a note of every oddity.

Source: git-mailinfo(1), git-am(1) (scissors, in-body headers), format-patch's layout.
"""

from __future__ import annotations

import re

from patchgen.mail.address import Address, parse_address_list
from patchgen.mail.diff import find_diff, parse_diff
from patchgen.mail.diffstat import parse_diffstat
from patchgen.mail.mime import RawMail, parse_mail
from patchgen.mail.model import Damage, PatchMail
from patchgen.mail.sources import MailSlice
from patchgen.mail.subject import Subject, parse_subject
from patchgen.mail.text import decode_text, encode_diff
from patchgen.mail.trailers import split_trailers

_SCISSORS = re.compile(r"[\s-]*(?:>8|8<|>%|%<)[\s\S]*$")
_IN_BODY = re.compile(r"(From|Subject|Date|Author)\s*:\s*(\S.*)$", re.IGNORECASE)
_MESSAGE_ID = re.compile(r"<([^<>\s]{1,500})>")
_SIGNATURE = re.compile(r"-- ?$")


def read_mail(piece: MailSlice) -> PatchMail:
    """Load and parse one mail; raises ``InputError`` only when it cannot be loaded."""
    return build_mail(parse_mail(piece.load()), source=piece.name)


def parse_patch(data: bytes, source: str = "<bytes>") -> PatchMail:
    """One mail from its bytes."""
    return build_mail(parse_mail(data), source=source)


def message_ids(value: str | None) -> tuple[str, ...]:
    """The ids of a Message-ID, In-Reply-To or References header, without ``<>``."""
    return tuple(_MESSAGE_ID.findall(value or ""))


def is_scissors(line: str) -> bool:
    """git's scissors line: mostly ``-`` and blanks, with a pair of scissors in it."""
    if not _SCISSORS.match(line):
        return False
    bare = re.sub(r">8|8<|>%|%<", "", line)
    dashes = sum(c in "- " for c in bare)
    return len(line.strip()) >= 8 and dashes * 3 >= len(bare)


def build_mail(raw: RawMail, source: str) -> PatchMail:
    """The parts of a mail. A mail without a diff gets number 0 or that of its subject."""
    lines, first = raw.lines, raw.body_line
    subject_text = raw.get("Subject") or ""
    diff_at = find_diff(lines)
    start, subject_text, author_text = _message_start(lines, diff_at, subject_text)
    cut = _cut(lines, start, diff_at)
    end_of_message = min(x for x in (cut, diff_at, len(lines)) if x is not None)
    message = [_in_charset(line, raw.transport.charset) for line in lines[start:end_of_message]]
    below_start = cut + 1 if cut is not None else end_of_message
    below_end = diff_at if diff_at is not None else len(lines)
    if diff_at is None:
        below_end = _signature(lines, below_start)
        if cut is None:
            message = message[: max(0, _signature(lines, start) - start)]
    message_line = first + start
    while message and not message[0].strip():
        message, message_line = message[1:], message_line + 1
    body, block = split_trailers(message, message_line)
    if diff_at is None:
        body = message
    changes, damages, end = (
        parse_diff(lines, diff_at, first) if diff_at is not None else ((), (), below_end)
    )
    below = tuple(_in_charset(line, raw.transport.charset) for line in lines[below_start:below_end])
    subject = parse_subject(subject_text)
    sender = _first_address(parse_address_list(raw.get_all("From")))
    author = _first_address(parse_address_list([author_text])) if author_text else sender
    ids = message_ids(raw.get("Message-ID"))
    return PatchMail(
        number=_number(subject, bool(changes)),
        subject=subject,
        source=source,
        author=author,
        sender=sender,
        to=parse_address_list(raw.get_all("To")),
        cc=parse_address_list(raw.get_all("Cc")),
        message_id=_first_id(ids),
        in_reply_to=_first_id(message_ids(raw.get("In-Reply-To"))),
        references=message_ids(raw.get("References")),
        date=raw.get("Date"),
        headers=raw.headers,
        message=tuple(body),
        written=tuple(message),
        message_line=message_line,
        block=block,
        cut_line=first + cut if cut is not None else None,
        below=below,
        below_line=first + below_start,
        diffstat=parse_diffstat(below, first + below_start)
        or (parse_diffstat(body, message_line) if diff_at is None else None),
        changes=changes,
        tail=tuple(lines[end:]),
        tail_line=first + end,
        transport=raw.transport,
        damages=_placed(damages, raw),
    )


def _first_id(ids: tuple[str, ...]) -> str | None:
    return ids[0] if ids else None


def _first_address(addresses: tuple[Address, ...]) -> Address | None:
    return addresses[0] if addresses else None


def _number(subject: Subject, has_diff: bool) -> int:
    """The number in the series: 0 is a cover letter, an unnumbered patch is 1."""
    if subject.number is not None:
        return subject.number
    return 1 if has_diff else 0


def _message_start(
    lines: list[str], diff_at: int | None, subject: str
) -> tuple[int, str, str | None]:
    """Where the message begins, its subject and its in-body author.

    Everything above a scissors line is dropped; ``From:``, ``Subject:`` and ``Date:`` lines
    at the very top replace the mail's own headers.
    """
    end = diff_at if diff_at is not None else len(lines)
    start = 0
    for at in range(min(end, 2000)):
        if lines[at][:1] in ("-", " ", "8", ">", "%") and is_scissors(lines[at]):
            start = at + 1
    at = start
    while at < end and not lines[at].strip():
        at += 1
    found, at = _in_body_headers(lines, at, end)
    return (at if found else start), found.get("subject", subject), found.get("from")


def _in_body_headers(lines: list[str], at: int, end: int) -> tuple[dict[str, str], int]:
    """Headers at the top of a message, folded lines joined, and the index behind them."""
    found: dict[str, str] = {}
    while at < end:
        match = _IN_BODY.match(lines[at])
        if match is None and not found and lines[at].startswith("[PATCH"):
            found["subject"] = lines[at]
            at += 1
            continue
        if match is None:
            break
        key, value = match[1].lower(), match[2]
        after = at + 1
        while after < end and lines[after][:1] in (" ", "\t") and lines[after].strip():
            value += " " + lines[after].strip()
            after += 1
        if key in ("from", "author") and "@" not in value:
            break
        found["from" if key == "author" else key] = value
        at = after
    return found, at


def _cut(lines: list[str], start: int, diff_at: int | None) -> int | None:
    """Index of the ``---`` line that ends the commit message."""
    end = diff_at if diff_at is not None else len(lines)
    for at in range(start, end):
        if lines[at].startswith("---") and lines[at].rstrip() == "---":
            return at
    return None


def _signature(lines: list[str], start: int) -> int:
    """Index of the ``-- `` line of a mail without a diff, or its end."""
    for at in range(len(lines) - 1, max(start, len(lines) - 40) - 1, -1):
        if _SIGNATURE.match(lines[at]):
            return at
    return len(lines)


def _in_charset(line: str, charset: str | None) -> str:
    """A line of the message in the mail's own charset (the diff has none), else Latin-1."""
    if line.isascii():
        return line
    decoded, fits = decode_text(encode_diff(line), charset)
    return decoded if fits or charset is not None else encode_diff(line).decode("latin-1")


def _placed(damages: tuple[Damage, ...], raw: RawMail) -> tuple[Damage, ...]:
    """The damages of the diff and those of the mail around it."""
    if not raw.transport.charset_fits:
        wrong = Damage("charset", "the text does not fit the charset that the mail names")
        return (*damages, wrong)
    return damages
