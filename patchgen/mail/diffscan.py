"""Split the diff of a mail into files and hunks, and mend what unidiff cannot read.

unidiff (1.0) stops at, or misreads: hunks whose header counts are wrong, lines that a mailer
wrapped, ``\\r`` at line ends, the ``-- `` signature when counts are off, git binary patches,
names in C quotes, combined diffs (``@@@``), and changes without hunks next to text. Here each
becomes either plain hunks that unidiff can read, or a ``Damage`` that says what was there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from patchgen.mail.model import Damage

HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$")
_GIT = re.compile(r"diff --git (.+)$")
_COMBINED = re.compile(r"diff --(?:cc|combined) (.+)$")
_MODE = re.compile(r"(old mode|new mode|deleted file mode|new file mode) (\d{6})$")
_INDEX = re.compile(r"index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: (\d{6}))?$")
_MOVE = re.compile(r"(rename|copy) (from|to) (.+)$")
_SIMILARITY = re.compile(r"(?:dis)?similarity index (\d{1,3})%$")
_BINARY = re.compile(r"Binary files? .* differ$|GIT binary patch$")
_SIGNATURE = re.compile(r"-- ?$")
_VERSION = re.compile(r"\d+\.\d+[\w.() -]*$|$|b4 \d")


@dataclass(slots=True)
class RawHunk:
    """A hunk as found: header numbers, and its lines with counts that were mended."""

    old_start: int
    new_start: int
    section: str
    mail_line: int
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class RawFile:
    """One file's part of a diff."""

    mail_line: int
    git_header: str | None = None
    old_name: str | None = None
    new_name: str | None = None
    rename_from: str | None = None
    rename_to: str | None = None
    copied: bool = False
    old_mode: str | None = None
    new_mode: str | None = None
    created: bool = False
    deleted: bool = False
    old_blob: str | None = None
    new_blob: str | None = None
    similarity: int | None = None
    binary: bool = False
    hunks: list[RawHunk] = field(default_factory=list)


def is_diff_start(lines: list[str], at: int) -> bool:
    """Whether a diff begins at this line."""
    line = lines[at]
    if line.startswith(("diff --git ", "diff --cc ", "diff --combined ")):
        return True
    if line.startswith("--- ") and at + 1 < len(lines):
        return lines[at + 1].startswith("+++ ")
    return line.startswith(("Index: ", "diff -")) and any(
        following.startswith("--- ") for following in lines[at + 1 : at + 5]
    )


def _is_header(line: str) -> bool:
    return line.startswith(("diff --", "@@ ")) and (line[0] == "d" or HUNK.match(line) is not None)


