"""Apply a series in memory, in order, and remember who wrote every line.

The rules are git apply's: no fuzz, the nearest place where the old lines match, hunks that
touch the start or end of a file only there. Without a tree only what the series itself has
shown of a file is known; that is enough to see patches contradict each other. Nothing here
reads or writes a disk, except that the tree reads its own files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from patchgen.errors import InputError
from patchgen.mail.filestate import FileState, Mismatch, PartialFile, WholeFile
from patchgen.mail.model import FileChange, MailSeries
from patchgen.mail.text import decode_diff
from patchgen.tree import Tree, clean_path

ProblemKind = Literal[
    "conflict", "offset", "exists", "absent", "already", "unsafe-path", "not-deleted"
]


@dataclass(frozen=True, slots=True)
class ApplyProblem:
    """Why (part of) a patch does not apply as it stands. ``line`` is in the resulting file."""

    kind: ProblemKind
    patch: int
    path: str
    message: str
    line: int | None = None
    mail_line: int | None = None
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Replaced:
    """A line that patch ``author`` of the series added and patch ``by`` removed again.

    ``line`` is where it stood before ``by``; ``replacement`` are the lines that ``by`` put in
    its place (maybe none), ``new_line`` is where they begin.
    """

    path: str
    author: int
    by: int
    text: str
    line: int
    new_line: int
    replacement: tuple[str, ...]


class _Reader(Protocol):
    def __call__(self, path: str) -> FileState | None:
        """The file of the base, None when it has none."""


@dataclass(slots=True)
class Applied:
    """The outcome: final files, problems, and lines that were rewritten within the series.

    ``files`` holds a state for every path touched, None when the series deleted it.
    ``created`` maps a path to the patch that created it.
    """

    files: dict[str, FileState | None] = field(default_factory=dict)
    problems: list[ApplyProblem] = field(default_factory=list)
    replaced: list[Replaced] = field(default_factory=list)
    created: dict[str, int] = field(default_factory=dict)
    opaque: set[str] = field(default_factory=set)

    def text(self, path: str) -> str | None:
        """The whole resulting file, or None when it is not known."""
        state = self.files.get(path)
        return state.text() if isinstance(state, WholeFile) else None

    def origin(self, path: str, line: int) -> int | None:
        """The patch that wrote a line (from 1) of the result; None for the base's own lines."""
        state = self.files.get(path)
        return state.origin(line) if state is not None else None

    def written_lines(self, path: str) -> Iterator[int]:
        """Lines of the result that the series wrote."""
        state = self.files.get(path)
        if state is not None:
            yield from state.written_lines()


def apply_series(series: MailSeries, tree: Tree | None = None) -> Applied:
    """Apply every patch in turn; problems are collected, never raised."""
    applied = Applied()

    def base(path: str) -> FileState | None:
        if tree is None:
            return PartialFile()
        try:
            entry = tree.entry(path)
        except InputError:
            return None
        return None if entry is None else WholeFile.from_text(decode_diff(entry.data))

    for patch in series.patches:
        for change in patch.changes:
            _apply_change(applied, change, patch.number, base)
    return applied


def _apply_change(applied: Applied, change: FileChange, number: int, base: _Reader) -> None:
    paths = [p for p in (change.old_path, change.new_path) if p is not None]
    for path in paths:
        if not _is_safe(path):
            applied.problems.append(
                ApplyProblem(
                    "unsafe-path",
                    number,
                    path,
                    "the path leads out of the tree",
                    mail_line=change.mail_line,
                )
            )
            return
    if change.is_submodule:
        applied.opaque.update(paths)
        return
    before = _state(applied, change.old_path, base) if change.old_path is not None else None
    if change.kind == "add":
        _create(applied, change, number, base)
        return
    assert change.old_path is not None
    if before is None:
        if change.old_path not in applied.opaque:
            applied.problems.append(
                ApplyProblem(
                    "absent",
                    number,
                    change.old_path,
                    "the file to change is not there",
                    mail_line=change.mail_line,
                )
            )
        applied.opaque.update(paths)
        return
    after = _patch(applied, change, number, before)
    if change.kind == "delete":
        _delete(applied, change, number, after)
        return
    target = change.new_path or change.old_path
    if change.kind == "rename":
        applied.files[change.old_path] = None
        if change.old_path in applied.created:
            applied.created[target] = applied.created[change.old_path]
    applied.files[target] = after


