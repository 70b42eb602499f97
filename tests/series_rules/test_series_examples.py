"""Every series rule reports its bad examples and is content with its good ones."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from patchgen.checks.registry import all_checks, examples
from patchgen.checks.series import check_series
from patchgen.findings import Finding
from patchgen.mail import read_series
from patchgen.tree import Tree, open_base

CHECKS = [check.id for check in all_checks("series")]
CLOCK = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
         "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": "1700000000 +0000",
         "GIT_COMMITTER_DATE": "1700000000 +0000"}


def tree_of(example: Path, scratch: Path) -> Tree | None:
    """The example's ``tree`` folder, or a repository with the commits of its ``history``."""
    history = example.parent / "history"
    if history.exists():
        for words in (["init", "-q"], *(["commit", "-q", "--allow-empty", "-m", subject]
                                        for subject in history.read_text().splitlines())):
            subprocess.run(["git", "-C", str(scratch), *words], check=True,
                           env={**os.environ, **CLOCK})
        return Tree(open_base(f"{scratch}@HEAD"))
    folder = example.parent / "tree"
    return Tree(open_base(str(folder))) if folder.is_dir() else None


def run(id: str, example: Path, scratch: Path) -> list[Finding]:
    findings, skips = check_series(read_series(example), tree=tree_of(example, scratch),
                                   select=[id])
    assert not [skip for skip in skips if skip.check == id]
    return findings


@pytest.mark.parametrize("id", CHECKS)
def test_bad_examples_are_reported(id: str, tmp_path: Path) -> None:
    bad = examples(id, "bad")
    assert bad
    for number, example in enumerate(bad):
        scratch = tmp_path / str(number)
        scratch.mkdir()
        findings = run(id, example, scratch)
        assert {f.check for f in findings} == {id}, example.name
        assert all(f.message and f.hint for f in findings)


@pytest.mark.parametrize("id", CHECKS)
def test_good_examples_are_not(id: str, tmp_path: Path) -> None:
    good = examples(id, "good")
    assert good
    for example in good:
        assert run(id, example, tmp_path) == []


@pytest.mark.parametrize("id", CHECKS)
def test_good_examples_have_no_error_at_all(id: str, tmp_path: Path) -> None:
    for example in examples(id, "good"):
        findings, _ = check_series(read_series(example), tree=tree_of(example, tmp_path))
        empty = (example.parent / "history").exists()  # a history without the file to change
        assert [f for f in findings if f.severity == "error"
                and not (empty and f.check == "patch-conflict")] == []


def test_rules_are_described() -> None:
    assert len(CHECKS) >= 60
    for check in all_checks("series"):
        assert check.rule[0].isupper() or not check.rule[0].isalpha()
        assert check.why.endswith(".")
        assert check.fix
