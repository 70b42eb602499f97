"""An index of mails: what each header says about its place in a series, and no text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from patchgen.errors import InputError
from patchgen.mail.message import is_scissors, message_ids, parse_patch
from patchgen.mail.mime import parse_mail
from patchgen.mail.sources import MAX_MAIL, MailSlice
from patchgen.mail.subject import Subject, parse_subject

_MAYBE_DIFF = re.compile(
    rb"^(?:diff --git |--- \S|Index: |Content-Transfer-Encoding:[ \t]*(?:base64|quoted))",
    re.MULTILINE | re.IGNORECASE,
)
_MAYBE_SCISSORS = re.compile(rb"^[ -]*(?:>8|8<|>%|%<)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """One mail of the input. ``is_patch`` says that it is a patch or a cover letter."""

    piece: MailSlice
    order: int
    subject: Subject
    message_id: str | None
    parents: tuple[str, ...]
    is_patch: bool


def build_index(pieces: Iterable[MailSlice]) -> Iterator[Entry]:
    """An entry a mail, in order; a mail seen before (same Message-ID) is left out.

    Mails whose headers do not say that they are patches are opened and looked into; their
    text is not kept.
    """
    seen: set[tuple[str, str]] = set()
    for order, piece in enumerate(pieces):
        entry = _entry(piece, order)
        if entry.message_id is not None:
            key = (entry.message_id, entry.subject.raw)
            if key in seen:
                continue
            seen.add(key)
        yield entry


def _entry(piece: MailSlice, order: int) -> Entry:
    raw = parse_mail(piece.head)
    subject = parse_subject(raw.get("Subject") or "")
    parents = message_ids(raw.get("In-Reply-To"))[:1] + message_ids(raw.get("References"))
    ids = message_ids(raw.get("Message-ID"))
    is_patch = not subject.is_reply and (subject.is_patch or subject.number is not None)
    if not is_patch:
        inner = _inner_subject(piece, subject)
        if inner is not None:
            subject, is_patch = inner, True
    small = replace(piece, head=b"")
    return Entry(small, order, subject, ids[0] if ids else None, parents, is_patch)


def _inner_subject(piece: MailSlice, subject: Subject) -> Subject | None:
    """The subject of a patch that the headers do not announce; None when there is no patch."""
    if piece.size > MAX_MAIL:
        return None
    try:
        data = piece.load()
    except InputError:
        return None
    if not _MAYBE_DIFF.search(data):
        return None
    if subject.is_reply:
        if not _MAYBE_SCISSORS.search(data):
            return None
        if not any(is_scissors(line) for line in parse_mail(data).lines[:2000]):
            return None
    mail = parse_patch(data, piece.name)
    return mail.subject if mail.changes else None
