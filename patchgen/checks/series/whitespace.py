"""White space: what editors leave behind, and what mail programs do to tabs."""

from __future__ import annotations

import re

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_file
from patchgen.mail.model import FileChange

_CODE = re.compile(r"\.(?:c|h|S|s|cpp|dts|dtsi|dtso|lds)$|(?:^|/)Kconfig[^/]*$")
_TABBED = re.compile(r"\.(?:c|h|S|dts|dtsi)$|(?:^|/)Kconfig[^/]*$")
_VERBATIM = re.compile(r"\.(?:patch|diff|rej|mbox|out|expected|svg)$")
_KCONFIG = re.compile(r"(?:^|/)Kconfig[^/]*$")
_KCONFIG_WORD = re.compile(
    r" +(?:bool|tristate|string|int|hex|depends on|select|imply|help|default|range|prompt)\b"
)
_INVISIBLE = re.compile("[\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff\u00ad\u2060]")
_NO_BREAK = re.compile("[\u00a0\u2002-\u200a\u202f\u3000]")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|nbsp|#\d{2,5});")
_CURLY = re.compile("[\u2018\u2019\u201c\u201d]")
_COMMENT = re.compile(r"\s*(?:/?\*|//|#)")
_LONGEST = 100
_MARKER = re.compile(r"(?:<{7}|>{7}|\|{7}) |={7}$")
_MOST = 3


@check(
    "whitespace",
    scope="series",
    severity="error",
    rule="Added lines have no blanks at their end, indent with tabs, and no odd white space",
    why="checkpatch and git am complain; every later patch to the lines has to carry the mess.",
    fix="git diff --check; git rebase --whitespace=fix BASE",
)
def whitespace(context: SeriesContext) -> Findings:
    """Added lines; at most three findings of a kind for a file."""
    for patch, change in context.changes():
        if _VERBATIM.search(change.path) or change.is_symlink:
            continue
        counts: dict[str, int] = {}
        for line, text in change.added():
            for message in _line_complaints(change.path, text):
                counts[message] = counts.get(message, 0) + 1
                if counts[message] <= _MOST:
                    yield in_file("whitespace", patch.number, change.path, line, message)
        yield from _file_end(patch.number, change)


def _line_complaints(path: str, text: str) -> list[str]:
    found: list[str] = []
    if text[-1:] in (" ", "\t", "\r", "\f", "\v"):
        found.append(
            "carriage return at the end of the line"
            if text[-1] == "\r"
            else "blanks at the end of the line"
        )
    if text.isascii():
        if "&" in text and _ENTITY.search(text) and _CODE.search(path):
            found.append("an HTML entity instead of the character")
        if "  " not in text and " \t" not in text:
            return found
    else:
        if _CURLY.search(text) and _CODE.search(path) and not _COMMENT.match(text):
            found.append("typographic quotes in code")
        if _INVISIBLE.search(text):
            found.append("an invisible or direction-changing character")
        if _NO_BREAK.search(text):
            found.append("a no-break or typographic blank")
    if _CODE.search(path):
        if re.match(r"\t* {8,}\S", text) or (_KCONFIG.search(path) and _KCONFIG_WORD.match(text)):
            found.append("indented with blanks instead of tabs")
        elif re.match(r"\s* +\t", text):
            found.append("a blank before a tab in the indentation")
    return found


def _file_end(number: int, change: FileChange) -> Findings:
    if not change.hunks:
        return
    last = change.hunks[-1]
    if change.kind == "add" and last.lines[-1:] == ("+",):
        yield in_file(
            "whitespace",
            number,
            change.path,
            last.new_count,
            "an empty line at the end of the file",
            severity="warning",
        )
    if last.new_ends_without_newline and change.kind != "delete" and not change.is_symlink:
        end = last.new_start + last.new_count - 1
        if not last.old_ends_without_newline or change.kind == "add":
            yield in_file(
                "whitespace",
                number,
                change.path,
                end,
                "no newline at the end of the file",
                severity="warning",
            )


@check(
    "tabs-lost",
    scope="series",
    severity="error",
    rule="Tabs arrive as tabs",
    why="A mail program or a copy out of a terminal made blanks of them: nothing applies any more.",
    fix="send with git send-email (Documentation/process/email-clients.rst)",
)
def tabs_lost(context: SeriesContext) -> Findings:
    """Files that indent with tabs by custom, shown with blanks only, context included."""
    for patch, change in context.changes():
        if not _TABBED.search(change.path):
            continue
        lines = [line for hunk in change.hunks for line in hunk.lines if line[:1] in " +-"]
        if any("\t" in line for line in lines):
            continue
        indented = [line for line in lines if re.match(r"[ +-] {8}", line)]
        context_too = [line for line in indented if line[0] == " "]
        if (len(indented) >= 2 and (context_too or change.kind == "add")) or len(context_too) >= 1:
            hunk = change.hunks[0]
            yield in_file(
                "tabs-lost",
                patch.number,
                change.path,
                hunk.new_start,
                "every indentation is of blanks, context lines too"
                if context_too
                else "every indentation is of blanks",
            )


@check(
    "line-length",
    scope="series",
    severity="warning",
    rule="Lines of code have at most 100 columns",
    why="coding-style.rst asks for 80 where that is readable; past 100 nobody sees the end.",
    fix="break the line, or make a helper out of the inner part",
)
def line_length(context: SeriesContext) -> Findings:
    """Added lines of C; strings and URLs stay whole, one finding a file."""
    for patch, change in context.changes():
        if not change.path.endswith((".c", ".h")):
            continue
        long = [
            line
            for line, text in change.added()
            if len(text) > _LONGEST // 2
            and len(text.expandtabs(8)) > _LONGEST
            and '"' not in text
            and "://" not in text
        ]
        if long:
            more = f" and {len(long) - 1} more lines" if len(long) > 1 else ""
            yield in_file(
                "line-length",
                patch.number,
                change.path,
                long[0],
                f"a line of more than {_LONGEST} columns{more}",
            )


@check(
    "conflict-marker",
    scope="series",
    severity="error",
    rule="No conflict marker is added",
    why="A merge was committed before it was resolved.",
    fix="resolve the conflict",
)
def conflict_marker(context: SeriesContext) -> Findings:
    """``<<<<<<<`` and its kin in added lines."""
    for patch, change in context.changes():
        if _VERBATIM.search(change.path) or change.path.endswith((".rst", ".md", ".txt")):
            continue
        for line, text in change.added():
            if text[:7] in ("<<<<<<<", ">>>>>>>", "|||||||") and _MARKER.match(text):
                yield in_file(
                    "conflict-marker",
                    patch.number,
                    change.path,
                    line,
                    f"conflict marker {text[:7]}",
                )
