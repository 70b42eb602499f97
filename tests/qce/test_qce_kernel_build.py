"""Every state of the embedded driver built against real kernel sources, without one warning."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from qce_series import series

from patchgen.cli.main import main
from patchgen.process import find_tool, have_tool, run
from patchgen.series.plan import PlanOptions, plan_series
from patchgen.tree import Tree

QCE = "drivers/crypto/qce"
PLAIN = """
CONFIG_MODULES=y
CONFIG_EXPERT=y
CONFIG_COMPILE_TEST=y
CONFIG_NET=y
CONFIG_OF=y
CONFIG_MMU=y
CONFIG_SYSFS=y
CONFIG_DMADEVICES=y
CONFIG_CRYPTO=y
CONFIG_CRYPTO_HW=y
CONFIG_CRYPTO_DEV_QCE=m
"""
MACHINES = {"arm64": "aarch64-linux-gnu-", "arm": "arm-linux-gnueabihf-"}
BUILDS = [(version, arch) for version in ("6.1", "6.12") for arch in MACHINES]
FAMILIES = {"ALL": ("SKCIPHER", "SHA"), "SKCIPHER": ("SKCIPHER",), "SHA": ("SHA",)}


def states(version: str) -> list[Tree]:
    """The embedded base for a kernel, and the trees after each of the three patches."""
    return list(plan_series(series(), None, PlanOptions(kernel=version)).trees)


@dataclass(frozen=True)
class Kernel:
    """A kernel source, configured in a folder of its own."""

    version: str
    arch: str
    source: Path
    build: Path

    def make(self, *words: str) -> str:
        done = run(["make", "-s", "-j2", "-C", str(self.source), f"O={self.build}",
                    f"ARCH={self.arch}", f"CROSS_COMPILE={MACHINES[self.arch]}", *words],
                   timeout=1200)
        return done.text + done.error_text

    def configure(self, more: str = "") -> str:
        (self.build / "fragment").write_text(PLAIN + more, "utf-8")
        self.make("tinyconfig")
        run([str(self.source / "scripts/kconfig/merge_config.sh"), "-m", ".config", "fragment"],
            timeout=60, cwd=self.build)
        self.make("olddefconfig")
        return (self.build / ".config").read_text("utf-8")


@pytest.fixture(scope="module", params=BUILDS, ids=lambda build: "-".join(build))
def kernel(request: pytest.FixtureRequest, kernel_tree: Callable[[str], Path],
           tmp_path_factory: pytest.TempPathFactory) -> Kernel:
    version, arch = request.param
    find_tool(f"{MACHINES[arch]}gcc", why=f"builds for {arch}")
    ready = Kernel(version, arch, kernel_tree(version), tmp_path_factory.mktemp("build"))
    assert "CONFIG_CRYPTO_DEV_QCE=m" in ready.configure()
    ready.make("modules_prepare")
    return ready


@pytest.mark.kernel
@pytest.mark.parametrize("applied", range(4))
def test_builds_without_a_warning(kernel: Kernel, applied: int, tmp_path: Path):
    tree = states(kernel.version)[applied]
    families = FAMILIES if applied in (0, 3) else {"ALL": FAMILIES["ALL"]}
    for family, parts in families.items():
        folder = tmp_path / family
        folder.mkdir()
        for name in tree.list_dir(QCE):
            (folder / name).write_text(tree.read(f"{QCE}/{name}"), "utf-8")
        defines = [f"-DCONFIG_CRYPTO_DEV_QCE_{part}=1" for part in parts]
        if applied >= 2 and "SKCIPHER" in parts:
            defines.append("-DCONFIG_CRYPTO_DEV_QCE_SW_MAX_LEN=512")
        sparse = ["C=1"] if have_tool("sparse") else []
        said = kernel.make(
            f"M={folder}", "W=1", *sparse, "KBUILD_MODPOST_WARN=1", "CONFIG_CRYPTO_DEV_QCE=m",
            *(f"CONFIG_CRYPTO_DEV_QCE_{p}={'y' if p in parts else ''}" for p in ("SKCIPHER",
                                                                                 "SHA")),
            f"KCFLAGS={' '.join(defines)}", "modules")
        # What compiler and sparse say names a line; modpost misses the exports of a kernel
        # that is not built.
        assert [line for line in said.splitlines() if re.search(r"\w\.[ch]:\d+", line)] == []
        module = (folder / "qcrypto.ko").read_bytes()
        found = re.findall(rb"parm=aes_sw_max_len:([^\0]*)\0", module)
        assert len(found) == (applied >= 2 and "SKCIPHER" in parts)
        assert all(text.endswith(b"[default=512]") for text in found)
        assert (b"cbc-aes-qce" in module) == ("SKCIPHER" in parts)
        assert (b"sha256-qce" in module) == ("SHA" in parts)


@pytest.fixture(scope="module", params=["6.1", "6.12"])
def replaced(request: pytest.FixtureRequest, kernel_tree: Callable[[str], Path],
             tmp_path_factory: pytest.TempPathFactory) -> Kernel:
    """A copy of a kernel, made of links, that has our driver instead of its own."""
    source = tmp_path_factory.mktemp("linked") / "linux"
    run(["cp", "-as", str(kernel_tree(request.param)), str(source)], timeout=300)
    tree = states(request.param)[-1]
    assert isinstance(tree.base.list_dir("."), tuple)
    for path in {*tree.base.files, *tree.overlay}:  # type: ignore[attr-defined]
        (source / path).unlink(missing_ok=True)
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_text(tree.read(path), "utf-8")
    find_tool(f"{MACHINES['arm64']}gcc", why="configures for arm64")
    return Kernel(request.param, "arm64", source, tmp_path_factory.mktemp("config"))


@pytest.mark.kernel
def test_kconfig_offers_the_size_with_the_ciphers_only(replaced: Kernel):
    for family, parts in FAMILIES.items():
        config = replaced.configure(f"CONFIG_CRYPTO_DEV_QCE_ENABLE_{family}=y\n")
        for part in ("SKCIPHER", "SHA"):
            assert (f"CONFIG_CRYPTO_DEV_QCE_{part}=y" in config) == (part in parts)
        sizes = re.findall(r"^CONFIG_CRYPTO_DEV_QCE_SW_MAX_LEN=(.*)$", config, re.M)
        assert sizes == (["512"] if "SKCIPHER" in parts else [])


@pytest.mark.kernel
@pytest.mark.parametrize(("given", "kept"), [
    # Older kconfig falls back to the default, newer to the nearest size that is allowed.
    ("16", {16}), ("32768", {32768}), ("-1", {512, 0}), ("65537", {512, 65536})])
def test_kconfig_refuses_what_is_no_size(replaced: Kernel, given: str, kept: set[int]):
    config = replaced.configure(f"CONFIG_CRYPTO_DEV_QCE_SW_MAX_LEN={given}\n")
    sizes = re.findall(r"^CONFIG_CRYPTO_DEV_QCE_SW_MAX_LEN=(.*)$", config, re.M)
    assert {int(size) for size in sizes} <= kept
    assert len(sizes) == 1


@pytest.mark.kernel
@pytest.mark.parametrize("version", ["6.1", "6.12"])
def test_checkpatch_finds_nothing(version: str, kernel_tree: Callable[[str], Path],
                                  tmp_path: Path):
    script = kernel_tree(version) / "scripts/checkpatch.pl"
    assert main(["series", "qce-gcm", "-o", str(tmp_path / "out"), "--kernel", version]) == 0
    mails = sorted((tmp_path / "out").glob("v1-000[1-3]*.patch"))
    assert len(mails) == 3
    # Without the history of the kernel no commit that a Fixes: line names can be known.
    command = ["perl", str(script), "--strict", "--no-tree", "--terse",
               "--ignore=UNKNOWN_COMMIT_ID"]
    for mail in mails:
        done = run([*command, str(mail)], timeout=120, check=False)
        assert (done.returncode, done.text, done.error_text) == (0, "", "")
    tree = states(version)[0]
    for name in tree.list_dir(QCE):
        path = tmp_path / name
        path.write_text(tree.read(f"{QCE}/{name}"), "utf-8")
        done = run([*command, "-f", str(path)], timeout=120, check=False)
        assert (done.returncode, done.text) == (0, ""), done.text


@pytest.mark.kernel
def test_series_applies_with_git_am(tmp_path: Path):
    root, out = tmp_path / "tree", tmp_path / "out"
    tree = states("6.12")[0]
    for path in tree.base.files:  # type: ignore[attr-defined]
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(tree.read(path), "utf-8")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "base"]):
        run(["git", "-C", str(root), *words], timeout=60)
    assert main(["series", "qce-gcm", "-o", str(out), "--kernel", "6.12"]) == 0
    run(["git", "-C", str(root), "am", *map(str, sorted(out.glob("v1-000[1-3]*.patch")))],
        timeout=60)
    after = states("6.12")[-1]
    for path in after.overlay:
        assert (root / path).read_text("utf-8") == after.read(path)