def _is_safe(path: str) -> bool:
    try:
        cleaned = clean_path(path)
    except InputError:
        return False
    return cleaned == path and path.split("/", 1)[0] != ".git"


def _state(applied: Applied, path: str, base: _Reader) -> FileState | None:
    if path in applied.files:
        return applied.files[path]
    state = base(path)
    applied.files[path] = state
    return state


def _create(applied: Applied, change: FileChange, number: int, base: _Reader) -> None:
    path = change.new_path or ""
    known = applied.files[path] if path in applied.files else base(path)
    lines = [line for hunk in change.hunks for line in _side(hunk.lines, "+")]
    state = WholeFile(lines, [number] * len(lines))
    if isinstance(known, WholeFile):
        same = known.lines == lines
        applied.problems.append(
            ApplyProblem(
                "already" if same else "exists",
                number,
                path,
                "the file is already there, with this very content"
                if same
                else "the file to be created is already there",
                mail_line=change.mail_line,
            )
        )
    applied.files[path] = state
    applied.created[path] = number
    if change.binary:
        applied.opaque.add(path)


def _delete(applied: Applied, change: FileChange, number: int, after: FileState) -> None:
    path = change.old_path or ""
    if isinstance(after, WholeFile) and after.lines and not change.binary and change.hunks:
        applied.problems.append(
            ApplyProblem(
                "not-deleted",
                number,
                path,
                "the deletion leaves lines of the file over",
                mail_line=change.mail_line,
            )
        )
    applied.files[path] = None
    applied.created.pop(path, None)


def _side(lines: Sequence[str], sign: str) -> list[str]:
    """One side of a hunk, each line with its newline (or without, before a ``\\`` marker)."""
    found: list[str] = []
    mine = False
    for line in lines:
        if line[:1] == "\\":
            if mine and found:
                found[-1] = found[-1].removesuffix("\n")
            continue
        mine = line[:1] in (" ", sign)
        if mine:
            found.append(line[1:] + "\n")
    return found


def _patch(applied: Applied, change: FileChange, number: int, before: FileState) -> FileState:
    """The file after a change's hunks; those that do not fit are reported and left out."""
    state = before.begin(number)
    for hunk in change.hunks:
        old, new = _side(hunk.lines, "-"), _side(hunk.lines, "+")
        found = state.place(hunk, old)
        if isinstance(found, Mismatch):
            again = state.place(hunk, new) if new and new != old else found
            already = not isinstance(again, Mismatch) and isinstance(before, WholeFile)
            applied.problems.append(
                ApplyProblem(
                    "already" if already else "conflict",
                    number,
                    change.path,
                    "the change is already in the file" if already else found.message,
                    line=hunk.new_start,
                    mail_line=hunk.mail_line,
                )
            )
            continue
        if found != 0:
            applied.problems.append(
                ApplyProblem(
                    "offset",
                    number,
                    change.path,
                    f"the hunk applies {abs(found)} line{'s' * (abs(found) != 1)} "
                    f"{'below' if found > 0 else 'above'} where its header says",
                    line=hunk.new_start,
                    mail_line=hunk.mail_line,
                    offset=found,
                )
            )
        for author, text, line, new_line, replacement in state.rewrite(hunk, found):
            applied.replaced.append(
                Replaced(change.path, author, number, text, line, new_line, replacement)
            )
    return state.finish()
