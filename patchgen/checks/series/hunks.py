"""Diffs that were damaged on their way, or by a hand that edited them."""

from __future__ import annotations

import hashlib

from patchgen.checks.registry import check, get
from patchgen.checks.series.context import Findings, SeriesContext, in_file, in_mail
from patchgen.findings import Severity
from patchgen.mail.filestate import WholeFile
from patchgen.mail.model import FileChange, PatchMail
from patchgen.mail.text import encode_diff

_CORRUPT: dict[str, Severity] = {
    "hunk-counts": "error",
    "hunk-header": "error",
    "hunk-unreadable": "error",
    "wrapped-line": "error",
    "combined-diff": "error",
    "text-in-diff": "error",
    "no-prefix": "error",
    "name-mismatch": "error",
}


@check(
    "hunk-corrupt",
    scope="series",
    severity="error",
    rule="Hunks are whole: counts in their headers are right, no line is wrapped or lost",
    why="git apply calls such a patch corrupt and stops.",
    fix="send with git send-email; never edit a diff by hand",
)
def hunk_corrupt(context: SeriesContext) -> Findings:
    """Damages that the reader had to mend."""
    for patch in context.series.patches:
        for damage in patch.damages:
            if damage.kind in _CORRUPT:
                yield get("hunk-corrupt").finding(
                    damage.message,
                    severity=_CORRUPT[damage.kind],
                    patch=patch.number,
                    file=patch.source,
                    line=damage.mail_line,
                )
        for change in patch.changes:
            yield from _positions(patch, change)


def _positions(patch: PatchMail, change: FileChange) -> Findings:
    """Hunk headers against each other: order, overlap, and the shift that lines added make."""
    shift = end = 0
    for hunk in change.hunks:
        if hunk.old_start < end:
            yield in_mail(
                "hunk-corrupt",
                patch,
                f"hunks of {change.path} overlap or go back",
                line=hunk.mail_line,
            )
            return
        start = hunk.old_start + (hunk.old_count == 0)
        wanted = start + shift - (hunk.new_count == 0)
        if change.kind in ("modify", "rename") and hunk.new_start != wanted:
            yield in_mail(
                "hunk-corrupt",
                patch,
                f"the hunk header of {change.path} says new line {hunk.new_start}, the hunks "
                f"above make it {wanted}",
                line=hunk.mail_line,
                severity="warning",
            )
            return
        shift += hunk.new_count - hunk.old_count
        end = hunk.old_start + hunk.old_count


@check(
    "context-blank",
    scope="series",
    severity="warning",
    rule="Empty context lines keep their leading blank",
    why="A mail program stripped blanks at line ends; git am forgives that, patch tools may not.",
    fix="send with git send-email through a server that leaves the text alone",
)
def context_blank(context: SeriesContext) -> Findings:
    """One finding a mail."""
    for patch in context.series.patches:
        lost = [d for d in patch.damages if d.kind == "blank-context"]
        if lost:
            yield in_mail(
                "context-blank",
                patch,
                f"{len(lost)} empty context line{'s' * (len(lost) > 1)} lost the blank",
                line=lost[0].mail_line,
            )


@check(
    "blob-differs",
    scope="series",
    severity="note",
    rule="The file has the hash that the index line of the diff names",
    why="Another hash says that the patch was edited, or altered on its way, after git made it.",
    fix="compare with the author's commit",
)
def blob_differs(context: SeriesContext) -> Findings:
    """New files, and files of the tree, against the blob id of the diff's index line."""
    for patch in context.series.patches:
        for change in patch.changes:
            if change.kind != "add" or change.binary or not change.new_blob or change.is_submodule:
                continue
            lines = [text + "\n" for _, text in change.added()]
            if lines and change.hunks[-1].new_ends_without_newline:
                lines[-1] = lines[-1][:-1]
            if not _has_blob(WholeFile(lines, []), change.new_blob):
                yield in_file(
                    "blob-differs",
                    patch.number,
                    change.path,
                    None,
                    "the content is not what git hashed for this patch",
                )


def _has_blob(state: WholeFile, blob: str) -> bool:
    data = encode_diff(state.text())
    head = f"blob {len(data)}\0".encode("ascii")
    digest = hashlib.sha256 if len(blob) == 64 else hashlib.sha1
    return digest(head + data).hexdigest().startswith(blob)
