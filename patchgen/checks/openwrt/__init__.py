"""Checks of OpenWrt kernel configurations: one call for a whole tree, one for its repair."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from patchgen.findings import Finding, Skip, sort_key
from patchgen.tree import Base, EmbeddedBase, FileEntry, Tree

if TYPE_CHECKING:
    from patchgen.openwrt.plan import ConfigPatch


def _tree(base: Base | Tree) -> Tree:
    return base if isinstance(base, Tree) else Tree(base)


def check_tree(
    base: Base | Tree,
    *,
    kernel: str | None = None,
    linux: Path | None = None,
    ignore: frozenset[str] = frozenset(),
    select: frozenset[str] = frozenset(),
) -> tuple[list[Finding], list[Skip]]:
    """Run every check of the scope ``openwrt`` on an OpenWrt tree.

    ``kernel`` limits it to one version (still compared with the one before), ``linux`` is a
    kernel source whose Kconfig counts instead of the shipped facts, ``ignore`` and ``select``
    name checks. Raises ``InputError`` when the tree is none of OpenWrt's or the source is of
    another version, ``MissingError`` when the source is none.
    """
    from patchgen.checks.registry import all_checks
    from patchgen.openwrt.audit import Audit

    audit = Audit(_tree(base), kernel=kernel, linux=linux)
    findings: list[Finding] = []
    for check in all_checks("openwrt"):
        if check.id in ignore or (select and check.id not in select):
            continue
        findings.extend(check.function(audit))
    return sorted(findings, key=sort_key), list(audit.skips())


def fix_tree(
    base: Base | Tree, *, kernel: str | None = None, linux: Path | None = None
) -> tuple[ConfigPatch, ...]:
    """The patches that mend what can be mended without a human: one a file and purpose.

    Files that hold lines nobody can read are left alone; their findings stay. Raises as
    ``check_tree`` does.
    """
    from patchgen.checks.openwrt.repair import repairs
    from patchgen.openwrt.audit import Audit

    return repairs(Audit(_tree(base), kernel=kernel, linux=linux))


def read_example(path: Path) -> EmbeddedBase:
    """An example file as a tree: ``==> path <==`` lines separate its files (as ``head`` does)."""
    files: dict[str, FileEntry] = {}
    name, lines = "", list[bytes]()
    for line in (*path.read_bytes().splitlines(keepends=True), b"==> end <=="):
        if line.startswith(b"==> "):
            if name:
                files[name] = FileEntry(b"".join(lines))
            name, lines = line.split()[1].decode("ascii"), []
        else:
            lines.append(line)
    return EmbeddedBase(files, description=path.name)


def run_example(id: str, path: Path) -> list[Finding]:
    """The findings of one check on one of its example files."""
    findings, _ = check_tree(read_example(path), select=frozenset({id}))
    return findings


def errors_of(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that a reviewer would object to: errors and warnings."""
    return [f for f in findings if f.severity != "note"]
