"""Read a series from wherever it travelled: the one door of this room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from patchgen import process
from patchgen.errors import InputError
from patchgen.mail.grouping import Group, group_series
from patchgen.mail.index import Entry, build_index
from patchgen.mail.message import read_mail
from patchgen.mail.model import MailSeries, OtherMail, PatchMail
from patchgen.mail.sources import (
    MailSlice,
    slices_of_bytes,
    slices_of_path,
    slices_of_stream,
)

Input = Path | str | bytes | IO[bytes]
MAX_SERIES = 96 * 1024 * 1024
"""A series of more bytes than this is refused: nobody could review it."""


def read_series(inputs: Input | Sequence[Input], *, version: int | None = None) -> MailSeries:
    """The series that some mails make up.

    ``inputs`` are paths (files, mboxes, folders, maildirs), bytes of mails, or binary
    streams; one or several. Of several versions the newest complete one is taken, or
    ``version``. Of several series the one that begins first is taken; the others are named
    in ``others``. Raises ``InputError`` when there is no patch, no such path or no such
    version.
    """
    items: list[Input] = []
    if isinstance(inputs, Sequence) and not isinstance(inputs, (str, bytes)):
        items.extend(inputs)
    else:
        items.append(inputs)
    names = ", ".join(_name(item) for item in items[:3])
    entries = list(build_index(_slices(items)))
    topics = group_series(entries)
    if not topics:
        raise InputError(
            "no patch and no cover letter in it",
            path=names or None,
            advice="give mails, an mbox, a folder of patches or a git range",
        )
    group = _choose(topics[0], version, names)
    return _assemble(group, topics, entries)


def read_range(repository: Path, revisions: str, *, timeout: float = 120) -> MailSeries:
    """The commits of a git range (``REV..REV``) as a series without cover or recipients.

    Raises ``InputError`` when git does not know the range or it is empty.
    """
    done = process.run(
        [
            "git",
            "-C",
            repository,
            "-c",
            "core.quotePath=true",
            "-c",
            "diff.noprefix=false",
            "-c",
            "diff.mnemonicPrefix=false",
            "-c",
            "format.signOff=false",
            "format-patch",
            "--stdout",
            "--no-cover-letter",
            "--no-attach",
            "--no-thread",
            "--no-base",
            "-M",
            "--no-ext-diff",
            "--no-color",
            "--numbered",
            "--end-of-options",
            revisions,
        ],
        timeout=timeout,
        check=False,
        env={"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"},
    )
    if done.returncode != 0:
        lines = done.error_text.splitlines() or ["git failed"]
        raise InputError(
            f"{revisions}: {lines[0]}", path=repository, advice="give a range like v6.12..HEAD"
        )
    if not done.stdout.strip():
        raise InputError(
            f"{revisions} holds no commits", path=repository, advice="give a range like v6.12..HEAD"
        )
    return replace(read_series(done.stdout), mailed=False)


def _name(item: object) -> str:
    return str(item) if isinstance(item, (Path, str)) else "<input>"


def _slices(items: Iterable[Input]) -> Iterator[MailSlice]:
    for item in items:
        if isinstance(item, bytes):
            yield from slices_of_bytes(item)
        elif isinstance(item, (str, Path)):
            yield from slices_of_path(Path(item))
        else:
            yield from slices_of_stream(item)


def _choose(groups: list[Group], version: int | None, names: str) -> Group:
    """The wanted version, else the newest complete one, else the newest."""
    if version is not None:
        wanted = [g for g in groups if g.version == version]
        if not wanted:
            there = ", ".join(f"v{g.version}" for g in groups)
            raise InputError(
                f"no version {version} in it", path=names or None, advice=f"there is {there}"
            )
        return max(wanted, key=lambda g: (g.complete, g.resend))
    complete = [g for g in groups if g.complete]
    return (complete or [g for g in groups if g.entries()])[-1]


def _assemble(group: Group, topics: list[list[Group]], entries: list[Entry]) -> MailSeries:
    chosen = [group.numbered[n] for n in sorted(group.numbered)]
    stray = group.unnumbered
    if not any(group.numbered):
        chosen, stray = chosen + sorted(group.unnumbered, key=lambda e: e.order), []
    size = sum(e.piece.size for e in chosen)
    if size > MAX_SERIES:
        raise InputError(f"the series has {size >> 20} MB", advice="nobody could review it")
    mails = [_numbered(read_mail(e.piece), e) for e in chosen]
    cover = next((m for m in mails if m.number == 0 and not m.changes), None)
    patches = [m for m in mails if m is not cover]
    if all(e.subject.number is None for e in chosen if e.subject.number != 0):
        patches = [replace(m, number=n) for n, m in enumerate(patches, 1)]
    return MailSeries(
        cover=cover,
        patches=tuple(patches),
        version=_version(mails, group),
        expected=group.total,
        missing=group.missing,
        others=tuple(_others(group, stray, topics, entries)),
        versions=tuple(sorted({g.version for g in topics[0]})),
    )


def _numbered(mail: PatchMail, entry: Entry) -> PatchMail:
    """The mail with the subject its index entry has (an inner one wins over the header's)."""
    if entry.subject.number is not None and mail.subject.number is None:
        return replace(mail, number=entry.subject.number, subject=entry.subject)
    return mail


def _version(mails: list[PatchMail], group: Group) -> int:
    """The version that most subjects name; a tie goes to the higher one."""
    votes: dict[int, int] = {}
    for mail in mails:
        votes[mail.subject.effective_version] = votes.get(mail.subject.effective_version, 0) + 1
    return max(votes, key=lambda v: (votes[v], v)) if votes else group.version


def _others(
    group: Group, stray: list[Entry], topics: list[list[Group]], entries: list[Entry]
) -> Iterator[OtherMail]:
    for entry in group.duplicates:
        yield OtherMail(entry.subject, entry.message_id, "duplicate", entry.piece.name)
    for entry in stray:
        yield OtherMail(entry.subject, entry.message_id, "unnumbered", entry.piece.name)
    for other in topics[0]:
        if other is not group:
            for entry in other.entries():
                yield OtherMail(entry.subject, entry.message_id, "other-version", entry.piece.name)
    for topic in topics[1:]:
        lead = topic[-1].entries()[0]
        yield OtherMail(lead.subject, lead.message_id, "other-series", lead.piece.name)
    for entry in entries:
        if not entry.is_patch:
            yield OtherMail(
                entry.subject,
                entry.message_id,
                "reply" if entry.subject.is_reply else "no-patch",
                entry.piece.name,
            )
