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
from patchgen.bench.store import Store
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
_BETWEEN = re.compile(r"\s*[|<>\\/]?\s*(?:<\d>)?(?:\[[^\]]{1,40}\] ?)?(?:tcrypt: ?)?$")
_SIGN = re.compile(r"[-+<>](?!\d>)")
_ONLY_LEFT = re.compile(r"\s{2,}[<(]\s*$")
_FAR = 20
_MOST = 10**15
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
        self.left = Column(store, "left")
        self.right = Column(store, "right")
        self.tables = TableReader(store)
        self.foreign = ForeignReader(store)
        self.quoted = False
        self.held: tuple[int, bytes] | None = None
        self.compared = False
        self.last = self.single

    def run(self, blocks: Iterable[list[bytes]]) -> int:
        """Read all lines; gives their number."""
        number = 0
        for turn, block in enumerate(blocks, 1):
            self._block(block, number)
            number += len(block)
            if turn % _FOLD_EVERY == 0:
                self.store.fold()
        for column in (self.single, self.left, self.right):
            column.flush()
        return number

    def _block(self, block: list[bytes], done: int) -> None:
        """Read the lines that follow the first ``done`` lines.

        A test is told by the text between its parentheses, which the heading in force has
        seen before; a line in which anything else is unusual goes the careful way.
        """
        column, careful, most = self.single, self._careful, _MOST
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
        """Any line that is not one of the two commonest ones."""
        if self.single.same_heading(line):
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
        starts = [match.start() for match in patterns.CELL.finditer(text)]
        if len(starts) > 1 and self._side_by_side(text, starts, number):
            return
        if starts:
            self._tcrypt(text, starts[0], number)
            if joined is line and self.last is self.single:
                self.single.learn(line)
        else:
            self._other(text, number)

    def _unquote(self, line: bytes, number: int) -> bytes | None:
        """Undo quoted-printable (RFC 2045, 6.7); ``None`` while a soft line break is open."""
        if self.held and self.held[0] + 1 == number:
            line = self.held[1] + line
        self.held = None
        if line.endswith(b"="):
            self.held = (number, line[:-1])
            return None
        return _QUOTED.sub(lambda match: bytes((int(match[1], 16),)), line)

    def _side_by_side(self, text: str, starts: list[int], number: int) -> bool:
        """A line of ``diff --side-by-side`` with two cells; whether it is one."""
        left, right = text[starts[0]:starts[1]], text[starts[1]:]
        gap = _BETWEEN.search(left)
        assert gap is not None
        marked = any(sign in gap[0] for sign in "|<>")
        if not (marked or left.startswith(patterns.HEADING) or patterns.SUSPECT.search(left)):
            return False
        if len(starts) > 2:
            self.store.unread(number, "more than two columns", text)
            return True
        self._cell(self.left, left[: gap.start()], number)
        self._cell(self.right, right, number)
        if left.startswith(patterns.HEADING):
            self._complete(self.left, self.right, number)
            self._complete(self.right, self.left, number)
        return True

    def _complete(self, column: Column, other: Column, number: int) -> None:
        """Give a heading that was cut off the direction of the same test beside it."""
        mine, theirs = column.heading, other.heading
        if mine is None or not mine.cut:
            return
        self.store.note(f"line {number}: the {column.label} heading is cut off; its driver is "
                        f"known as {mine.driver!r} only")
        if not mine.direction and theirs is not None and theirs.algorithm == mine.algorithm:
            column.set_direction(theirs.direction)

    def _tcrypt(self, text: str, start: int, number: int) -> None:
        """A line with one heading or test in it."""
        before, cell = text[:start], text[start:]
        sign = _SIGN.match(before)
        column = self.single
        if sign is not None:
            self.compared = self.compared or sign[0] == "<"
            if sign[0] != ">" or self.compared:
                column = self.left if sign[0] in "-<" else self.right
        elif before[_FAR:].rstrip().endswith((">", "|")):
            column = self.right
        elif only_left := _ONLY_LEFT.search(cell):
            column, cell = self.left, cell[: only_left.start()]
        self._cell(column, cell, number)

    def _cell(self, column: Column, cell: str, number: int) -> None:
        self.last = column
        if cell.startswith(patterns.HEADING):
            column.read_heading(cell[len(patterns.HEADING):].rstrip(), number)
            return
        test = patterns.TEST.match(cell)
        assert test is not None
        column.read_test(cell[test.end():], number)

    def _other(self, text: str, number: int) -> None:
        """A line without heading or test: a result alone, a section, a table, another tool."""
        if patterns.SUSPECT.search(text):
            self.single.read_result(text, number)
            return
        if patterns.FAILURE.search(text):
            self.store.unread(number, "the kernel reports a failed test", text)
            return
        section = _SECTIONS.get(text.strip(_SECTION_TRIM).lower())
        if section is not None:
            self.store.side = section
            for column in (self.single, self.left, self.right):
                column.restart()
            return
        if self.foreign.read(text, number) or self.tables.read(text, number, self.single.heading):
            return
        if number < _MAIL_HEADER and _QUOTED_MAIL.fullmatch(text):
            self.quoted = True
