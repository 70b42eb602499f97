"""Source trees: a base that is only read, and immutable overlays on it.

A base is the embedded one (rendered from our templates), an unpacked kernel source, or a
revision of a git repository. Only the files that somebody asks for are read, so a full
kernel tree costs nothing. Paths are relative, with ``/``, never leaving the tree.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Protocol

from patchgen import process
from patchgen.errors import InputError, MissingError


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file: its bytes, and whether it may be executed."""

    data: bytes
    executable: bool = False


def clean_path(path: str) -> str:
    """The path in its one normal form; raises ``InputError`` when it would leave the tree."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or not pure.parts or "\0" in path:
        raise InputError(f"{path!r} is not a path inside the tree")
    return str(pure)


class Base(Protocol):
    """What a series starts from."""

    @property
    def description(self) -> str:
        """For people: ``Linux 6.12.3 (unpacked source)``."""

    @property
    def kernel_version(self) -> str | None:
        """``6.12`` where the base is a kernel that says so, else None."""

    @property
    def commit(self) -> str | None:
        """The full commit id when the base is a git revision, else None."""

    def read(self, path: str) -> FileEntry | None:
        """The file at a clean path, or None when there is none."""

    def list_dir(self, path: str) -> tuple[str, ...]:
        """Sorted names in a folder (files and folders); empty when there is no such folder."""


@dataclass(frozen=True)
class EmbeddedBase:
    """A base held in memory: files rendered from our own templates."""

    files: Mapping[str, FileEntry]
    description: str = "the embedded base"
    kernel_version: str | None = None
    commit: None = None

    def read(self, path: str) -> FileEntry | None:
        """See ``Base.read``."""
        return self.files.get(path)

    def list_dir(self, path: str) -> tuple[str, ...]:
        """See ``Base.list_dir``."""
        prefix = "" if path in ("", ".") else f"{path}/"
        return tuple(
            sorted({p[len(prefix) :].split("/", 1)[0] for p in self.files if p.startswith(prefix)})
        )


class DirectoryBase:
    """An unpacked source tree on disk. Nothing in it is ever written.

    Symbolic links are followed only while they stay inside the tree.
    """

    commit: None = None

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise MissingError(f"{root}: no such folder; give --tree an unpacked source tree")
        self.root = root.resolve()
        makefile = self.read("Makefile")
        self._version = _kernel_version(makefile.data) if makefile else None

    @property
    def description(self) -> str:
        """See ``Base.description``."""
        if self._version:
            return f"Linux {self._version} (unpacked source)"
        return f"the tree {self.root.name}"

    @property
    def kernel_version(self) -> str | None:
        """See ``Base.kernel_version``."""
        return None if self._version is None else ".".join(self._version.split(".")[:2])

    def read(self, path: str) -> FileEntry | None:
        """See ``Base.read``."""
        target = (self.root / path).resolve()
        if not target.is_relative_to(self.root):
            raise InputError("leads out of the tree", path=self.root / path)
        try:
            descriptor = os.open(target, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=self.root / path) from error
        with os.fdopen(descriptor, "rb") as handle:
            mode = os.fstat(handle.fileno()).st_mode
            if not stat.S_ISREG(mode):
                return None
            return FileEntry(handle.read(), bool(mode & stat.S_IXUSR))

    def list_dir(self, path: str) -> tuple[str, ...]:
        """See ``Base.list_dir``."""
        target = (self.root / path).resolve()
        if not target.is_relative_to(self.root) or not target.is_dir():
            return ()
        return tuple(sorted(entry.name for entry in target.iterdir()))


class GitBase:
    """A revision of a git repository, read from its object store (no work tree needed)."""

    def __init__(self, repository: Path, revision: str) -> None:
        if not repository.is_dir():
            raise MissingError(f"{repository}: no such folder; give --tree a git repository")
        self.repository = repository.resolve()
        self.revision = revision
        done = self._git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", check=False)
        if done.returncode != 0:
            inside = self._git("rev-parse", "--git-dir", check=False)
            if inside.returncode != 0:
                raise InputError("is not a git repository", path=repository,
                                 advice="leave out @REV for an unpacked tree")
            raise InputError(f"no such revision: {revision}", path=repository,
                             advice="see git log for what there is")
        self.commit = done.text.strip()
        makefile = self.read("Makefile")
        self._version = _kernel_version(makefile.data) if makefile else None

    def _git(self, *words: str, check: bool = True) -> process.Completed:
        return process.run(
            ["git", "--no-replace-objects", "-C", self.repository, *words],
            timeout=60,
            check=check,
            env={"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
        )

    @property
    def description(self) -> str:
        """See ``Base.description``."""
        short = self.commit[:12]
        if self._version:
            return f"Linux {self._version} ({self.revision}, commit {short})"
        return f"{self.revision} (commit {short})"

    @property
    def kernel_version(self) -> str | None:
        """See ``Base.kernel_version``."""
        return None if self._version is None else ".".join(self._version.split(".")[:2])

    def read(self, path: str) -> FileEntry | None:
        """See ``Base.read``."""
        listed = self._git("ls-tree", "-z", self.commit, "--", f":(top,literal){path}").stdout
        if not listed:
            return None
        mode, kind, rest = listed.rstrip(b"\0").split(b" ", 2)
        blob = rest.split(b"\t", 1)[0].decode("ascii")
        if kind != b"blob" or mode == b"120000":
            return None
        return FileEntry(self._git("cat-file", "blob", blob).stdout, mode == b"100755")

    def list_dir(self, path: str) -> tuple[str, ...]:
        """See ``Base.list_dir``."""
        tree = self.commit if path in ("", ".") else f"{self.commit}:{path}"
        done = self._git("ls-tree", "-z", "--name-only", tree, check=False)
        if done.returncode != 0:
            return ()
        return tuple(sorted(name for name in done.text.split("\0") if name))


def _kernel_version(makefile: bytes) -> str | None:
    """``6.12.3`` from the head of a kernel's top Makefile, None for any other Makefile."""
    values: dict[str, str] = {}
    for line in makefile[:2000].decode("utf-8", "replace").splitlines():
        name, equals, value = line.partition("=")
        if equals and name.strip() in ("VERSION", "PATCHLEVEL", "SUBLEVEL"):
            values[name.strip()] = value.strip()
    if not {"VERSION", "PATCHLEVEL"} <= values.keys():
        return None
    parts = [values["VERSION"], values["PATCHLEVEL"], values.get("SUBLEVEL", "0")]
    if not all(part.isdigit() for part in parts):
        return None
    return ".".join(parts)


