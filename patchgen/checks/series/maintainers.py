"""Entries in MAINTAINERS: there is one for a new driver, and it is well-formed."""

from __future__ import annotations

import difflib
import posixpath
import re
from itertools import pairwise

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_file
from patchgen.mail.maintainers import Section, read_maintainers
from patchgen.mail.model import FileChange

_ORDER = "MRLSWQBCPTFXNK"
_STATES = ("Supported", "Maintained", "Odd Fixes", "Orphan", "Obsolete")


@check(
    "maintainers-missing",
    scope="series",
    severity="warning",
    rule="A new driver comes with an entry in MAINTAINERS",
    why="Without one nobody is asked when it breaks, and get_maintainer.pl names a stranger.",
    fix="add an entry with M:, L:, S: and F: lines for the new files",
)
def maintainers_missing(context: SeriesContext) -> Findings:
    """New folders of drivers, or new drivers with a Kconfig entry, that no entry covers."""
    if "MAINTAINERS" in context.touched_by:
        return
    new = [p for p in context.created if p.startswith("drivers/") and p.endswith((".c", ".rs"))]
    drivers = [
        p
        for p in new
        if posixpath.dirname(p) + "/Makefile" in context.created or _has_kconfig(context, p)
    ]
    if not drivers:
        return
    if context.tree is not None and context.tree.exists("MAINTAINERS"):
        known = read_maintainers(context.tree.read("MAINTAINERS"))
        drivers = [
            p
            for p in drivers
            if not any(_covers_closely(context, s, p) for s in known.sections_for([p]))
        ]
    else:
        drivers = [p for p in drivers if not _in_vendor_folder(context, p)]
    if drivers:
        number = context.created[drivers[0]]
        yield in_file(
            "maintainers-missing",
            number,
            drivers[0],
            None,
            "no patch of the series adds an entry for this driver to MAINTAINERS",
        )


def _in_vendor_folder(context: SeriesContext, path: str) -> bool:
    """A file named after its folder, which was there before: that folder has its entry."""
    folder = posixpath.dirname(path)
    return folder + "/Makefile" not in context.created and posixpath.basename(path).startswith(
        posixpath.basename(folder))


def _has_kconfig(context: SeriesContext, path: str) -> bool:
    folder = posixpath.dirname(path)
    return any(
        change.path.endswith("Kconfig")
        and (
            folder == posixpath.dirname(change.path)
            or folder.startswith(posixpath.dirname(change.path) + "/")
        )
        and any(re.match(r"(?:menu)?config [A-Z0-9_]+$", text) for _, text in change.added())
        for _, change in context.changes()
    )


def _covers_closely(context: SeriesContext, section: Section, path: str) -> bool:
    """Whether an entry means this driver: by name, or as a folder that its author looks after."""
    if any(not f.endswith("/") and f.count("/") >= 2 for f in section.matching(path)):
        return True
    mine = {a.mail.lower() for m in context.series.mails for a in (m.author, m.sender) if a}
    return bool(section.values("N")) or bool(section.people & mine)


@check(
    "maintainers-entry",
    scope="series",
    severity="warning",
    rule="A MAINTAINERS entry has M:, L:, S: and F: in this order, with a tab, sorted by title",
    why="get_maintainer.pl reads the file by its form; parse-maintainers.pl keeps it sorted.",
    fix="scripts/get_maintainer.pl --self-test, scripts/parse-maintainers.pl",
)
def maintainers_entry(context: SeriesContext) -> Findings:
    """Entries that the series adds."""
    for patch, change in context.changes():
        if change.path != "MAINTAINERS" or change.kind != "modify":
            continue
        yield from _fields(context, patch.number, change)
        yield from _titles(patch.number, change)


def _fields(context: SeriesContext, number: int, change: FileChange) -> Findings:
    last_key, last_line, last_file = "", -1, ""
    for line, text in change.added():
        match = re.match(r"([A-Z]):([ \t]*)(.*)$", text)
        if match is None:
            last_key = ""
            continue
        key, blank, value = match.groups()
        if blank != "\t":
            yield in_file(
                "maintainers-entry", number, change.path, line, f"{key}: is followed by one tab"
            )
        if key not in _ORDER:
            yield in_file(
                "maintainers-entry",
                number,
                change.path,
                line,
                f"{key}: is no field of MAINTAINERS",
                severity="error",
            )
            continue
        follows = last_key and line == last_line + 1
        if follows and _ORDER.index(key) < _ORDER.index(last_key):
            yield in_file(
                "maintainers-entry", number, change.path, line, f"{key}: stands after {last_key}:"
            )
        if key == "F":
            if follows and last_key == "F" and value < last_file:
                yield in_file("maintainers-entry", number, change.path, line, "F: lines are sorted")
            last_file = value
            if _is_nowhere(context, value):
                yield in_file(
                    "maintainers-entry",
                    number,
                    change.path,
                    line,
                    f"F: {value} matches no file of the tree or the series",
                    severity="error",
                )
        if key == "S" and not value.startswith(_STATES):
            yield in_file(
                "maintainers-entry",
                number,
                change.path,
                line,
                f"S: {value} is none of {', '.join(_STATES)}",
            )
        if key in "MR" and not re.search(r"<[^<>\s]+@[^<>\s]+>", value):
            yield in_file("maintainers-entry", number, change.path, line, f"{key}: has no address")
        last_key, last_line = key, line


def _is_nowhere(context: SeriesContext, pattern: str) -> bool:
    """Whether a file pattern surely matches nothing, now or after the series."""
    section = Section("", 0, (("F", pattern),))
    if any(section.matches(path) for path in context.created):
        return False
    folder = pattern.rstrip("/") if pattern.endswith("/") else posixpath.dirname(pattern)
    if context.tree is None:
        near = difflib.get_close_matches(pattern, list(context.created), 1, 0.9)
        return "*" not in pattern and bool(near)
    if "*" in pattern or "?" in pattern:
        return not context.tree.list_dir(folder.partition("*")[0].rpartition("/")[0] or ".")
    if pattern.endswith("/"):
        return not context.tree.list_dir(folder)
    return not context.tree.exists(pattern) and not context.tree.list_dir(pattern)


def _titles(number: int, change: FileChange) -> Findings:
    """Titles of added entries against the titles around them in the hunk."""
    for hunk in change.hunks:
        titles: list[tuple[bool, int, str]] = []
        blank = True
        for sign, _, line, text in hunk.numbered():
            if sign == "-":
                continue
            if blank and re.match(r"[A-Z0-9][^a-z:]{2,}", text) and not re.match(r"[A-Z]:", text):
                titles.append((sign == "+", line, text.strip()))
            blank = not text.strip()
        for (new_a, line_a, a), (new_b, line_b, b) in pairwise(titles):
            if (new_a or new_b) and b.casefold() < a.casefold():
                yield in_file(
                    "maintainers-entry",
                    number,
                    change.path,
                    line_b if new_b else line_a,
                    f"entries are sorted: {b!r} comes before {a!r}",
                )
