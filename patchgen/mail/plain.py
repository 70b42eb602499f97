"""A mail as plain text again, the way git format-patch writes it, and a map of its lines.

What other programs get to see: decoded, mended, without list headers. Every line knows the
mail line, or the file and line of the result, that it stands for.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from patchgen.mail.model import FileChange, PatchMail
from patchgen.mail.text import encode_diff

_NULL = "/dev/null"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line of the plain text comes from: a file's line, or a line of the mail."""

    path: str | None = None
    line: int | None = None
    mail_line: int | None = None


@dataclass(slots=True)
class PlainPatch:
    """The text of a mail and, line by line, where it comes from."""

    lines: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def add(self, text: str, place: Place) -> None:
        """One more line."""
        self.lines.append(text)
        self.places.append(place)

    @property
    def data(self) -> bytes:
        """The text as bytes, lines ended by newlines."""
        return encode_diff("".join(f"{line}\n" for line in self.lines))

    def place(self, line: int) -> Place:
        """Where line ``line`` (from 1) comes from."""
        return self.places[line - 1] if 0 < line <= len(self.places) else Place()


def plain_patch(mail: PatchMail) -> PlainPatch:
    """The mail as format-patch would have written it (binary changes left out)."""
    plain = PlainPatch()
    head = Place(mail_line=1)
    author = str(mail.author) if mail.author else "nobody <nobody@localhost>"
    plain.add(f"From {'0' * 40} Mon Sep 17 00:00:00 2001", head)
    plain.add(f"From: {_flat(author)}", head)
    plain.add(f"Subject: [PATCH] {_flat(mail.subject.title)}", head)
    plain.add("", head)
    for number, line in enumerate(mail.written, mail.message_line):
        plain.add(line, Place(mail_line=number))
    plain.add("---", Place(mail_line=mail.cut_line))
    plain.add("", Place(mail_line=mail.cut_line))
    for change in mail.changes:
        if not change.binary and not change.is_submodule:
            _add_change(plain, change)
    plain.add("-- ", Place(mail_line=mail.tail_line))
    plain.add("0", Place(mail_line=mail.tail_line))
    return plain


def _flat(text: str) -> str:
    return " ".join(text.split())


def _add_change(plain: PlainPatch, change: FileChange) -> None:
    place = Place(change.path, None, change.mail_line)
    old, new = change.old_path or change.path, change.new_path or change.path
    plain.add(f"diff --git a/{old} b/{new}", place)
    if change.kind == "add":
        plain.add(f"new file mode {change.new_mode or '100644'}", place)
    elif change.kind == "delete":
        plain.add(f"deleted file mode {change.old_mode or '100644'}", place)
    elif change.old_mode and change.new_mode and change.old_mode != change.new_mode:
        plain.add(f"old mode {change.old_mode}", place)
        plain.add(f"new mode {change.new_mode}", place)
    if change.kind in ("rename", "copy"):
        plain.add(f"similarity index {change.similarity or 0}%", place)
        plain.add(f"{change.kind} from {old}", place)
        plain.add(f"{change.kind} to {new}", place)
    if not change.hunks:
        return
    plain.add(f"--- {_NULL if change.kind == 'add' else 'a/' + old}", place)
    plain.add(f"+++ {_NULL if change.kind == 'delete' else 'b/' + new}", place)
    for hunk in change.hunks:
        at = Place(change.path, hunk.new_start, hunk.mail_line)
        plain.add(f"@@ -{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count} @@"
                  + (f" {hunk.section}" if hunk.section else ""), at)
        number = hunk.new_start
        for offset, line in enumerate(hunk.lines, 1):
            plain.add(line, Place(change.path, number, hunk.mail_line + offset))
            number += line[:1] in (" ", "+")


def patch_id(mail: PatchMail) -> str:
    """A hash of what the patch does, white space included, line numbers left out.

    Like ``git patch-id --verbatim``: the same for a patch that only moved.
    """
    digest = hashlib.sha256()
    for change in mail.changes:
        digest.update(encode_diff(
            f"{change.kind}\0{change.old_path}\0{change.new_path}\0{change.old_mode}\0"
            f"{change.new_mode}\0"))
        for hunk in change.hunks:
            digest.update(b"@@\n")
            digest.update(encode_diff("\n".join(hunk.lines)))
    return digest.hexdigest()
