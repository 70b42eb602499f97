"""The same checks inside a series: what its patches make worse in the tree they apply to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from patchgen.checks.openwrt import check_tree
from patchgen.findings import Finding
from patchgen.tree import Tree


def check_series(
    trees: Sequence[Tree], *, kernel: str | None = None, linux: Path | None = None
) -> list[Finding]:
    """The findings that the last tree has and the first has not.

    ``trees`` are those of a series: what it starts from, then one a patch. Each finding names
    the last patch that changed its file (the last patch of all when none did). ``kernel`` and
    ``linux`` are as for ``check_tree``; raises as it does.
    """
    before, _ = check_tree(trees[0], kernel=kernel, linux=linux)
    after, _ = check_tree(trees[-1], kernel=kernel, linux=linux)
    known = {(f.check, f.file, f.message) for f in before}
    return [
        replace(finding, patch=_patch_of(trees, finding.file))
        for finding in after if (finding.check, finding.file, finding.message) not in known
    ]


def _patch_of(trees: Sequence[Tree], file: str | None) -> int:
    for number in range(len(trees) - 1, 0, -1):
        if file in trees[number].changes_since(trees[number - 1]):
            return number
    return len(trees) - 1
