"""Where mails come from: files, mboxes, folders, maildirs, compressed files, bytes.

Mails are found one after the other and loaded again on demand, so that an mbox of any size
costs a record a mail and never more than one mail of text (``MAX_MAIL`` bytes).
"""

from __future__ import annotations

import gzip
import io
import re
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Protocol, cast

from patchgen.errors import InputError

MAX_MAIL = 64 * 1024 * 1024
"""Mails larger than this many bytes are named and left unread."""

_BLOCK = 1 << 20
_FROM = re.compile(
    rb"^From (?:[0-9a-f]{40,64} |\S*[^\n]*\d{1,2}:\d{2}(?::\d{2})?[^\n]* \d{4}\b)[^\n]*\n",
    re.MULTILINE,
)
_LONGEST_FROM = 998
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_SUFFIXES = frozenset({".patch", ".diff", ".mbox", ".mbx", ".eml", ".txt", ".mail", ".gz", ""})


class Opener(Protocol):
    """Opens the bytes that a slice belongs to."""

    def open(self) -> IO[bytes]:
        """A fresh binary stream at offset 0; the caller closes it."""


@dataclass(frozen=True, slots=True)
class PathOpener:
    """A plain file."""

    path: Path

    def open(self) -> IO[bytes]:
        """See ``Opener.open``; raises ``InputError`` when the file cannot be read."""
        try:
            return self.path.open("rb")
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=self.path) from error


@dataclass(frozen=True, slots=True)
class BytesOpener:
    """Bytes in memory."""

    data: bytes

    def open(self) -> IO[bytes]:
        """See ``Opener.open``."""
        return io.BytesIO(self.data)


class SpoolOpener:
    """A stream that cannot be sought (standard input, gzip), copied to a temporary file."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._file = tempfile.NamedTemporaryFile(prefix="patchgen-")  # noqa: SIM115
        try:
            while block := stream.read(_BLOCK):
                self._file.write(block)
            self._file.flush()
        except (OSError, EOFError) as error:
            self._file.close()
            raise InputError(f"cannot be read: {error}") from error

    def open(self) -> IO[bytes]:
        """See ``Opener.open``."""
        return Path(self._file.name).open("rb")


@dataclass(frozen=True, slots=True)
class MailSlice:
    """Where one mail stands: ``size`` bytes from ``offset`` of a file called ``name``.

    ``first_line`` is the line of the file at which it begins. ``head`` holds the bytes of its
    headers. ``boxed`` says that more than one mail stands in the file, so that ``>From `` is
    an escape.
    """

    name: str
    opener: Opener
    offset: int
    size: int
    first_line: int
    head: bytes
    boxed: bool

    def load(self) -> bytes:
        """The bytes of the mail, ``>From `` unescaped; raises ``InputError`` past the limit."""
        if self.size > MAX_MAIL:
            raise InputError(
                f"a mail of {self.size >> 20} MB",
                path=self.name,
                line=self.first_line,
                advice="no patch mail is that large",
            )
        with closing(self.opener.open()) as stream:
            stream.seek(self.offset)
            data = stream.read(self.size)
        return _ESCAPED.sub(rb"\1", data) if self.boxed else data


def slices_of_bytes(data: bytes, name: str = "<bytes>") -> Iterator[MailSlice]:
    """The mails in some bytes."""
    yield from _slices(BytesOpener(data), name)


def slices_of_stream(stream: IO[bytes], name: str = "<stdin>") -> Iterator[MailSlice]:
    """The mails of a stream that cannot be read twice."""
    yield from _slices(SpoolOpener(stream), name)


def slices_of_path(path: Path) -> Iterator[MailSlice]:
    """The mails of a file, of every mail file in a folder, or of a maildir.

    Raises ``InputError`` when there is no such path or it cannot be read.
    """
    if path.is_dir():
        for file in _mail_files(path):
            yield from _slices_of_file(file)
    elif path.exists():
        yield from _slices_of_file(path)
    else:
        raise InputError("no such file or folder", path=path)


def _mail_files(folder: Path) -> list[Path]:
    """Files of a maildir (new and cur), or the patch and mail files of a folder, by name."""
    if (folder / "cur").is_dir() and (folder / "new").is_dir():
        return sorted(
            (f for sub in ("cur", "new") for f in (folder / sub).iterdir() if f.is_file()),
            key=lambda f: f.name,
        )
    files = sorted(
        f
        for f in folder.iterdir()
        if f.is_file() and f.suffix.lower() in _SUFFIXES and not f.name.startswith(".")
    )
    patches = [f for f in files if f.suffix in (".patch", ".diff")]
    return patches or [f for f in files if f.suffix != "" or _looks_like_mail(f)]


def _looks_like_mail(file: Path) -> bool:
    from patchgen.mail.mime import has_headers

    with closing(PathOpener(file).open()) as stream:
        return has_headers(stream.read(4096))


def _slices_of_file(file: Path) -> Iterator[MailSlice]:
    opener: Opener = PathOpener(file)
    with closing(opener.open()) as stream:
        magic = stream.read(2)
    if magic == b"\x1f\x8b":
        with gzip.open(file) as unpacked:
            opener = SpoolOpener(cast(IO[bytes], unpacked))
    yield from _slices(opener, str(file))


def _slices(opener: Opener, name: str) -> Iterator[MailSlice]:
    """Cut a file at its ``From `` lines; one without them is one mail."""
    before: tuple[int, int] | None = None
    boxed = False
    with closing(opener.open()) as stream, closing(opener.open()) as reader:

        def cut(start: tuple[int, int], end: int) -> MailSlice:
            return _slice(
                reader, MailSlice(name, opener, start[0], end - start[0], start[1], b"", boxed)
            )

        for offset, line in _boundaries(stream):
            if before is not None:
                boxed = True
                yield cut(before, offset)
            elif offset > 0 and reader.read(min(offset, _BLOCK)).strip():
                boxed = True
                yield cut((0, 1), offset)
            before = (offset, line)
        end = stream.seek(0, io.SEEK_END)
        if before is None:
            before = (0, 1)
        if end > before[0]:
            yield cut(before, end)


def _slice(reader: IO[bytes], bare: MailSlice) -> MailSlice:
    """The slice with its header bytes read."""
    reader.seek(bare.offset)
    head = reader.read(min(bare.size, 64 * 1024))
    blank = re.search(rb"\r?\n\r?\n", head)
    if blank:
        head = head[: blank.end()]
    boxed = bare.boxed or head.startswith(b"From mboxrd@")
    return replace(bare, head=head, boxed=boxed)


def _boundaries(stream: IO[bytes]) -> Iterator[tuple[int, int]]:
    """``(offset, line)`` of every mbox separator, reading block by block."""
    base, line, rest = 0, 1, b""
    whole_line = True
    while True:
        block = stream.read(_BLOCK)
        data = rest + block
        # the last, maybe unfinished line waits for the next block, unless it is endless
        cut = data.rfind(b"\n") + 1 if block else len(data)
        if not cut and len(data) > _LONGEST_FROM:
            cut = len(data)
        counted = 0
        for match in _FROM.finditer(data, 0, cut):
            at = match.start()
            if at == 0 and not whole_line:
                continue
            line += data.count(b"\n", counted, at)
            counted = at
            yield base + at, line
        line += data.count(b"\n", counted, cut)
        if cut:
            whole_line = data[cut - 1 : cut] == b"\n"
        base += cut
        rest = data[cut:]
        if not block:
            return
