"""The realtek series on real kernel sources: git am takes it, checkpatch has nothing to say."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from patchgen.cli.main import main

pytestmark = pytest.mark.kernel
TOUCHED = ("MAINTAINERS", "Makefile", "drivers/crypto/Kconfig", "drivers/crypto/Makefile")


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("version", ["6.1", "6.12"])
def test_am_and_checkpatch(version: str, kernel_tree, tmp_path: Path) -> None:
    source = kernel_tree(version)
    target = tmp_path / "v4"
    assert main(["series", "realtek", "--tree", str(source), "-o", str(target)]) == 0
    mails = sorted(target.glob("*-000[1-6]-*.patch"))

    slice_ = tmp_path / "slice"
    for path in TOUCHED:
        (slice_ / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / path, slice_ / path)
    git(slice_, "init", "-q")
    git(slice_, "add", ".")
    git(slice_, "commit", "-qm", "slice of the source")
    git(slice_, "am", "-q", *map(str, mails))
    assert git(slice_, "rev-list", "--count", "HEAD").strip() == "7"

    done = subprocess.run(
        ["perl", str(source / "scripts/checkpatch.pl"), "--strict", "--no-tree", "--terse",
         "--show-types", "--no-summary", *map(str, mails)], capture_output=True, text=True)
    remarks = [line for line in done.stdout.splitlines()
               if re.search(r": (ERROR|WARNING|CHECK):", line) and "FILE_PATH_CHANGES" not in line]
    assert remarks == []
    assert not done.stderr


@pytest.mark.parametrize("version", ["6.1", "6.12"])
def test_the_tree_it_was_applied_to_is_refused(
    version: str, kernel_tree, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = kernel_tree(version)
    target = tmp_path / "v4"
    assert main(["series", "realtek", "--tree", str(source), "-o", str(target)]) == 0
    root = tmp_path / "slice"
    for path in TOUCHED:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / path, root / path)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "slice of the source")
    git(root, "am", "-q", *map(str, sorted(target.glob("*-000[1-6]-*.patch"))))
    capsys.readouterr()
    assert main(["series", "realtek", "--tree", str(root), "-o", str(tmp_path / "again")]) == 1
    assert "all 6 patches are already applied" in capsys.readouterr().err