def open_base(where: str) -> DirectoryBase | GitBase:
    """The base that ``--tree`` names: ``DIR`` or ``DIR@REV``.

    A folder whose own name holds ``@`` wins over the ``DIR@REV`` reading.
    """
    folder, at, revision = where.rpartition("@")
    if at and folder and revision and not Path(where).exists():
        return GitBase(Path(folder), revision)
    return DirectoryBase(Path(where))


@dataclass(frozen=True)
class Tree:
    """A base and what has changed on it. Every change gives a new tree."""

    base: Base
    overlay: Mapping[str, FileEntry | None] = field(default_factory=dict)

    def entry(self, path: str) -> FileEntry | None:
        """The file as it is in this tree, or None."""
        path = clean_path(path)
        if path in self.overlay:
            return self.overlay[path]
        return self.base.read(path)

    def exists(self, path: str) -> bool:
        """Whether there is a file at the path."""
        return self.entry(path) is not None

    def read(self, path: str) -> str:
        """The text of a file; raises ``InputError`` when it is absent or not UTF-8."""
        entry = self.entry(path)
        if entry is None:
            raise InputError("no such file in the tree", path=path)
        try:
            return entry.data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = entry.data.count(b"\n", 0, error.start) + 1
            raise InputError("is not UTF-8 text", path=path, line=line,
                             advice="convert it first") from error

    def list_dir(self, path: str) -> tuple[str, ...]:
        """Sorted names in a folder of this tree."""
        prefix = "" if path in ("", ".") else f"{path}/"
        names = set(self.base.list_dir(path))
        for changed, entry in self.overlay.items():
            if changed.startswith(prefix):
                name, _, below = changed[len(prefix) :].partition("/")
                if entry is not None:
                    names.add(name)
                elif not below:
                    names.discard(name)
        return tuple(sorted(names))

    def write(self, path: str, text: str | bytes, *, executable: bool | None = None) -> Tree:
        """A tree in which the file holds ``text``; the mode stays unless it is given."""
        path = clean_path(path)
        data = text.encode("utf-8") if isinstance(text, str) else text
        if executable is None:
            before = self.entry(path)
            executable = before.executable if before else False
        return Tree(self.base, {**self.overlay, path: FileEntry(data, executable)})

    def delete(self, path: str) -> Tree:
        """A tree without the file."""
        return Tree(self.base, {**self.overlay, clean_path(path): None})

    def changes_since(self, earlier: Tree) -> tuple[str, ...]:
        """Sorted paths whose content or mode differs between two trees of one base."""
        paths = set(self.overlay) | set(earlier.overlay)
        return tuple(sorted(p for p in paths if self.entry(p) != earlier.entry(p)))

    @property
    def touched(self) -> tuple[str, ...]:
        """Sorted paths that this tree has, or once had, in its overlay."""
        return tuple(sorted(self.overlay))
