"""What the git history of the given tree knows about commits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from patchgen import process
from patchgen.checks.series.context import SeriesContext
from patchgen.errors import PatchgenError
from patchgen.tree import DirectoryBase, GitBase

_YOUNG = 50
"""A history of fewer commits is a snapshot's, not the project's."""


@dataclass
class Repository:
    """The git repository of a tree; nothing in it is written."""

    folder: Path
    revision: str

    def _git(self, *words: str, stdin: bytes | None = None) -> process.Completed:
        return process.run(
            ["git", "-C", self.folder, "--no-replace-objects", *words],
            timeout=60,
            check=False,
            stdin=stdin,
            env={"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"},
        )

    @cached_property
    def is_shallow(self) -> bool:
        """Whether the clone was cut off."""
        return self._git("rev-parse", "--is-shallow-repository").text.strip() != "false"

    @cached_property
    def is_partial(self) -> bool:
        """Whether an old commit may merely be beyond what this history holds."""
        if self.is_shallow:
            return True
        counted = self._git("rev-list", "--count", f"--max-count={_YOUNG}", self.revision)
        return not counted.text.strip().isdigit() or int(counted.text) < _YOUNG

    def subjects(self, ids: Sequence[str]) -> dict[str, str]:
        """The subject of every commit of these (abbreviated) ids that is there."""
        found: dict[str, str] = {}
        for sha in dict.fromkeys(ids):
            if not re.fullmatch(r"[0-9a-f]{4,64}", sha):
                continue
            done = self._git("log", "-1", "--no-show-signature", "--format=%s", sha, "--")
            if done.returncode == 0 and done.text.strip():
                found[sha] = done.text.rstrip("\n")
        return found

    def has_commit(self, sha: str) -> bool:
        """Whether the full id names a commit here."""
        return self._git("cat-file", "-e", f"{sha}^{{commit}}").returncode == 0

    def is_reachable(self, sha: str) -> bool:
        """Whether any branch or tag, or the revision given, contains the commit."""
        if self._git("merge-base", "--is-ancestor", sha, self.revision).returncode == 0:
            return True
        done = self._git("for-each-ref", "--contains", sha, "--count=1", "--format=%(refname)")
        return bool(done.text.strip())


def repository_of(context: SeriesContext) -> Repository | None:
    """The repository behind the tree, None for an unpacked one."""
    base = context.tree.base if context.tree is not None else None
    if isinstance(base, GitBase):
        return Repository(base.repository, base.commit)
    if isinstance(base, DirectoryBase) and (base.root / ".git").exists():
        repository = Repository(base.root, "HEAD")
        try:
            return repository if repository._git("rev-parse", "HEAD").returncode == 0 else None
        except PatchgenError:
            return None
    return None
