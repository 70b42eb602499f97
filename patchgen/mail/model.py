"""What a patch mail and a series of them are, once read: frozen data, no behaviour of note."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from patchgen.mail.address import Address
from patchgen.mail.subject import Subject
from patchgen.mail.trailers import Trailer, TrailerBlock

ChangeKind = Literal["add", "delete", "modify", "rename", "copy"]


@dataclass(frozen=True, slots=True)
class Damage:
    """Something wrong with a diff or its mail, found while reading.

    ``kind`` is a stable word; ``mail_line`` counts from 1 in the decoded mail; ``path`` and
    ``line`` say where in the resulting file, when that is known.
    """

    kind: str
    message: str
    mail_line: int | None = None
    path: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Hunk:
    """One ``@@`` block. Each of ``lines`` starts with blank, ``+``, ``-`` or ``\\``.

    ``mail_line`` is that of the ``@@`` line; the n-th of ``lines`` is n below it.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    section: str
    lines: tuple[str, ...]
    mail_line: int

    def numbered(self) -> Iterator[tuple[str, int, int, str]]:
        """``(sign, old line, new line, text)`` of each line, ``\\`` markers left out."""
        old, new = self.old_start, self.new_start
        for line in self.lines:
            sign = line[:1]
            if sign == "+":
                yield sign, old, new, line[1:]
                new += 1
            elif sign == "-":
                yield sign, old, new, line[1:]
                old += 1
            elif sign == " ":
                yield sign, old, new, line[1:]
                old += 1
                new += 1

    @property
    def old_ends_without_newline(self) -> bool:
        """The old side's last line has no newline."""
        return self._no_newline("-")

    @property
    def new_ends_without_newline(self) -> bool:
        """The new side's last line has no newline."""
        return self._no_newline("+")

    def _no_newline(self, sign: str) -> bool:
        return any(
            line.startswith("\\") and before[:1] in (" ", sign)
            for before, line in zip(self.lines, self.lines[1:], strict=False)
        )


