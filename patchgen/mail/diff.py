"""Diffs of patch mails as frozen data: scan, let unidiff read the hunks, convert."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from patchgen.mail.diffscan import RawFile, RawHunk, Scanner, is_diff_start, split_git_names
from patchgen.mail.model import ChangeKind, Damage, FileChange, Hunk

_NULL = "/dev/null"


def find_diff(lines: list[str]) -> int | None:
    """Index of the line at which the diff of a mail begins, None without a diff."""
    for at, line in enumerate(lines):
        if line[:1] in ("d", "-", "I") and is_diff_start(lines, at):
            return at
    return None


def parse_diff(
    lines: list[str], start: int = 0, first_line: int = 1
) -> tuple[tuple[FileChange, ...], tuple[Damage, ...], int]:
    """The file changes of a diff, what was wrong with it, and the index after its end.

    ``lines`` are without newline, ``start`` is where the diff begins in them and
    ``first_line`` the mail line of ``lines[0]``. Damaged hunks are mended where the meaning
    is plain and reported in any case; this never raises.
    """
    scanner = Scanner(lines, start, first_line)
    scanner.scan()
    for raw in scanner.files:
        scanner.damages.extend(_name_damages(raw))
    hunks = _read_hunks(scanner.files, scanner.damages)
    changes = tuple(_change(raw, hunks) for raw in scanner.files)
    return changes, tuple(scanner.damages), scanner.end


def parse_diff_text(text: str) -> tuple[FileChange, ...]:
    """The file changes of a diff that comes from git itself (no mail around it)."""
    return parse_diff(text.split("\n"))[0]


def _read_hunks(files: list[RawFile], damages: list[Damage]) -> dict[int, Hunk]:
    """unidiff's reading of every hunk, keyed by mail line; a hunk it refuses is a damage."""
    raw = [hunk for current in files for hunk in current.hunks]
    try:
        patch_set = PatchSet(_normal(raw))
        parsed = [hunk for patched in patch_set for hunk in patched]
    except UnidiffParseError:
        parsed = []
    if len(parsed) == len(raw):
        return {r.mail_line: _hunk(r, p) for r, p in zip(raw, parsed, strict=True)}
    found: dict[int, Hunk] = {}
    for one in raw:
        try:
            found[one.mail_line] = _hunk(one, PatchSet(_normal([one]))[0][0])
        except (UnidiffParseError, IndexError) as error:
            damages.append(Damage("hunk-unreadable", f"unidiff: {error}", one.mail_line))
    return found


def _normal(hunks: list[RawHunk]) -> list[str]:
    """A diff of one nameless file whose headers count what the hunks really hold."""
    text = ["--- a/x\n", "+++ b/x\n"]
    for hunk in hunks:
        old = sum(line[0] in " -" for line in hunk.lines)
        new = sum(line[0] in " +" for line in hunk.lines)
        if not old and not new:
            continue
        text.append(f"@@ -{hunk.old_start},{old} +{hunk.new_start},{new} @@\n")
        text.extend(f"{line}\n" for line in hunk.lines)
    return text


def _hunk(raw: RawHunk, parsed: object) -> Hunk:
    lines = tuple(f"{line.line_type}{line.value[:-1]}" for line in parsed)  # type: ignore[attr-defined]
    return Hunk(
        raw.old_start,
        sum(line[0] in " -" for line in lines),
        raw.new_start,
        sum(line[0] in " +" for line in lines),
        raw.section,
        lines,
        raw.mail_line,
    )


def _change(raw: RawFile, hunks: dict[int, Hunk]) -> FileChange:
    old, new = _paths(raw)
    kind: ChangeKind = "modify"
    if raw.rename_from or raw.rename_to:
        kind = "copy" if raw.copied else "rename"
    elif raw.created or old is None:
        kind, old = "add", None
    elif raw.deleted or new is None:
        kind, new = "delete", None
    return FileChange(
        old_path=old,
        new_path=new,
        kind=kind,
        hunks=tuple(hunks[h.mail_line] for h in raw.hunks if h.mail_line in hunks),
        old_mode=raw.old_mode,
        new_mode=raw.new_mode,
        old_blob=raw.old_blob,
        new_blob=raw.new_blob,
        similarity=raw.similarity,
        binary=raw.binary,
        git_header=raw.git_header is not None,
        mail_line=raw.mail_line,
    )


def _paths(raw: RawFile) -> tuple[str | None, str | None]:
    """Old and new path without ``a/`` and ``b/``; None for ``/dev/null``."""
    if raw.rename_from or raw.rename_to:
        return raw.rename_from or raw.rename_to, raw.rename_to or raw.rename_from
    old, new = raw.old_name, raw.new_name
    if raw.git_header is not None and (old is None or new is None):
        names = split_git_names(raw.git_header)
        old, new = names or (raw.git_header, raw.git_header)
    return _strip(old), _strip(new)


_PREFIX = re.compile(r"[abciow12]/|linux[^/]*/")


def _name_damages(raw: RawFile) -> Iterator[Damage]:
    """Names without ``a/`` and ``b/``, or that differ between the header's lines."""
    if raw.git_header is None:
        return
    names = split_git_names(raw.git_header)
    shown = [n for n in (raw.old_name, raw.new_name) if n is not None and n != _NULL]
    if any(_PREFIX.match(n) is None for n in (*shown, *(names or ()))):
        yield Damage(
            "no-prefix",
            "names without a/ and b/: git apply cuts off the first folder",
            raw.mail_line,
        )
    elif (
        names is not None
        and not raw.rename_from
        and any(_strip(n) not in (_strip(names[0]), _strip(names[1])) for n in shown)
    ):
        yield Damage(
            "name-mismatch",
            f"the names differ: {_strip(names[0])} and {_strip(shown[-1])}",
            raw.mail_line,
        )


def _strip(name: str | None) -> str | None:
    """A path without its first component, the way ``-p1`` cuts it."""
    if name is None or name == _NULL:
        return None
    head, slash, rest = name.partition("/")
    return rest if slash and head and head not in ("..", ".") else name
