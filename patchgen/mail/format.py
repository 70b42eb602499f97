"""``git format-patch``: from recorded commits to the mails of a series.

git writes text, diffs, shortlog and diffstat. What it takes from the clock is replaced
by what follows from the content: message ids (RFC 5322 §3.6.4) and so the threading.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from patchgen import __version__
from patchgen.errors import InputError
from patchgen.history import Recorded, Scratch

STAT_WIDTH = 78


@dataclass(frozen=True, slots=True)
class MailOptions:
    """What the user may choose about the mails."""

    version: int
    prefix: str = "PATCH"
    rfc: bool = False
    to: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()

    @property
    def subject_prefix(self) -> str:
        """What stands before the version: ``RFC PATCH`` or the prefix itself."""
        return f"RFC {self.prefix}" if self.rfc else self.prefix


@dataclass(frozen=True, slots=True)
class Mail:
    """One file of the output folder: its name and bytes."""

    name: str
    data: bytes


def format_series(
    scratch: Scratch, recorded: Recorded, cover_subject: str, cover_body: str,
    options: MailOptions,
) -> tuple[Mail, ...]:
    """The cover letter and the patches, in order.

    On a git base the cover has git's ``base-commit:`` and ``prerequisite-patch-id:`` lines;
    elsewhere no commit id means anything to a reader, so only the latter are written.
    """
    folder = scratch.folder / "mails"
    tip = recorded.patches[-1]
    start = recorded.prerequisites[-1] if recorded.prerequisites else recorded.base
    scratch.git("update-ref", "refs/heads/series", tip)
    # The branch description is how format-patch takes a cover letter's text.
    scratch.git("config", "branch.series.description", f"{cover_subject}\n\n{cover_body}")
    words = [
        "format-patch", "--quiet", "--output-directory", str(folder), "--cover-letter",
        "--cover-from-description=subject", "--numbered", "--no-thread", "--no-renames",
        f"--reroll-count={options.version}", f"--subject-prefix={options.subject_prefix}",
        f"--signature=patchgen {__version__}", "--encode-email-headers", "--abbrev=12",
        f"--stat={STAT_WIDTH}", "--summary", "--diff-algorithm=histogram", "--no-color",
    ]
    words += [f"--to={address}" for address in options.to]
    words += [f"--cc={address}" for address in options.cc]
    if scratch.borrow is not None:
        words.append(f"--base={recorded.base}")
    scratch.git(*words, f"{start}..refs/heads/series")
    files = sorted(folder.iterdir())
    if len(files) != len(recorded.patches) + 1:
        raise InputError(f"git wrote {len(files)} mails for {len(recorded.patches)} patches")
    mails = [Mail(file.name, file.read_bytes()) for file in files]
    if scratch.borrow is None:
        mails[0] = name_prerequisites(mails[0], patch_ids(scratch, recorded.prerequisites))
    return _thread(mails, scratch)


def format_prerequisites(scratch: Scratch, recorded: Recorded) -> tuple[Mail, ...]:
    """The patches that the base needs first, not numbered with the series."""
    folder = scratch.folder / "prerequisites"
    if not recorded.prerequisites:
        return ()
    scratch.git("format-patch", "--quiet", "--output-directory", str(folder), "--no-thread",
                "--no-renames", f"--signature=patchgen {__version__}", "--abbrev=12",
                f"{recorded.base}..{recorded.prerequisites[-1]}")
    return tuple(Mail(file.name, file.read_bytes()) for file in sorted(folder.iterdir()))


def patch_ids(scratch: Scratch, commits: Sequence[str]) -> tuple[str, ...]:
    """The stable patch id of each commit (git-patch-id(1)), for ``prerequisite-patch-id:``."""
    ids = []
    for commit in commits:
        diff = scratch.git("diff-tree", "-p", "--no-renames", "--full-index", commit).stdout
        ids.append(scratch.git("patch-id", "--stable", stdin=diff).text.split()[0])
    return tuple(ids)


def name_prerequisites(cover: Mail, ids: Sequence[str]) -> Mail:
    """The cover letter with ``prerequisite-patch-id:`` lines where git would put them."""
    if not ids:
        return cover
    body, mark, signature = cover.data.rpartition(b"\n-- \n")
    lines = "".join(f"prerequisite-patch-id: {each}\n" for each in ids)
    return Mail(cover.name, body + b"\n" + lines.encode("ascii") + mark[1:] + signature)


def _thread(mails: Sequence[Mail], scratch: Scratch) -> tuple[Mail, ...]:
    """Give each mail its Message-ID, and the patches their references to the cover."""
    domain = scratch.identity.mail.rpartition("@")[2]
    stamp = dt.datetime.fromtimestamp(int(scratch.date.timestamp()), dt.UTC)
    digest = hashlib.sha256(b"\0".join(mail.data for mail in mails)).hexdigest()[:16]
    ids = [
        f"<{stamp:%Y%m%d%H%M%S}.{digest}-{number}-patchgen@{domain}>"
        for number in range(len(mails))
    ]
    threaded = []
    for number, mail in enumerate(mails):
        headers = [f"Message-ID: {ids[number]}"]
        if number:
            headers += [f"In-Reply-To: {ids[0]}", f"References: {ids[0]}"]
        first, rest = mail.data.split(b"\n", 1)
        threaded.append(Mail(
            mail.name, first + b"\n" + "".join(h + "\n" for h in headers).encode("ascii") + rest))
    return tuple(threaded)

