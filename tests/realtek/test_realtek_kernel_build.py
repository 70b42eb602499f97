"""Every state of the driver built against real kernel sources, without one warning."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from engine_harness import ALL_FEATURES, rendered

from patchgen.process import find_tool, have_tool, run

COMMON = """
CONFIG_MODULES=y
CONFIG_EXPERT=y
CONFIG_COMPILE_TEST=y
CONFIG_PRINTK=y
CONFIG_CRYPTO=y
CONFIG_CRYPTO_HW=y
CONFIG_CRYPTO_DEV_AMLOGIC_GXL=m
CONFIG_OF=y
CONFIG_SMP=y
"""


@dataclass(frozen=True, slots=True)
class Machine:
    """One architecture: how to call make, and its part of the configuration."""

    arch: str
    compiler: str
    config: str


MACHINES = {
    "mips": Machine("mips", "mips-linux-gnu-",
                    "CONFIG_MIPS_MALTA=y\nCONFIG_CPU_BIG_ENDIAN=y\nCONFIG_HIGHMEM=y\n"),
    "mipsel": Machine("mips", "mipsel-linux-gnu-",
                      "CONFIG_MIPS_MALTA=y\nCONFIG_CPU_LITTLE_ENDIAN=y\n"),
    "arm64": Machine("arm64", "aarch64-linux-gnu-", ""),
    "x86_64": Machine("x86", "", "CONFIG_64BIT=y\n"),
}
BUILDS = (("6.1", "mips"), ("6.12", "mipsel"), ("6.1", "arm64"), ("6.12", "x86_64"))
STATES = (frozenset[str](), frozenset({"realtek.hash"}), ALL_FEATURES)

Make = Callable[..., str]


@pytest.fixture(scope="module", params=BUILDS, ids=lambda build: "-".join(build))
def prepared(request: pytest.FixtureRequest, kernel_tree: Callable[[str], Path],
             tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Make]:
    """Kernel version, and a make that knows the build folder."""
    version, name = request.param
    machine, tree = MACHINES[name], kernel_tree(version)
    find_tool(f"{machine.compiler}gcc", why=f"builds for {name}")
    build = tmp_path_factory.mktemp(f"build-{version}-{name}")

    def make(*words: str) -> str:
        done = run(["make", "-s", "-j2", "-C", str(tree), f"O={build}", f"ARCH={machine.arch}",
                    f"CROSS_COMPILE={machine.compiler}", *words], timeout=1200)
        return done.text + done.error_text

    make("tinyconfig")
    (build / "fragment").write_text(COMMON + machine.config, "utf-8")
    run([str(tree / "scripts/kconfig/merge_config.sh"), "-m", ".config", "fragment"],
        timeout=60, cwd=build)
    make("olddefconfig")
    assert "CONFIG_CRYPTO_ENGINE=m" in (build / ".config").read_text("utf-8")
    make("modules_prepare")
    return version, make


@pytest.mark.kernel
@pytest.mark.parametrize("features", STATES, ids=lambda state: str(len(state)))
def test_builds_without_a_warning(prepared: tuple[str, Make], features: frozenset[str],
                                  tmp_path: Path):
    version, make = prepared
    files = ["Makefile", "realtek_crypto.h", "realtek_crypto.c"]
    files += ["realtek_crypto_ahash.c"] * ("realtek.hash" in features)
    files += ["realtek_crypto_skcipher.c"] * ("realtek.skcipher" in features)
    for name in files:
        (tmp_path / name).write_text(rendered(name, version, features), "utf-8")
    sparse = ["C=1"] if have_tool("sparse") else []
    said = make(f"M={tmp_path}", "W=1", *sparse, "KCFLAGS=-Wmaybe-uninitialized",
                "CONFIG_CRYPTO_DEV_REALTEK=m", "KBUILD_MODPOST_WARN=1", "modules")
    ours = [line for line in said.splitlines() if "realtek_crypto" in line]
    assert ours == []
    module = (tmp_path / "rtl_crypto.ko").read_bytes()
    for driver, feature in (("realtek-md5", "realtek.hash"), ("realtek-sha1", "realtek.hash"),
                            ("realtek-ctr-aes", "realtek.skcipher")):
        assert (driver.encode() in module) == (feature in features)
    defaults = re.findall(rb"parm=(\w+):[^\0]*\[default=(\w+)\]\0", module)
    assert len(defaults) == 2 * ("realtek.hash" in features) + ("realtek.skcipher" in features)
    assert {name: int(value, 0) for name, value in defaults}.items() <= {
        b"aes_min_size": 256, b"sha1_min_size": 1024, b"md5_min_size": 2**32 - 1}.items()
    assert b"alias=of:N*T*Crealtek,rtl8380-crypto" in module


@pytest.mark.kernel
@pytest.mark.parametrize("version", ["6.1", "6.12"])
def test_checkpatch_finds_nothing(version: str, kernel_tree: Callable[[str], Path],
                                  tmp_path: Path):
    tree = kernel_tree(version)
    for name in ("realtek_crypto.h", "realtek_crypto.c", "realtek_crypto_ahash.c",
                 "realtek_crypto_skcipher.c"):
        path = tmp_path / name
        path.write_text(rendered(name, version), "utf-8")
        done = run(["perl", str(tree / "scripts/checkpatch.pl"), "--strict", "--no-tree", "--terse",
                    "--ignore=UNDOCUMENTED_DT_STRING", "-f", str(path)], timeout=120, check=False)
        assert (done.returncode, done.text, done.error_text) == (0, "", "")
