"""Repairs of a tree as patches that ``git am`` takes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING

from patchgen import __version__
from patchgen.history import Commit, scratch
from patchgen.mail.format import Mail
from patchgen.tree import Base, Tree

if TYPE_CHECKING:
    from patchgen.openwrt.plan import ConfigPatch
    from patchgen.series.identity import Identity


def fix_mails(
    base: Base, patches: Sequence[ConfigPatch], identity: Identity, date: dt.datetime
) -> tuple[Mail, ...]:
    """One mail a repair, numbered, in order; none without repairs.

    ``date`` is that of the commits: the same input gives the same bytes.
    """
    if not patches:
        return ()
    tree = Tree(base)
    commits = []
    for patch in patches:
        for path, data in patch.files.items():
            tree = tree.write(path, data)
        message = f"{patch.subject}\n\n{patch.body.strip()}\n\nSigned-off-by: {identity}\n"
        commits.append(Commit(message, tree))
    with scratch(identity, date, base) as repository:
        recorded = repository.record(Tree(base), [], commits)
        folder = repository.folder / "fixes"
        repository.git(
            "format-patch", "--quiet", "--output-directory", str(folder), "--no-thread",
            "--no-renames", f"--signature=patchgen {__version__}", "--abbrev=12",
            f"{recorded.base}..{recorded.patches[-1]}",
        )
        return tuple(Mail(file.name, file.read_bytes()) for file in sorted(folder.iterdir()))
