"""Run one check on one of its example files: the test of the rule, and its demonstration.

An example is one file, or a bundle (``.files``) of several, each after a line
``=== path``; ``=== before path`` puts a file into the tree that the series starts from.
"""

from __future__ import annotations

import re
from pathlib import Path

from patchgen.checks.registry import Check
from patchgen.findings import Finding
from patchgen.profiles import profile_for

_SECTION = re.compile(r"(?m)^=== (before )?(\S+)\n")
_PLACES = {".Kconfig": "drivers/crypto/eng/Kconfig", ".Makefile": "drivers/crypto/eng/Makefile",
           ".yaml": "Documentation/devicetree/bindings/crypto/example,engine1.yaml",
           ".txt": "Documentation/devicetree/bindings/crypto/example.txt"}
_KERNEL = "6.1"


def read_sample(path: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The files of an example after and before the series, path to text."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".files":
        return {_PLACES.get(path.suffix, f"drivers/crypto/eng/{path.name}"): text}, {}
    parts = _SECTION.split(text)[1:]
    after: dict[str, str] = {}
    before: dict[str, str] = {}
    for mark, name, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        (before if mark else after)[name] = body
    return after, before


def findings_of(check: Check, path: Path) -> list[Finding] | None:
    """What the check says about an example; None for scopes that need more than files."""
    after, before = read_sample(path)
    if check.scope == "code":
        from patchgen.checks.code import check_sources

        report = check_sources(after, kernel=profile_for(_KERNEL), select={check.id})
        return list(report.findings)
    if check.scope == "build":
        from patchgen.checks.build import check_build_files
        from patchgen.tree import EmbeddedBase, FileEntry, Tree

        base = EmbeddedBase({p: FileEntry(t.encode()) for p, t in before.items()})
        start = tree = Tree(base)
        for name, text in after.items():
            tree = tree.write(name, text)
        return check_build_files(tree, after, before=start, select={check.id})
    if check.scope == "binding":
        from patchgen.checks.binding import check_binding

        name, text = next(iter(after.items()))
        return check_binding(name, text, select={check.id})[0]
    return None