class Scanner:
    """Reads the lines of a diff from ``start`` on; ``files``, ``damages`` and ``end`` result."""

    def __init__(self, lines: list[str], start: int, first_line: int) -> None:
        self.lines = lines
        self.at = start
        self.first_line = first_line
        self.files: list[RawFile] = []
        self.damages: list[Damage] = []
        self.end = start
        self._last_header = max(
            (n for n in range(start, len(lines)) if _is_header(lines[n])), default=-1
        )

    def damage(self, kind: str, message: str, at: int, path: str | None = None) -> None:
        """Note that something is wrong at a line."""
        self.damages.append(Damage(kind, message, self.first_line + at, path))

    def scan(self) -> None:
        """Read everything up to the mail's signature."""
        lines = self.lines
        while self.at < len(lines):
            line = lines[self.at]
            if line.startswith("diff --git "):
                self._git_file()
            elif line.startswith("--- ") and self._next_is("+++ "):
                self._plain_file()
            elif line.startswith("@@ ") and self.files:
                self._hunk(self.files[-1])
            elif _SIGNATURE.match(line) and not self._more_below():
                return
            else:
                self._other(line)
                continue
            self.end = self.at

    def _other(self, line: str) -> None:
        """A line that belongs to no file: noted when the diff goes on below it."""
        if _COMBINED.match(line):
            self.damage("combined-diff", "a combined diff cannot be applied", self.at)
            self._skip_combined()
        else:
            self._between(line)
            self.at += 1

    def _next_is(self, start: str) -> bool:
        return self.at + 1 < len(self.lines) and self.lines[self.at + 1].startswith(start)

    def _more_below(self) -> bool:
        return self._last_header >= self.at

    def _between(self, line: str) -> None:
        if not line.strip() or not self.files:
            return
        if line.startswith(("Index: ", "====", "diff -", "Only in ")):
            return
        if self._more_below():
            self.damage("text-in-diff", "text between the hunks of the diff", self.at)
            while self.at + 1 < len(self.lines) and not (
                self.lines[self.at + 1].startswith(("diff --", "--- ", "@@ "))
            ):
                self.at += 1  # one remark is enough

    def _git_file(self) -> None:
        current = RawFile(self.first_line + self.at, git_header=_git_names(self.lines[self.at]))
        self.files.append(current)
        self.at += 1
        while self.at < len(self.lines):
            line = self.lines[self.at].rstrip("\r")
            if not _extended(current, line):
                break
            self.at += 1
        if self.at < len(self.lines) and _BINARY.match(self.lines[self.at].rstrip("\r")):
            current.binary = True
            self._skip_binary()
        elif (
            self.at < len(self.lines)
            and self.lines[self.at].startswith("--- ")
            and self._next_is("+++ ")
        ):
            self._names(current)

    def _plain_file(self) -> None:
        current = RawFile(self.first_line + self.at)
        self.files.append(current)
        self._names(current)

    def _names(self, current: RawFile) -> None:
        current.old_name = _name(self.lines[self.at][4:])
        current.new_name = _name(self.lines[self.at + 1][4:])
        self.at += 2

    def _skip_binary(self) -> None:
        self.at += 1
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith("diff --") or _SIGNATURE.match(line):
                return
            self.at += 1

    def _skip_combined(self) -> None:
        self.at += 1
        while self.at < len(self.lines) and not self.lines[self.at].startswith("diff --"):
            self.at += 1

    def _hunk(self, current: RawFile) -> None:
        header = HUNK.match(self.lines[self.at].rstrip("\r"))
        if header is None:
            self.damage("hunk-header", "a hunk header that cannot be read", self.at)
            self.at += 1
            return
        old_start, old_count, new_start, new_count, section = header.groups()
        hunk = RawHunk(int(old_start), int(new_start), section, self.first_line + self.at)
        wanted_old = 1 if old_count is None else int(old_count)
        wanted_new = 1 if new_count is None else int(new_count)
        where = self.at
        self.at += 1
        old, new = self._hunk_lines(hunk, wanted_old, wanted_new)
        self._trim_tail(hunk, old, new, wanted_old, wanted_new)
        old = sum(line[0] in " -" for line in hunk.lines)
        new = sum(line[0] in " +" for line in hunk.lines)
        if (old, new) != (wanted_old, wanted_new):
            self.damage(
                "hunk-counts",
                f"the hunk header counts {wanted_old} old and {wanted_new} new lines, "
                f"the hunk has {old} and {new}",
                where,
                current.new_name,
            )
        current.hunks.append(hunk)

    def _hunk_lines(self, hunk: RawHunk, wanted_old: int, wanted_new: int) -> tuple[int, int]:
        """Take lines while they look like hunk lines; beyond the counts only if they go on."""
        old = new = 0
        lines = self.lines
        while self.at < len(lines):
            line = lines[self.at]
            full = old >= wanted_old and new >= wanted_new
            sign = line[:1]
            if full and not line.startswith("\\") and not self._goes_on(line):
                break
            if sign == "+":
                new += 1
            elif sign == "-":
                if self._is_next_file() or (_SIGNATURE.match(line) and self._is_mail_end()):
                    break
                old += 1
            elif sign == " " or not line.strip("\r"):
                if not line.strip("\r"):
                    if self._rest_is_blank():
                        break
                    self.damage("blank-context", "an empty context line lost its blank", self.at)
                    line = " " + line
                old += 1
                new += 1
            elif sign != "\\":
                if not hunk.lines or not self._wrapped(line, full):
                    break
                self.damage("wrapped-line", "a line of the diff was wrapped", self.at)
                hunk.lines[-1] += " " + line
                self.at += 1
                continue
            hunk.lines.append(line)
            self.at += 1
        return old, new

    def _goes_on(self, line: str) -> bool:
        """Past the counted lines: does the hunk plainly go on?"""
        if line[:1] == "-":
            return not line.startswith("--- ") and not _SIGNATURE.match(line)
        return line[:1] in ("+", " ") and not line.startswith("+++ ")

    def _is_next_file(self) -> bool:
        """The names of the next file, in a diff without ``diff --git`` lines."""
        names = self.lines[self.at : self.at + 3]
        return (
            len(names) == 3
            and names[0].startswith("--- ")
            and names[1].startswith("+++ ")
            and names[2].startswith("@@ ")
        )

    def _is_mail_end(self) -> bool:
        rest = [line for line in self.lines[self.at + 1 : self.at + 4] if line.strip()]
        return not rest or _VERSION.match(rest[0]) is not None

    def _rest_is_blank(self) -> bool:
        """Nothing of the hunk follows: only blanks, a signature, or the next file."""
        for line in self.lines[self.at : self.at + 40]:
            if line.strip():
                return not (
                    line[0] in " +\\"
                    or (
                        line[0] == "-"
                        and not _SIGNATURE.match(line)
                        and not line.startswith("--- ")
                    )
                )
        return True

    def _wrapped(self, line: str, full: bool) -> bool:
        """Whether a line that is no hunk line is the rest of the one before it."""
        if full or line.startswith(("diff --", "@@ ", "Index: ")) or self.at == 0:
            return False
        following = next((f for f in self.lines[self.at + 1 : self.at + 4] if f), "")
        return following[:1] in (" ", "+", "-", "\\") and not _SIGNATURE.match(following)

    def _trim_tail(
        self, hunk: RawHunk, old: int, new: int, wanted_old: int, wanted_new: int
    ) -> None:
        """Give back lines that the counts do not cover and that are the mail's own blanks."""
        while hunk.lines and (old > wanted_old and new > wanted_new) and hunk.lines[-1] == " ":
            hunk.lines.pop()
            old, new = old - 1, new - 1


