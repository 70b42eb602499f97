"""Code, build files and bindings of a planned series, as its last patch leaves them."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import PurePosixPath

from patchgen.findings import Finding, Skip
from patchgen.series.plan import Plan
from patchgen.tree import Tree

_BINDINGS = "Documentation/devicetree/bindings/"


def touched(plan: Plan) -> tuple[str, ...]:
    """Every file that a patch of the series changes and the last one leaves, sorted."""
    first, last = plan.trees[0], plan.trees[-1]
    return tuple(path for path in last.changes_since(first) if last.exists(path))


def added_lines(before: Tree, after: Tree, path: str) -> set[int]:
    """Numbers of the lines that a file has gained (all of them when it is new)."""
    new = after.read(path).splitlines()
    if not before.exists(path):
        return set(range(1, len(new) + 1))
    matcher = difflib.SequenceMatcher(None, before.read(path).splitlines(), new, autojunk=False)
    return {
        line + 1
        for tag, _, _, start, end in matcher.get_opcodes() if tag in ("insert", "replace")
        for line in range(start, end)
    }


def check(plan: Plan, ignore: frozenset[str]) -> tuple[list[Finding], list[Skip]]:
    """Run the code, build and binding rules on what the series leaves behind."""
    before, after = plan.trees[0], plan.trees[-1]
    paths = touched(plan)
    numbers = {path: _patch_of(plan, path) for path in paths}
    findings: list[Finding] = []
    skips: list[Skip] = []
    for found, skipped in (
        _sources(plan, before, after, paths, ignore),
        _build(before, after, paths),
        _bindings(after, paths),
    ):
        findings += [_numbered(finding, numbers) for finding in found]
        skips += skipped
    return findings, skips


def _patch_of(plan: Plan, path: str) -> int:
    """The last patch that changes the file."""
    return max(number for number, patch in enumerate(plan.patches, 1) if path in patch.paths)


def _numbered(finding: Finding, numbers: Mapping[str, int]) -> Finding:
    if finding.patch is not None or finding.file is None or finding.file not in numbers:
        return finding
    from dataclasses import replace

    return replace(finding, patch=numbers[finding.file])


def _sources(
    plan: Plan, before: Tree, after: Tree, paths: tuple[str, ...], ignore: frozenset[str]
) -> tuple[list[Finding], list[Skip]]:
    """C files, folder by folder, together with the headers beside them."""
    folders: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        if path.endswith((".c", ".h")):
            folders[str(PurePosixPath(path).parent)].append(path)
    findings: list[Finding] = []
    skips: list[Skip] = []
    if not folders:
        return findings, skips
    from patchgen.checks.code import check_sources

    for folder, changed in folders.items():
        beside = [f"{folder}/{name}" for name in after.list_dir(folder)
                  if name.endswith((".c", ".h"))]
        sources = {path: after.read(path) for path in sorted({*changed, *beside})}
        lines = {path: added_lines(before, after, path) if path in changed else set()
                 for path in sources}
        report = check_sources(sources, kernel=plan.profile, lines=lines, ignore=ignore)
        findings += report.findings
        skips += report.skips
    return findings, skips


def _build(
    before: Tree, after: Tree, paths: tuple[str, ...]
) -> tuple[list[Finding], list[Skip]]:
    from patchgen.checks.build import check_build_files

    return list(check_build_files(after, paths, before=before)), []


def _bindings(after: Tree, paths: tuple[str, ...]) -> tuple[list[Finding], list[Skip]]:
    findings: list[Finding] = []
    skips: list[Skip] = []
    for path in paths:
        if path.startswith(_BINDINGS) and path.endswith(".yaml"):
            from patchgen.checks.binding import check_binding

            found, skipped = check_binding(path, after.read(path))
            findings += found
            skips += skipped
    return findings, skips
