"""Trees become commits in a scratch repository; git writes the mails.

The scratch repository is bare and temporary. On a git base it borrows the user's object
store read-only, so the real base commit is the parent of patch 1 and ``base-commit:`` is
git's own; the user's branch, index and work tree are never touched.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from patchgen import process
from patchgen.errors import InputError
from patchgen.series.identity import Identity
from patchgen.tree import FileEntry, GitBase, Tree

TIME_LIMIT = 120.0
_QUIET = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
}
_LEAKY = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
          "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS",
          "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_CEILING_DIRECTORIES",
          "GIT_ALTERNATE_OBJECT_DIRECTORIES")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit to record: its whole message and the tree it leaves."""

    message: str
    tree: Tree


@dataclass(frozen=True, slots=True)
class Recorded:
    """Commit ids, in order: the base, the prerequisites, the patches."""

    base: str
    prerequisites: tuple[str, ...]
    patches: tuple[str, ...]


class Scratch:
    """A temporary bare repository with the series in it."""

    def __init__(self, folder: Path, identity: Identity, date: dt.datetime,
                 borrow: GitBase | None) -> None:
        self.folder = folder
        self.borrow = borrow
        self.environment = {
            **_QUIET,
            "GIT_DIR": str(folder),
            "GIT_AUTHOR_NAME": identity.name,
            "GIT_AUTHOR_EMAIL": identity.mail,
            "GIT_AUTHOR_DATE": git_date(date),
            "GIT_COMMITTER_NAME": identity.name,
            "GIT_COMMITTER_EMAIL": identity.mail,
            "GIT_COMMITTER_DATE": git_date(date),
        }
        self.git("init", "--quiet", "--bare", "--template=", "--initial-branch=series", ".")
        if borrow is not None:
            done = process.run(["git", "-C", borrow.repository, "rev-parse",
                                "--path-format=absolute", "--git-path", "objects"],
                               timeout=TIME_LIMIT)
            alternates = folder / "objects" / "info" / "alternates"
            alternates.parent.mkdir(exist_ok=True)
            alternates.write_text(done.text.strip() + "\n", "utf-8")
        self.identity = identity
        self.date = date

    def git(
        self, *words: str | Path, stdin: bytes | None = None, check: bool = True,
        env: Mapping[str, str] | None = None,
    ) -> process.Completed:
        """Run git in this repository, shielded from the user's configuration."""
        return process.run(["git", *words], cwd=self.folder, timeout=TIME_LIMIT, stdin=stdin,
                           check=check, env={**self.environment, **(env or {})})

    def record(
        self, start: Tree, prerequisites: Sequence[Commit], patches: Sequence[Commit]
    ) -> Recorded:
        """Make the commits with one ``git fast-import``; returns their ids."""
        touched = sorted({path for c in (*prerequisites, *patches) for path in c.tree.touched})
        marks: list[int] = []
        stream = bytearray()
        tree = start
        if self.borrow is None:
            files = {path: entry for path in touched if (entry := start.entry(path))}
            marks.append(self._commit(stream, 1, None, "Base\n", files))
        for commit in (*prerequisites, *patches):
            changed = {path: commit.tree.entry(path) for path in commit.tree.changes_since(tree)}
            parent = f":{marks[-1]}" if marks else self.borrow.commit if self.borrow else None
            marks.append(self._commit(stream, len(marks) + 1, parent, commit.message, changed))
            tree = commit.tree
        stream += b"done\n"
        exported = self.folder / "marks"
        self.git("fast-import", "--quiet", "--done", f"--export-marks={exported}",
                 stdin=bytes(stream))
        ids = dict(line.split() for line in exported.read_text("ascii").splitlines())
        commits = [ids[f":{mark}"] for mark in marks]
        base = self.borrow.commit if self.borrow else commits.pop(0)
        split = len(prerequisites)
        return Recorded(base, tuple(commits[:split]), tuple(commits[split:]))

    def _commit(
        self, stream: bytearray, mark: int, parent: str | None, message: str,
        files: Mapping[str, FileEntry | None],
    ) -> int:
        who = f"{self.identity.name} <{self.identity.mail}> {git_date(self.date)}".encode()
        text = message.encode("utf-8")
        stream += b"commit refs/heads/series\nmark :%d\n" % mark
        stream += b"author " + who + b"\ncommitter " + who + b"\n"
        stream += b"data %d\n%s\n" % (len(text), text)
        if parent:
            stream += f"from {parent}\n".encode("ascii")
        for path, entry in sorted(files.items()):
            name = _quote(path)
            if entry is None:
                stream += b"D " + name + b"\n"
            else:
                mode = b"100755" if entry.executable else b"100644"
                stream += b"M %s inline %s\n" % (mode, name)
                stream += b"data %d\n%s\n" % (len(entry.data), entry.data)
        stream += b"\n"
        return mark

    def tree_id(self, commit: str) -> str:
        """The id of a commit's tree."""
        return self.git("rev-parse", "--verify", f"{commit}^{{tree}}").text.strip()

    def apply_in_turn(self, base: str, mails: Sequence[bytes]) -> Iterator[tuple[str | None, str]]:
        """Apply mails one by one to a temporary index on top of ``base``.

        Yields for each the id of the resulting tree, or None and git's complaint.
        """
        index = {"GIT_INDEX_FILE": str(self.folder / "apply-index")}
        self.git("read-tree", base, env=index)
        for mail in mails:
            done = self.git("apply", "--cached", "--whitespace=nowarn", "-", stdin=mail,
                            check=False, env=index)
            if done.returncode != 0:
                yield None, done.error_text
                return
            yield self.git("write-tree", env=index).text.strip(), ""


@contextmanager
def scratch(identity: Identity, date: dt.datetime, base: object) -> Iterator[Scratch]:
    """A scratch repository that is gone afterwards, also when interrupted."""
    saved = {name: os.environ.pop(name) for name in _LEAKY if name in os.environ}
    try:
        with tempfile.TemporaryDirectory(prefix="patchgen-") as folder:
            borrow = base if isinstance(base, GitBase) else None
            yield Scratch(Path(folder), identity, date, borrow)
    finally:
        os.environ.update(saved)


def commit_date(default: dt.datetime) -> dt.datetime:
    """``SOURCE_DATE_EPOCH`` where it is set (reproducible-builds.org), else the default."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return default
    if not re.fullmatch(r"\d{1,11}", epoch):
        raise InputError(f"SOURCE_DATE_EPOCH={epoch!r} is not a number of seconds")
    return dt.datetime.fromtimestamp(int(epoch), dt.UTC)


def git_date(date: dt.datetime) -> str:
    """``SECONDS +0000`` as git and fast-import take it."""
    return f"{int(date.timestamp())} +0000"


def _quote(path: str) -> bytes:
    raw = path.encode("utf-8")
    if any(byte < 0x21 or byte in b'"\\' for byte in raw):
        raw = b'"' + b"".join(
            b"\\%03o" % byte if byte < 0x21 or byte in b'"\\' else bytes([byte]) for byte in raw
        ) + b'"'
    return raw