@dataclass(frozen=True, slots=True)
class FileChange:
    """What one patch does to one file.

    Paths are without ``a/`` and ``b/``, as written otherwise: they may lead anywhere, so ask
    ``patchgen.tree.clean_path`` before using one. Modes are octal text (``100644``), blobs
    abbreviated hashes; both only when the diff names them.
    """

    old_path: str | None
    new_path: str | None
    kind: ChangeKind
    hunks: tuple[Hunk, ...] = ()
    old_mode: str | None = None
    new_mode: str | None = None
    old_blob: str | None = None
    new_blob: str | None = None
    similarity: int | None = None
    binary: bool = False
    git_header: bool = True
    mail_line: int = 0
    _memo: dict[str, tuple[tuple[int, str], ...]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def path(self) -> str:
        """The path that people would name: the new one, the old one of a deleted file."""
        return self.new_path or self.old_path or ""

    @property
    def is_submodule(self) -> bool:
        """Whether either side is a git submodule."""
        return "160000" in (self.old_mode, self.new_mode)

    @property
    def is_symlink(self) -> bool:
        """Whether either side is a symbolic link."""
        return "120000" in (self.old_mode, self.new_mode)

    def added(self) -> tuple[tuple[int, str], ...]:
        """``(line in the new file, text)`` of every added line."""
        return self._side("+")

    def removed(self) -> tuple[tuple[int, str], ...]:
        """``(line in the old file, text)`` of every removed line."""
        return self._side("-")

    def _side(self, wanted: str) -> tuple[tuple[int, str], ...]:
        if wanted not in self._memo:
            self._memo[wanted] = tuple(
                (new if wanted == "+" else old, text)
                for hunk in self.hunks
                for sign, old, new, text in hunk.numbered()
                if sign == wanted
            )
        return self._memo[wanted]

    @property
    def counts(self) -> tuple[int, int]:
        """How many lines are added and removed."""
        return len(self.added()), len(self.removed())


@dataclass(frozen=True, slots=True)
class DiffStatRow:
    """One row of a diffstat: the path as written (maybe with ``...`` in front) and its count."""

    path: str
    changed: int | None
    line: int


@dataclass(frozen=True, slots=True)
class DiffStat:
    """A diffstat as written in a mail; ``line`` is that of its summary."""

    rows: tuple[DiffStatRow, ...]
    files: int
    insertions: int
    deletions: int
    line: int
    created: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Transport:
    """How the text travelled: what mail programs do to patches shows here.

    ``wire_crlf`` says that headers and every line end in CRLF: a mail stored as it went over
    the wire. ``crlf_lines`` are lines that end so in a mail that otherwise does not.
    """

    encoding: str = "7bit"
    charset: str | None = None
    charset_fits: bool = True
    crlf_lines: tuple[int, ...] = ()
    wire_crlf: bool = False
    flowed: bool = False
    html: bool = False
    attachment: str | None = None
    ascii_only: bool = True
    longest_line: int = 0


@dataclass(frozen=True, slots=True)
class PatchMail:
    """One mail of a series: a patch, or the cover letter (number 0).

    Lines count from 1 in the decoded mail (headers included). ``message`` is the commit
    message without trailers, ``written`` with them; ``message_line`` is its first line.
    ``below`` is what stands between the ``---`` line (``cut_line``) and the diff, ``tail``
    what follows the diff.
    """

    number: int
    subject: Subject
    source: str
    author: Address | None
    sender: Address | None
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    message_id: str | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    date: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    message: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    message_line: int = 1
    block: TrailerBlock = field(default_factory=TrailerBlock)
    cut_line: int | None = None
    below: tuple[str, ...] = ()
    below_line: int = 1
    diffstat: DiffStat | None = None
    changes: tuple[FileChange, ...] = ()
    tail: tuple[str, ...] = ()
    tail_line: int = 1
    transport: Transport = field(default_factory=Transport)
    damages: tuple[Damage, ...] = ()

    @property
    def is_cover(self) -> bool:
        """Whether this is the cover letter."""
        return self.number == 0

    @property
    def trailers(self) -> tuple[Trailer, ...]:
        """The trailers of the commit message."""
        return self.block.trailers

    @property
    def recipients(self) -> tuple[Address, ...]:
        """Everybody in To and Cc."""
        return self.to + self.cc

    def header(self, name: str) -> str | None:
        """The first header of this name, decoded and unfolded."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    def trailers_of(self, *kinds: str) -> tuple[Trailer, ...]:
        """The trailers of these keys (lower case)."""
        return tuple(t for t in self.trailers if t.kind in kinds)


@dataclass(frozen=True, slots=True)
class OtherMail:
    """A mail of the thread that is not one of the series' patches."""

    subject: Subject
    message_id: str | None
    reason: Literal["reply", "duplicate", "other-version", "other-series", "unnumbered", "no-patch"]
    source: str


@dataclass(frozen=True, slots=True)
class MailSeries:
    """One version of one series, its patches in order.

    ``expected`` is the total that the subjects name (None when they name none). ``versions``
    are all versions that the input holds. ``mailed`` is False for a git range, which has
    neither headers nor recipients.
    """

    cover: PatchMail | None
    patches: tuple[PatchMail, ...]
    version: int = 1
    expected: int | None = None
    missing: tuple[int, ...] = ()
    others: tuple[OtherMail, ...] = ()
    versions: tuple[int, ...] = (1,)
    mailed: bool = True

    @property
    def mails(self) -> tuple[PatchMail, ...]:
        """The cover letter, if any, and the patches."""
        return ((self.cover,) if self.cover else ()) + self.patches

    @property
    def title(self) -> str:
        """The cover letter's title, or the first patch's."""
        first = next(iter(self.mails), None)
        return first.subject.title if first else ""

    @property
    def paths(self) -> tuple[str, ...]:
        """Sorted paths that the series touches."""
        return tuple(sorted({c.path for p in self.patches for c in p.changes}))
