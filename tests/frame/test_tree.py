"""Bases and overlays: what is read is what is there, and nothing leaves the tree."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from patchgen.errors import InputError, MissingError
from patchgen.tree import DirectoryBase, EmbeddedBase, FileEntry, GitBase, Tree, open_base

MAKEFILE = "VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 3\n"


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    root = tmp_path / "linux"
    (root / "drivers").mkdir(parents=True)
    (root / "Makefile").write_text(MAKEFILE)
    (root / "drivers" / "a.c").write_text("int a;\n")
    script = root / "run.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    return root


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True)
    return done.stdout.decode().strip()


@pytest.fixture
def repository(kernel: Path) -> Path:
    git(kernel, "init", "-q")
    git(kernel, "add", ".")
    git(kernel, "commit", "-qm", "start")
    return kernel


def test_directory_says_its_kernel_version(kernel: Path) -> None:
    base = DirectoryBase(kernel)
    assert base.kernel_version == "6.12"
    assert base.description == "Linux 6.12.3 (unpacked source)"
    assert base.commit is None


def test_git_base_reads_the_revision_not_the_work_tree(repository: Path) -> None:
    (repository / "drivers" / "a.c").write_text("int changed;\n")
    base = GitBase(repository, "HEAD")
    assert base.read("drivers/a.c") == FileEntry(b"int a;\n")
    assert base.read("run.sh") == FileEntry(b"#!/bin/sh\n", executable=True)
    assert base.read("drivers/none.c") is None
    assert base.read("drivers") is None
    assert base.list_dir("drivers") == ("a.c",)
    assert base.list_dir("") == ("Makefile", "drivers", "run.sh")
    assert base.commit == git(repository, "rev-parse", "HEAD")
    assert base.kernel_version == "6.12"


def test_git_base_takes_paths_literally(repository: Path) -> None:
    assert GitBase(repository, "HEAD").read("drivers/*.c") is None


@pytest.mark.parametrize(("where", "kind"), [("{}", DirectoryBase), ("{}@HEAD", GitBase)])
def test_open_base(repository: Path, where: str, kind: type) -> None:
    assert isinstance(open_base(where.format(repository)), kind)


def test_open_base_prefers_a_folder_named_with_an_at_sign(tmp_path: Path) -> None:
    folder = tmp_path / "linux@home"
    folder.mkdir()
    assert isinstance(open_base(str(folder)), DirectoryBase)


@pytest.mark.parametrize(("where", "error", "words"), [
    ("{0}/nowhere", MissingError, "no such folder"),
    ("{0}@no-such-rev", InputError, "no such revision: no-such-rev"),
    ("{1}@HEAD", InputError, "is not a git repository"),
])
def test_open_base_says_what_is_wrong(
    repository: Path, tmp_path: Path, where: str, error: type[Exception], words: str
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    with pytest.raises(error, match=words):
        open_base(where.format(repository, plain))


def test_directory_does_not_follow_links_out_of_the_tree(kernel: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (kernel / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(InputError, match="leads out of the tree"):
        DirectoryBase(kernel).read("link")


def test_a_device_file_is_no_file_of_the_tree(kernel: Path) -> None:
    import os

    os.mkfifo(kernel / "pipe")
    assert DirectoryBase(kernel).read("pipe") is None


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a/../../b", "", "a\0b"])
def test_paths_stay_inside(path: str) -> None:
    tree = Tree(EmbeddedBase({}))
    with pytest.raises(InputError, match="not a path inside the tree"):
        tree.write(path, "x")
    with pytest.raises(InputError, match="not a path inside the tree"):
        tree.entry(path)


def test_every_change_gives_a_new_tree() -> None:
    start = Tree(EmbeddedBase({"a": FileEntry(b"1"), "d/b": FileEntry(b"2", True)}))
    changed = start.write("a", "one").delete("d/b").write("d/c", b"3")
    assert start.read("a") == "1"
    assert changed.read("a") == "one"
    assert not changed.exists("d/b")
    assert changed.changes_since(start) == ("a", "d/b", "d/c")
    assert changed.list_dir("d") == ("c",)
    assert start.list_dir("") == ("a", "d")


def test_writing_keeps_the_mode() -> None:
    start = Tree(EmbeddedBase({"s": FileEntry(b"1", True)}))
    assert start.write("s", "2").entry("s") == FileEntry(b"2", True)
    assert start.write("s", "2", executable=False).changes_since(start) == ("s",)


def test_writing_the_same_is_no_change() -> None:
    start = Tree(EmbeddedBase({"a": FileEntry(b"1")}))
    assert start.write("a", "1").changes_since(start) == ()


def test_text_that_is_not_utf8_names_the_line() -> None:
    tree = Tree(EmbeddedBase({"a.c": FileEntry(b"one\ntwo \xff\n")}))
    with pytest.raises(InputError, match=r"a\.c:2: is not UTF-8"):
        tree.read("a.c")
