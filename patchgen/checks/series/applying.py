"""Do the patches apply, one after the other?"""

from __future__ import annotations

from patchgen.checks.registry import check
from patchgen.checks.series.bases import base_commit
from patchgen.checks.series.context import Findings, SeriesContext, in_file
from patchgen.tree import GitBase


@check(
    "patch-conflict",
    scope="series",
    severity="error",
    rule="Every patch applies on the ones before it (and on the tree, when one is given)",
    why="git am stops at the first patch that does not apply; the series cannot be merged.",
    fix="rebase on the tree it is for, and run git format-patch again",
)
def patch_conflict(context: SeriesContext) -> Findings:
    """Hunks whose old lines are not there, files that are missing or in the way."""
    if context.series.missing:
        return
    reported: set[tuple[int, str]] = set()
    for problem in context.applied.problems:
        if problem.kind not in ("conflict", "exists", "absent", "not-deleted"):
            continue
        if (problem.patch, problem.path) not in reported:
            reported.add((problem.patch, problem.path))
            yield in_file(
                "patch-conflict", problem.patch, problem.path, problem.line, problem.message
            )


@check(
    "patch-applied",
    scope="series",
    severity="error",
    rule="The tree does not have the change already",
    why="A backport that the new stable release brought along must be dropped, not refreshed.",
    fix="drop the patch, or the hunk, from the series",
)
def patch_applied(context: SeriesContext) -> Findings:
    """Files and hunks whose new side is in the tree."""
    if context.tree is None:
        return
    for problem in context.applied.problems:
        if problem.kind == "already":
            yield in_file(
                "patch-applied", problem.patch, problem.path, problem.line, problem.message
            )


@check(
    "patch-offset",
    scope="series",
    severity="warning",
    rule="Hunks apply where their headers say",
    why="An offset means that the series was made on another base, or edited by hand.",
    fix="rebase (or quilt refresh) on the tree and send the refreshed patches",
)
def patch_offset(context: SeriesContext) -> Findings:
    """One finding a file. Expected, so only a note, when the series names another base."""
    base = context.tree.base if context.tree is not None else None
    named = base_commit(context)
    elsewhere = isinstance(base, GitBase) and named is not None and named != base.commit
    seen: set[tuple[int, str]] = set()
    for problem in context.applied.problems:
        if problem.kind == "offset" and (problem.patch, problem.path) not in seen:
            seen.add((problem.patch, problem.path))
            yield in_file(
                "patch-offset",
                problem.patch,
                problem.path,
                problem.line,
                problem.message,
                severity="note" if elsewhere else None,
            )


@check(
    "unsafe-path",
    scope="series",
    severity="error",
    rule="Paths stay inside the tree",
    why="A patch to ../ or an absolute path writes where nobody looks when it is applied.",
    fix="make the diff at the top of the tree, with a/ and b/ prefixes",
)
def unsafe_path(context: SeriesContext) -> Findings:
    """Absolute paths, ``..``, ``.git``, links that lead out of the tree."""
    for problem in context.applied.problems:
        if problem.kind == "unsafe-path":
            yield in_file("unsafe-path", problem.patch, problem.path, None, problem.message)
    for patch, change in context.changes():
        if not change.is_symlink:
            continue
        for _, target in change.added():
            depth = change.path.count("/")
            ups = target.split("/").count("..")
            if target.startswith("/") or ups > depth:
                yield in_file(
                    "unsafe-path",
                    patch.number,
                    change.path,
                    1,
                    "the symbolic link leads out of the tree",
                )
