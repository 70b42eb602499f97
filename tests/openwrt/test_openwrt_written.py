"""The checks inside a series, repairs as patches, and git taking what was written."""

from __future__ import annotations

import datetime as dt
import subprocess
from pathlib import Path

import pytest
from openwrt_data import REAL, merged_tree, tree_of
from test_openwrt_series import CONTEXT, embedded, generator

from patchgen.checks.openwrt import fix_tree
from patchgen.checks.openwrt.series import check_series
from patchgen.checks.openwrt.written import fix_mails
from patchgen.series.identity import Identity
from patchgen.steps.base import StepContext
from patchgen.tree import Tree

AUTHOR = Identity("Some Author", "some@example.org")
DATE = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)


def trees(start: Tree, context: StepContext = CONTEXT) -> list[Tree]:
    return [start, *(patch.tree for patch in generator().patches(start, context))]


def test_the_series_makes_nothing_worse() -> None:
    assert check_series(trees(embedded())) == []


@REAL
def test_the_series_makes_nothing_worse_on_the_real_tree() -> None:
    assert check_series(trees(tree_of("pre"))) == []


@REAL
def test_a_series_for_one_kernel_is_told_that_the_next_lacks_it() -> None:
    start = merged_tree(layers="pre")
    context = StepContext(CONTEXT.render, CONTEXT.identity, only_kernel="5.10")
    found = [f for f in check_series(trees(start, context)) if f.check == "openwrt-lost"]
    lost = {f.file for f in found if "CRYPTO_AES_ARM64_CE_BLK=y" in f.message}
    assert lost == {"target/linux/mvebu/cortexa53/config-5.15",
                    "target/linux/mvebu/cortexa72/config-5.15"}
    both = check_series(trees(start))
    assert not [f for f in both if f.check == "openwrt-lost" and "ARM64" in f.message]


def test_a_patch_that_breaks_the_order_is_named() -> None:
    start = embedded()
    path = "target/linux/bcm4908/config-5.10"
    worse = start.write(path, "CONFIG_ZZZ=y\n" + start.read(path))
    other = worse.write("target/linux/octeontx/config-5.10", start.read(
        "target/linux/octeontx/config-5.10") + "CONFIG_ZZZ=y\n")
    found = check_series([start, worse, other])
    assert [(f.check, f.patch, f.file) for f in found] == [("openwrt-order", 1, path)]


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def checkout(folder: Path, tree: Tree) -> None:
    git(folder, "init", "-q")
    for path in tree.base.files:  # type: ignore[attr-defined]
        entry = tree.entry(path)
        assert entry is not None
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(entry.data)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "base")


@REAL
def test_git_takes_the_repairs(tmp_path: Path) -> None:
    tree = merged_tree()
    patches = fix_tree(tree)
    mails = fix_mails(tree.base, patches, AUTHOR, DATE)
    assert len(mails) == len(patches) > 3
    assert mails == fix_mails(tree.base, patches, AUTHOR, DATE)
    work = tmp_path / "tree"
    work.mkdir()
    checkout(work, tree)
    for mail in mails:
        (tmp_path / mail.name).write_bytes(mail.data)
        assert b"Signed-off-by: Some Author <some@example.org>" in mail.data
        git(work, "am", "-q", str(tmp_path / mail.name))
    expected = {path: data for patch in patches for path, data in patch.files.items()}
    for path, data in expected.items():
        assert (work / path).read_bytes() == data


def test_no_repair_is_no_mail() -> None:
    assert fix_mails(embedded().base, (), AUTHOR, DATE) == ()


@pytest.mark.parametrize("kernel", ["5.10", "5.15"])
def test_limited_to_one_kernel_the_series_stays_clean(kernel: str) -> None:
    context = StepContext(CONTEXT.render, CONTEXT.identity, only_kernel=kernel)
    found = check_series(trees(embedded(), context), kernel=kernel)
    assert [f for f in found if f.severity != "note" and f.check != "openwrt-lost"] == []
