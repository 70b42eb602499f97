"""From a log of any form to figures: one pass, block by block, in constant memory.

The inner loop takes the two commonest lines of tcrypt without a regular expression; every
other line, and every line that does not add up, goes the careful way.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from patchgen.bench import patterns
from patchgen.bench.column import Column
from patchgen.bench.foreign import ForeignReader
from patchgen.bench.model import BenchLog
from patchgen.bench.pairs import Pairs
from patchgen.bench.store import MOST, Store
from patchgen.bench.tables import TableReader
from patchgen.errors import InputError

MAX_LINE = 4096
"""Bytes of a line that are looked at; no form of any tool is longer."""

_BLOCK = 1 << 18
_DIFF_SIGNS = frozenset(b"+-<>")
_FOLD_EVERY = 16
_SECTIONS = {
    "before": "before", "after": "after", "baseline": "baseline", "patched": "patched",
    "unpatched": "unpatched", "old": "old", "new": "new", "software": "software",
    "hardware": "hardware", "without patch": "without patch", "with patch": "with patch",
    "without the patch": "without patch", "with the patch": "with patch",
}
_SECTION_TRIM = " \t=-*#:[]"
_SECTION_WIDTH = 60
_MAIL_HEADER = 400
_QUOTED_MAIL = re.compile(r"content-transfer-encoding:\s*quoted-printable\s*", re.IGNORECASE)
_QUOTED = re.compile(rb"=([0-9A-F]{2})")
_MAGIC = {
    b"\x1f\x8b": "compressed with gzip", b"\xfd7zXZ": "compressed with xz", b"BZh": "compressed "
    "with bzip2", b"\x28\xb5\x2f\xfd": "compressed with zstd", b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text", b"\x7fELF": "a program",
}


def read_log(path: Path | str, *, keep_runs: bool = False) -> BenchLog:
    """Read one log; ``-`` is standard input.

    With ``keep_runs`` every run is a measurement of its own (memory grows with the log).
    Raises ``InputError`` when the file is not there, cannot be read or holds no figure at all.
    """
    if str(path) == "-":
        return read_stream(sys.stdin.buffer, "-", keep_runs=keep_runs)
    try:
        with Path(path).open("rb") as stream:
            return read_stream(stream, str(path), keep_runs=keep_runs)
    except FileNotFoundError as error:
        raise InputError("no such log", path=path, advice="check the path") from error
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", path=path) from error


def read_text(text: str, source: str = "text") -> BenchLog:
    """Read a log that is already in memory; errors as in ``read_log``."""
    return _finish(_Reader(Store(source)), [text.encode("utf-8", "replace").split(b"\n")])


def read_stream(stream: BinaryIO, source: str, *, keep_runs: bool = False) -> BenchLog:
    """Read an open binary stream; errors as in ``read_log``."""
    return _finish(_Reader(Store(source, keep_runs=keep_runs)), _blocks(stream, source))


def _finish(reader: _Reader, blocks: Iterable[list[bytes]]) -> BenchLog:
    lines = reader.run(blocks)
    log = reader.store.log(lines)
    if log.figures:
        return log
    if not lines:
        raise InputError("the log is empty", path=log.source)
    if log.unread:
        first = log.unread[0]
        raise InputError(
            f"no figure can be read; {log.unread_total} lines look like figures, the first: "
            f"{first.reason}: {first.text!r}", path=log.source, line=first.line,
        )
    raise InputError(
        f"no benchmark figures in {lines} lines", path=log.source,
        advice="give tcrypt lines (dmesg), a table of them, cryptsetup benchmark or openssl speed",
    )


def _blocks(stream: BinaryIO, source: str) -> Iterator[list[bytes]]:
    """The stream as lists of lines without line ends; overlong lines keep their first part."""
    rest, first = b"", True
    while data := stream.read(_BLOCK):
        if first:
            for magic, kind in _MAGIC.items():
                if data.startswith(magic):
                    raise InputError(f"{kind}, not a text log", path=source,
                                     advice="unpack or convert it to plain text first")
            first = False
        place = data.rfind(b"\n") + 1
        if not place:
            rest = (rest + data)[: 2 * MAX_LINE]
            continue
        block = rest + data[: place - 1]
        rest = data[place:]
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n")
        yield block.split(b"\n")
    if rest:
        yield [rest.rstrip(b"\r")]


class _Reader:
    """State of one pass: the columns, the tables, and what is not tcrypt at all."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.single = Column(store)
        self.pairs = Pairs(store)
        self.tables = TableReader(store)
        self.foreign = ForeignReader(store)
        self.quoted = False
        self.held: tuple[int, bytes] | None = None

    def run(self, blocks: Iterable[list[bytes]]) -> int:
        """Read all lines; gives their number."""
        number = 0
        for turn, block in enumerate(blocks, 1):
            self._block(block, number)
            number += len(block)
            if turn % _FOLD_EVERY == 0:
                self.store.fold()
        self.single.flush()
        self.pairs.flush()
        return number

    def _block(self, block: list[bytes], done: int) -> None:
        """Read the lines that follow the first ``done`` lines.

        A test is told by the text between its parentheses, which the heading in force has
        seen before; a line in which anything else is unusual goes the careful way.
        """
        column, careful, most = self.single, self._careful, MOST
        for number, line in enumerate(block, done + 1):
            _, _, rest = line.partition(b" (")
            spec, _, rest = rest.partition(b"): ")
            tally = column.tallies.get(spec)
            if tally is None or line[0] in _DIFF_SIGNS:
                careful(line, number)
                continue
            figure, _, rest = rest.partition(tally.middle)
            size, _, rest = rest.partition(tally.end)
            try:
                count, total = int(figure), int(size)
            except ValueError:
                careful(line, number)
                continue
            if rest or count * tally.block != total or not 0 < count < most:
                careful(line, number)
                continue
            tally.values.append(count / tally.divisor)
            tally.lines.append(number)

    def _careful(self, line: bytes, number: int) -> None:
        """Any line that the loop above did not take."""
        if b"test" in line and (
            self.single.same_heading(line) or self.pairs.quick(line, number)
            or self.single.quick_cycles(line, number)
        ):
            return
        if len(line) > MAX_LINE:
            if patterns.SUSPECT.search(line[:MAX_LINE].decode("latin-1")):
                self.store.unread(number, f"longer than {MAX_LINE} bytes",
                                  line[:200].decode("utf-8", "replace"))
            return
        joined = self._unquote(line, number) if self.quoted else line
        if joined is None:
            return
        text = joined.decode("utf-8", "replace")
        if "\x1b" in text:
            text = patterns.ANSI.sub("", text)
        if "\0" in text and patterns.SUSPECT.search(text):
            self.store.unread(number, "NUL bytes inside", text)
            return
        starts = [match.start() for match in patterns.CELL.finditer(text)] if "test" in text else []
        if len(starts) > 1 and self.pairs.both(line, text, starts, number):
            return
        if not starts:
            self._other(text, number)
            return
        column, cell = self.pairs.column_of(text, starts[0])
        (column or self.single).read_cell(cell, number)
        if joined is line and column is None:
            self.single.learn(line)

    def _unquote(self, line: bytes, number: int) -> bytes | None:
        """Undo quoted-printable (RFC 2045, 6.7); ``None`` while a soft line break is open."""
        if self.held and self.held[0] + 1 == number:
            line = self.held[1] + line
        self.held = None
        if line.endswith(b"="):
            self.held = (number, line[:-1])
            return None
        return _QUOTED.sub(lambda match: bytes((int(match[1], 16),)), line)

    def _other(self, text: str, number: int) -> None:
        """A line without heading or test: a result alone, a section, a table, another tool."""
        if patterns.suspect(text):
            self.single.read_result(text, number)
        elif patterns.failure(text):
            self.store.unread(number, "the kernel reports a failed test", text)
        elif len(text) < _SECTION_WIDTH and (
            section := _SECTIONS.get(text.strip(_SECTION_TRIM).lower())
        ):
            self.store.side = section
            self.single.restart()
            self.pairs.restart()
        elif not self.foreign.read(text, number) and not self.tables.read(
            text, number, self.single.heading
        ) and number < _MAIL_HEADER and _QUOTED_MAIL.fullmatch(text):
            self.quoted = True
