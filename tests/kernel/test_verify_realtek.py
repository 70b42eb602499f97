"""The heavy proof: real kernels are built, booted and broken (``tox -e kernel``)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from patchgen.cli.main import main
from patchgen.kernel.mutants import load_mutations, prove_mutations
from patchgen.kernel.verify import Wanted
from patchgen.series.load import load
from patchgen.series.plan import PlanOptions, plan_series
from patchgen.tree import DirectoryBase

pytestmark = [pytest.mark.kernel, pytest.mark.proof]

JOBS = os.cpu_count() or 1


def verify(tree: Path, output: Path, *options: str) -> dict[str, object]:
    status = main(["verify", "realtek", "--tree", str(tree), "-o", str(output), *options])
    evidence = json.loads((output / "evidence.json").read_text("utf-8"))
    assert status == 0, [r for r in evidence["results"] if r["verdict"] == "failed"]
    return evidence


@pytest.mark.parametrize("version", ["6.12", "6.1"])
def test_every_patch_builds_and_the_driver_passes_on_every_board(
    version: str, kernel_tree, tmp_path: Path
):
    evidence = verify(kernel_tree(version), tmp_path, "--each-patch", "--boot")
    assert evidence["algorithms"] == ["realtek-md5", "realtek-sha1", "realtek-ecb-aes",
                                      "realtek-cbc-aes", "realtek-ctr-aes"]
    assert evidence["boards"] == ["malta", "virt", "virt-swiotlb"]
    assert "not on hardware" in evidence["sentences"][1]
    results = evidence["results"]
    assert sum(r["what"] == "replay" for r in results) == 3
    assert all(r["verdict"] == "passed" for r in results)


def test_every_defect_of_the_public_driver_is_found_and_named(kernel_tree):
    mutations = load_mutations(Path(__file__).with_name("realtek_mutations.toml"))
    plan = plan_series(load("realtek"), DirectoryBase(kernel_tree("6.12")), PlanOptions())
    outcomes = prove_mutations(plan, Wanted(boot=True, jobs=JOBS), mutations)
    sys.stdout.write("".join(f"{o.mutation.id:>4}  {o.reason}\n" for o in outcomes))
    unseen = {o.mutation.id: [r.detail for r in o.results if r.verdict == "failed"]
              for o in outcomes if not o.failed_as_expected}
    assert unseen == {}


def test_an_interrupt_leaves_nothing_running(kernel_tree, tmp_path: Path):
    environment = {**os.environ, "PATCHGEN_KERNEL_BUILDS": str(tmp_path / "builds")}
    child = subprocess.Popen(
        [sys.executable, "-m", "patchgen", "verify", "realtek", "--tree",
         str(kernel_tree("6.12")), "--arch", "mips", "--boot", "-o", str(tmp_path / "out")],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True)
    deadline = time.monotonic() + 120
    while not processes_of(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert processes_of(tmp_path), "make never started"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert out == ""
    assert not (tmp_path / "out").exists()
    time.sleep(0.5)
    assert processes_of(tmp_path) == []


def processes_of(folder: Path) -> list[str]:
    """Command lines of build tools that name the folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                words = (entry / "cmdline").read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            if f"{folder}/builds" in words:
                found.append(words.replace("\0", " ")[:200])
    return found