def _extended(current: RawFile, line: str) -> bool:
    """Take one extended header line of git; False when it is none."""
    mode = _MODE.match(line)
    if mode:
        word, value = mode.groups()
        if word in ("old mode", "deleted file mode"):
            current.old_mode = value
        if word in ("new mode", "new file mode"):
            current.new_mode = value
        current.created |= word == "new file mode"
        current.deleted |= word == "deleted file mode"
        return True
    index = _INDEX.match(line)
    if index:
        current.old_blob, current.new_blob = index[1], index[2]
        if index[3]:
            current.old_mode = current.old_mode or index[3]
            current.new_mode = current.new_mode or index[3]
        return True
    move = _MOVE.match(line)
    if move:
        current.copied |= move[1] == "copy"
        if move[2] == "from":
            current.rename_from = unquote(move[3])
        else:
            current.rename_to = unquote(move[3])
        return True
    similar = _SIMILARITY.match(line)
    if similar:
        current.similarity = min(int(similar[1]), 100)
        return True
    return False


def _git_names(line: str) -> str:
    return line[len("diff --git ") :].rstrip("\r")


def split_git_names(names: str) -> tuple[str, str] | None:
    """The two names of a ``diff --git`` line (git's own rule: they are equal after a/ b/)."""
    if names.startswith('"'):
        match = re.match(r'("(?:[^"\\]|\\.)*") (.+)$', names)
        return (unquote(match[1]), unquote(match[2])) if match else None
    if names.endswith('"'):
        head, _, tail = names.partition(' "')
        return unquote(head), unquote('"' + tail)
    half = len(names) // 2
    if len(names) % 2 and names[half] == " ":
        old, new = names[:half], names[half + 1 :]
        if old.partition("/")[2] == new.partition("/")[2]:
            return old, new
    words = names.split(" ")
    return (words[0], words[1]) if len(words) == 2 else None


def _name(text: str) -> str:
    """The path of a ``---`` or ``+++`` line, time stamp cut off."""
    text = text.rstrip("\r")
    if text.startswith('"'):
        match = re.match(r'"(?:[^"\\]|\\.)*"', text)
        return unquote(match[0]) if match else text
    return text.split("\t", 1)[0].rstrip(" ")


_ESCAPE = re.compile(r"\\([abtnvfr\"\\]|[0-3][0-7]{2})")
_SHORT = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}


def unquote(name: str) -> str:
    """A path out of git's C quotes (core.quotePath); other text is returned as it is."""
    if len(name) < 2 or not (name.startswith('"') and name.endswith('"')):
        return name
    raw = name[1:-1].encode("utf-8", "surrogateescape")

    def byte(match: re.Match[bytes]) -> bytes:
        code = match[1].decode("ascii")
        return bytes([_SHORT[code] if code in _SHORT else int(code, 8)])

    pattern = re.compile(_ESCAPE.pattern.encode("ascii"))
    return pattern.sub(byte, raw).decode("utf-8", "surrogateescape")
