"""The view of a source tree that kernels are built from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from patchgen.errors import InputError
from patchgen.kernel.farm import SourceFarm, source_folder
from patchgen.process import run
from patchgen.tree import DirectoryBase, GitBase, Tree

MAKEFILE = "VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 1\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    root = tmp_path / "linux"
    for path, text in {"Makefile": MAKEFILE, "drivers/crypto/Kconfig": "menu\n",
                       "drivers/crypto/other/x.c": "int x;\n", "drivers/net/y.c": "int y;\n",
                       "lib/z.c": "int z;\n"}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return root


def snapshot(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def test_only_what_is_on_the_way_to_a_change_is_real(source: Path, tmp_path: Path):
    before = snapshot(source)
    farm = SourceFarm(tmp_path / "farm", source)
    tree = Tree(DirectoryBase(source)).write("drivers/crypto/new/a.c", "int a;\n").write(
        "drivers/crypto/Kconfig", "menu changed\n")
    changed = farm.sync(tree)
    assert changed == ("drivers/crypto/Kconfig", "drivers/crypto/new/a.c")
    assert (farm.folder / "drivers/crypto/new/a.c").read_text() == "int a;\n"
    assert (farm.folder / "drivers/crypto/Kconfig").read_text() == "menu changed\n"
    assert (farm.folder / "lib").is_symlink()
    assert (farm.folder / "drivers/net").is_symlink()
    assert (farm.folder / "drivers/crypto/other/x.c").read_text() == "int x;\n"
    assert not (farm.folder / "drivers").is_symlink()
    assert snapshot(source) == before


def test_a_file_that_stays_keeps_its_time(source: Path, tmp_path: Path):
    farm = SourceFarm(tmp_path / "farm", source)
    one = Tree(DirectoryBase(source)).write("drivers/crypto/new/a.c", "int a;\n")
    farm.sync(one)
    target = farm.folder / "drivers/crypto/new/a.c"
    os.utime(target, (1, 1))
    assert farm.sync(one.write("drivers/crypto/new/b.c", "int b;\n")) == (
        "drivers/crypto/new/b.c",)
    assert target.stat().st_mtime == 1


def test_going_back_gives_the_original_with_a_fresh_time(source: Path, tmp_path: Path):
    farm = SourceFarm(tmp_path / "farm", source)
    base = Tree(DirectoryBase(source))
    os.utime(source / "lib/z.c", (1, 1))
    farm.sync(base.write("lib/z.c", "int changed;\n").write("lib/gone.c", "x\n"))
    changed = farm.sync(base)
    assert changed == ("lib/gone.c", "lib/z.c")
    assert (farm.folder / "lib/z.c").read_text() == "int z;\n"
    assert (farm.folder / "lib/z.c").stat().st_mtime > 1
    assert not (farm.folder / "lib/gone.c").exists()


def test_a_deleted_file_is_not_seen(source: Path, tmp_path: Path):
    farm = SourceFarm(tmp_path / "farm", source)
    farm.sync(Tree(DirectoryBase(source)).delete("lib/z.c"))
    assert not (farm.folder / "lib/z.c").exists()
    assert (source / "lib/z.c").exists()


def test_a_tree_that_was_built_in_is_refused(source: Path, tmp_path: Path):
    (source / ".config").write_text("", "utf-8")
    with pytest.raises(InputError, match=r"has been built in.*mrproper"):
        source_folder(DirectoryBase(source), tmp_path)


def test_a_revision_is_unpacked_once(source: Path, tmp_path: Path):
    def git(*words: str) -> None:
        run(["git", "-C", source, *words], timeout=30)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "one")
    (source / "lib/z.c").write_text("int later;\n", "utf-8")
    base = GitBase(source, "HEAD")
    folder = source_folder(base, tmp_path / "exports")
    assert (folder / "lib/z.c").read_text() == "int z;\n"
    (folder / "mark").write_text("kept", "utf-8")
    assert source_folder(base, tmp_path / "exports") == folder
    assert (folder / "mark").is_file()
