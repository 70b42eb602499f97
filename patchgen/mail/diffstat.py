"""Diffstats: reading the one a mail shows, and counting the true one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from patchgen.mail.model import DiffStat, DiffStatRow, FileChange

_ROW = re.compile(
    r" ?(?P<path>\S[^|]*?)\s*\|\s*(?P<count>\d{1,9}|Bin\b.*|Unmerged)\s*(?P<graph>[+-]*)\s*$"
)
_TOTAL = re.compile(
    r" ?(?P<files>\d{1,9}) files? changed"
    r"(?:, (?P<ins>\d{1,9}) insertions?\(\+\))?(?:, (?P<del>\d{1,9}) deletions?\(-\))?\s*$"
)
_SUMMARY = re.compile(r" (?P<what>create|delete) mode \d{6} (?P<path>.+)$")
_MOVE = re.compile(r"(?P<head>.*)\{(?P<old>[^{}]*) => (?P<new>[^{}]*)\}(?P<tail>.*)")


@dataclass(frozen=True, slots=True)
class TrueStat:
    """What a set of patches really changes: lines per path, and sums."""

    changed: dict[str, int]
    insertions: int
    deletions: int


def parse_diffstat(lines: list[str] | tuple[str, ...], first_line: int) -> DiffStat | None:
    """The last diffstat in some lines of a mail; None when there is no summary line."""
    for at in range(len(lines) - 1, -1, -1):
        total = _TOTAL.match(lines[at])
        if total is None:
            continue
        rows: list[DiffStatRow] = []
        top = at - 1
        while top >= 0:
            row = _ROW.match(lines[top])
            if row is None:
                break
            count = int(row["count"]) if row["count"].isdigit() else None
            rows.append(DiffStatRow(_moved(row["path"]), count, first_line + top))
            top -= 1
        created, deleted = _summaries(lines[at + 1 :])
        return DiffStat(
            tuple(reversed(rows)),
            int(total["files"]),
            int(total["ins"] or 0),
            int(total["del"] or 0),
            first_line + at,
            created,
            deleted,
        )
    return None


def _summaries(lines: list[str] | tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found: dict[str, list[str]] = {"create": [], "delete": []}
    for line in lines:
        match = _SUMMARY.match(line)
        if match:
            found[match["what"]].append(match["path"])
        elif line.strip() and not line.startswith((" rename", " copy", " mode change", " rewrite")):
            break
    return tuple(found["create"]), tuple(found["delete"])


def _moved(path: str) -> str:
    """The new path of ``dir/{old => new}/name`` or ``old => new``."""
    match = _MOVE.fullmatch(path)
    if match:
        return f"{match['head']}{match['new']}{match['tail']}".replace("//", "/")
    old, arrow, new = path.rpartition(" => ")
    if arrow and "}" in new and "{" not in old:
        return "..." + new.replace("}", "").replace("//", "/")  # git cut the part with the brace
    return new


def count_changes(changes: Iterable[FileChange]) -> TrueStat:
    """The true diffstat of one patch: every path with its number of changed lines."""
    changed: dict[str, int] = {}
    insertions = deletions = 0
    for change in changes:
        added, removed = change.counts
        insertions += added
        deletions += removed
        changed[change.path] = changed.get(change.path, 0) + added + removed
    return TrueStat(changed, insertions, deletions)


def same_path(shown: str, true: str) -> bool:
    """Whether a path of a diffstat, maybe cut to ``.../tail``, means the true path."""
    if shown.startswith("..."):
        return true.endswith(shown[3:])
    return shown == true or shown.strip('"') == true
