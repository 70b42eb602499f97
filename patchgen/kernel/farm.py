"""A view of a source tree with a series on top that costs neither copies nor privileges.

The view is a folder of symbolic links into the user's tree. Only the folders on the way to
a changed file are real, and only changed files are. Kernels are built from the view with
``O=``, so the user's tree is read and nothing else.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from patchgen import process
from patchgen.errors import InputError, MissingError
from patchgen.tree import Base, DirectoryBase, GitBase, Tree

EXPORT_SECONDS = 600.0
_BUILD_RESULTS = (".config", "include/config", "include/generated")


def source_folder(base: Base, exports: Path) -> Path:
    """The folder that a view links to: the user's tree, or a revision unpacked once.

    Raises ``InputError`` for a tree that holds the results of a build: make would take them
    for its own.
    """
    if isinstance(base, DirectoryBase):
        for name in _BUILD_RESULTS:
            if (base.root / name).exists():
                raise InputError(f"the tree has been built in ({name} is there)", path=base.root,
                                 advice="give a clean tree, or a git revision as PATH@REV, or "
                                        "run make mrproper in it")
        return base.root
    if isinstance(base, GitBase):
        return _export(base, exports)
    raise MissingError("verify needs a real kernel tree; give one with --tree")


def _export(base: GitBase, exports: Path) -> Path:
    folder = exports / f"commit-{base.commit[:16]}"
    if folder.is_dir():
        return folder
    partial = exports / f".{folder.name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    archive = exports / f".{folder.name}.tar"
    process.run(["git", "-C", base.repository, "archive", "--format=tar", f"--output={archive}",
                 base.commit], timeout=EXPORT_SECONDS)
    process.run(["tar", "-xf", archive, "-C", partial], timeout=EXPORT_SECONDS)
    archive.unlink()
    partial.rename(folder)
    return folder


class SourceFarm:
    """The view: a folder that ``sync`` makes look like a tree."""

    def __init__(self, folder: Path, source: Path) -> None:
        self.folder = folder
        self.source = source

    def sync(self, tree: Tree) -> tuple[str, ...]:
        """Make the view show ``tree``; returns the paths whose content changed, sorted.

        A file that once was changed stays a file of its own with a fresh time of change when
        it goes back to the original: make looks at nothing but times.
        """
        paths = set(tree.touched) | set(self._own_files())
        parents = {parent for path in paths for parent in _parents(path)}
        for parent in sorted(parents, key=lambda p: p.count("/") if p else -1):
            self._link_folder(parent, parents, paths)
        return tuple(sorted(path for path in paths if self._put(path, tree)))

    def _own_files(self) -> tuple[str, ...]:
        if not self.folder.is_dir():
            return ()
        found: list[str] = []
        todo = [self.folder]
        while todo:
            for entry in todo.pop().iterdir():
                if entry.is_symlink():
                    continue
                if entry.is_dir():
                    todo.append(entry)
                else:
                    found.append(entry.relative_to(self.folder).as_posix())
        return tuple(found)

    def _link_folder(self, parent: str, parents: set[str], paths: set[str]) -> None:
        here, there = self.folder / parent, self.source / parent
        if here.is_symlink():
            here.unlink()
        here.mkdir(parents=True, exist_ok=True)
        for link in here.iterdir():
            if link.is_symlink() and not link.exists():
                link.unlink()
        if not there.is_dir():
            return
        for entry in there.iterdir():
            path = f"{parent}/{entry.name}" if parent else entry.name
            link = here / entry.name
            if path in parents or path in paths or link.is_symlink():
                continue
            link.symlink_to(entry)

    def _put(self, path: str, tree: Tree) -> bool:
        target = self.folder / path
        entry = tree.entry(path)
        if entry is None:
            there = target.exists() or target.is_symlink()
            target.unlink(missing_ok=True)
            return there
        if target.is_symlink():
            same = target.exists() and target.read_bytes() == entry.data
            target.unlink()
        else:
            same = target.is_file() and target.read_bytes() == entry.data
            if same:
                return False
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(entry.data)
        target.chmod(0o755 if entry.executable else 0o644)
        return not same


def _parents(path: str) -> tuple[str, ...]:
    """``a/b/c`` to ``("", "a", "a/b")``."""
    parts = path.split("/")[:-1]
    return tuple("/".join(parts[:n]) for n in range(len(parts) + 1))
