"""Evidence that is kept with a series counts for exactly the patches it is about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from patchgen.errors import InputError
from patchgen.series.evidence import fingerprint, stored_evidence
from patchgen.series.load import load
from patchgen.series.plan import PlanOptions, plan_series
from patchgen.tree import EmbeddedBase, FileEntry


def plan_on(kernel: str, **more: str):
    series = load("realtek")
    base = plan_series(series, None, PlanOptions(kernel=kernel)).base
    files = dict(base.files)
    for path, text in more.items():
        files[path] = FileEntry(text.encode() + files[path].data)
    return plan_series(series, EmbeddedBase(files, kernel_version=kernel), PlanOptions())


def write(folder: Path, name: str, **fields: object) -> None:
    (folder / "evidence").mkdir(exist_ok=True)
    content = {"series": "realtek", "kernel": "6.12.3", "verdict": "passed",
               "fingerprint": "a", "sentences": ["It built."], **fields}
    (folder / "evidence" / f"{name}.json").write_text(json.dumps(content), "utf-8")


def test_the_fingerprint_ignores_the_surroundings_and_sees_every_line():
    one = fingerprint(plan_on("6.12"))
    assert fingerprint(plan_on("6.12", MAINTAINERS="OTHER THINGS\nF:\tother/\n\n")) == one
    assert fingerprint(plan_on("6.1")) != one


def test_only_evidence_of_these_patches_is_found_newest_kernel_first(tmp_path: Path):
    write(tmp_path, "old", kernel="6.1.9", fingerprint="b", sentences=["On the old one."])
    write(tmp_path, "new", kernel="6.12.3")
    write(tmp_path, "other", fingerprint="c")
    write(tmp_path, "failed", verdict="failed")
    found = stored_evidence(tmp_path, ["a", "b"])
    assert [(e.kernel, e.sentences) for e in found] == [
        ("6.12.3", ("It built.",)), ("6.1.9", ("On the old one.",))]


def test_no_folder_is_no_evidence(tmp_path: Path):
    assert stored_evidence(tmp_path, ["a"]) == ()


def test_a_file_that_is_no_evidence_is_named(tmp_path: Path):
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence/x.json").write_text("{}", "utf-8")
    with pytest.raises(InputError, match=r"x\.json.*no evidence"):
        stored_evidence(tmp_path, ["a"])
