"""No patch of a series repairs an earlier one: both belong into one."""

from __future__ import annotations

import re
from collections import defaultdict

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_file, in_mail
from patchgen.checks.series.fixes import fixes_tags
from patchgen.findings import Severity
from patchgen.mail.apply import Replaced
from patchgen.mail.model import PatchMail

_REPAIR = re.compile(
    r"\b(?:fix(?:e[sd]|up|ing)?|repair|correct|typo|typos|spelling|missing|forgotten|forgot|"
    r"clean ?up|address (?:review )?comments?|review (?:comments|feedback)|revert|undo|"
    r"whitespace|checkpatch|style|warnings?|build error|sparse)\b",
    re.IGNORECASE,
)
_BUILD = re.compile(r"(?:^|/)(?:Kconfig|Makefile|Kbuild|MAINTAINERS)[^/]*$")
_FEW = 3


@check(
    "self-repair",
    scope="series",
    severity="error",
    rule="No patch repairs an earlier patch of the same series",
    why="Reviewers read the broken state first, and bisecting can end up in it.",
    fix="fold the repair into the patch it belongs to: git commit --fixup, git rebase --autosquash",
)
def self_repair(context: SeriesContext) -> Findings:
    """Fixes of the series' own patches, lines written and rewritten, files made and removed."""
    yield from _own_fixes(context)
    by_patch: dict[tuple[int, str], list[Replaced]] = defaultdict(list)
    for gone in context.applied.replaced:
        if gone.author != gone.by:
            by_patch[gone.by, gone.path].append(gone)
    patches = {p.number: p for p in context.series.patches}
    for (number, path), lines in sorted(by_patch.items()):
        judged = _judge(patches[number], path, lines)
        if judged:
            severity, reason = judged
            yield in_file(
                "self-repair",
                number,
                path,
                lines[0].new_line,
                f"{reason} what patch {lines[0].author} of the series added",
                severity=severity,
            )
    for patch, change in context.changes():
        author = context.created.get(change.old_path or "")
        if change.kind == "delete" and author is not None and author < patch.number:
            yield in_file(
                "self-repair",
                patch.number,
                change.path,
                None,
                f"removes the file that patch {author} of the series added",
            )


def _own_fixes(context: SeriesContext) -> Findings:
    titles = {p.subject.title.casefold(): p.number for p in context.series.patches}
    for patch in context.series.patches:
        for tag in fixes_tags(patch):
            earlier = titles.get((tag.title or "").casefold())
            if earlier is not None and earlier < patch.number:
                yield in_mail(
                    "self-repair",
                    patch,
                    f"Fixes: names patch {earlier} of the same series",
                    line=tag.line,
                )


def _judge(patch: PatchMail, path: str, lines: list[Replaced]) -> tuple[Severity, str] | None:
    """How surely rewritten lines are a repair; None when they look like growth.

    A line that only grows (a list of objects, an argument more) is how series are built.
    """
    grown = all(_grows(r) for r in lines)
    if _REPAIR.search(patch.subject.title) and not (grown and _BUILD.search(path)):
        return "error", "repairs"
    if grown or _BUILD.search(path):
        return None
    if all(_only_white_space(r) for r in lines):
        return "warning", "only changes the white space of"
    change = next(c for c in patch.changes if c.path == path)
    added, removed = change.counts
    if removed > _FEW or added > removed:
        return None
    if removed == len(lines) and len(patch.changes) == 1:
        return "warning", "does nothing but rewrite"
    total = sum(sum(c.counts) for c in patch.changes)
    return ("warning", "rewrites in passing") if (added + removed) * 4 <= total else None


def _only_white_space(gone: Replaced) -> bool:
    bare = "".join(gone.text.split())
    return bool(bare) and bare in {"".join(text.split()) for text in gone.replacement}


def _grows(gone: Replaced) -> bool:
    """The old line's words all stay, in order, in what replaces it."""
    old = re.findall(r"\w+", gone.text)
    new = iter(re.findall(r"\w+", " ".join(gone.replacement)))
    return bool(gone.replacement) and all(word in new for word in old)
