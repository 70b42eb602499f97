"""What verify refuses before it builds anything, and how it says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchgen import process
from patchgen.cli.main import main
from patchgen.errors import InputError, MissingError
from patchgen.kernel.folders import built_folders, enabling_files, source_folders, state
from patchgen.kernel.verify import Run, Wanted, _check_request, require_tools
from patchgen.kernel.workspace import open_workspace
from patchgen.series.load import load
from patchgen.series.plan import PlanOptions, plan_series
from patchgen.tree import DirectoryBase, EmbeddedBase

FOLDER = "drivers/crypto/realtek"


@pytest.fixture(scope="module")
def plan():
    return plan_series(load("realtek"), None, PlanOptions(kernel="6.12"))


def request(plan, tmp_path: Path, version: str = "6.12", **wanted) -> Run:
    tree = tmp_path / "linux"
    tree.mkdir(exist_ok=True)
    major, minor = version.split(".")
    (tree / "Makefile").write_text(f"VERSION = {major}\nPATCHLEVEL = {minor}\n", "utf-8")
    with open_workspace(DirectoryBase(tree), lambda _: None) as workspace:
        matrix = plan.series.spec.verify
        return Run(plan, matrix, Wanted(**wanted), workspace, lambda _: None)


@pytest.fixture(autouse=True)
def _builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATCHGEN_KERNEL_BUILDS", str(tmp_path / "builds"))


def test_missing_tools_are_all_named_with_one_install_line(plan, tmp_path, monkeypatch):
    monkeypatch.setattr(process, "have_tool",
                        lambda name: name not in ("qemu-system-mips", "mips-linux-gnu-gcc"))
    with pytest.raises(MissingError) as caught:
        require_tools(request(plan, tmp_path, arch="mips", boot=True))
    assert str(caught.value) == (
        "mips-linux-gnu-gcc, qemu-system-mips are not installed; install with: "
        "apt-get install gcc-mips-linux-gnu qemu-system-mips")
    assert caught.value.exit_code == 3


def test_no_qemu_is_needed_without_boot(plan, tmp_path, monkeypatch):
    monkeypatch.setattr(process, "have_tool", lambda name: not name.startswith("qemu"))
    require_tools(request(plan, tmp_path, arch="mips"))


@pytest.mark.parametrize(("version", "wanted", "why"), [
    ("5.4", {}, r"not made for Linux 5\.4.*6\.1 or 6\.12"),
    ("6.12", {"arch": "vax"}, "no such architecture.*mips"),
    ("6.12", {"arch": "arm"}, r"nothing for arm on 6\.12.*mips"),
])
def test_what_does_not_fit_is_refused(plan, tmp_path, version, wanted, why):
    with pytest.raises(InputError, match=why):
        _check_request(request(plan, tmp_path, version, **wanted))


def test_the_matrix_is_narrowed_by_architecture(plan, tmp_path):
    run = request(plan, tmp_path, arch="arm64", boot=True)
    assert {b.arch for b in run.builds()} == {"arm64"}
    assert {b.name for b in run.boots()} == {"virt", "virt-swiotlb"}
    assert request(plan, tmp_path, arch="arm64").boots() == ()


def test_a_tree_that_is_no_kernel_is_missing(tmp_path, capsys):
    (tmp_path / "x").mkdir()
    assert main(["verify", "realtek", "--tree", str(tmp_path / "x")]) in (2, 3)
    assert "Traceback" not in capsys.readouterr().err


def test_the_embedded_base_cannot_be_built(tmp_path):
    with pytest.raises(MissingError, match="--tree"), \
            open_workspace(EmbeddedBase({}, kernel_version="6.12"), lambda _: None):
        pass


def test_folders_and_enabling_files_follow_from_the_patches(plan):
    assert source_folders(plan) == (FOLDER,)
    assert enabling_files(plan) == ("drivers/crypto/Kconfig", "drivers/crypto/Makefile")
    assert built_folders(plan, state(plan, 1)) == ()
    third = state(plan, 3)
    assert built_folders(plan, third) == (FOLDER,)
    assert "CRYPTO_DEV_REALTEK" in third.read("drivers/crypto/Kconfig")
    assert not third.exists(f"{FOLDER}/realtek_crypto_ahash.c")
