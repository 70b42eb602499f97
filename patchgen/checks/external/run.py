"""Run the external checkers that are here and fit; say of the others why not."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from patchgen import process
from patchgen.checks.external.checkpatch import checkpatch
from patchgen.checks.external.cocci import coccinelle
from patchgen.checks.external.compilers import smatch, sparse
from patchgen.checks.external.model import External
from patchgen.checks.external.scratch import Sources
from patchgen.mail.model import MailSeries
from patchgen.tree import DirectoryBase, GitBase, Tree

_RUNNERS = {"sparse": sparse, "smatch": smatch, "coccinelle": coccinelle}


def run_external(
    series: MailSeries,
    after: Tree,
    tree: Tree | None,
    paths: Collection[str],
    lines: Mapping[str, frozenset[int]],
    wanted: Collection[str],
) -> External:
    """The checkers of ``wanted`` on a series.

    ``after`` is the tree with the series applied, ``paths`` the changed files known whole,
    ``lines`` the lines that the series wrote in them. Without a tree only checkpatch can run.
    """
    result = External()
    if "checkpatch" in wanted and series.patches:
        result.add(checkpatch(series, tree))
    if tree is not None:
        kept = tuple(p for p in sorted(paths) if p.endswith((".c", ".h")))
        sources = Sources(after, kept, lines)
        for name, runner in _RUNNERS.items():
            if name in wanted:
                result.add(runner(sources))
    return result


def available(tree: Tree | None = None) -> list[tuple[str, bool, str]]:
    """``(checker, whether it can run, what for or what is missing)`` for ``patchgen checks``."""
    base = tree.base if tree is not None else None
    rows: list[tuple[str, bool, str]] = []
    for name, tool in (("sparse", "sparse"), ("smatch", "smatch"), ("coccinelle", "spatch")):
        here = process.have_tool(tool)
        rows.append((name, here, process.TOOLS[tool].enables if here
                     else f"install with: {process.TOOLS[tool].install}"))
    in_tree = (isinstance(base, (DirectoryBase, GitBase))
               and base.read("scripts/checkpatch.pl") is not None)
    here = process.have_tool("perl") and (in_tree or process.have_tool("checkpatch.pl"))
    rows.insert(0, ("checkpatch", here, "style" if here else
                    "needs perl, and --tree with scripts/checkpatch.pl or one on PATH"))
    return rows
