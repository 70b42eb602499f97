"""Emitted arrays inside a real crypto/testmgr.c: they compile, and booted kernels pass them.

The entries of `alg_test_descs` are made to use our arrays instead of the kernel's, in a view
of the source tree that leaves the tree itself alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from patchgen.kernel.arches import ARCHES, BOARDS, fragment_lines
from patchgen.kernel.boot import boot
from patchgen.kernel.farm import SourceFarm
from patchgen.kernel.initrd import Initrd, build_init, write_initrd
from patchgen.kernel.kconfig import configure
from patchgen.kernel.make import Kernel
from patchgen.kernel.proc_crypto import read_proc_crypto
from patchgen.process import find_tool
from patchgen.profiles import profile_for
from patchgen.tree import DirectoryBase, Tree
from patchgen.vectors.algorithms import ALGORITHMS
from patchgen.vectors.emit import default_array, emit

NOT_IN_THE_KERNEL = ("ctr32(aes)", "chacha12")
TESTED = tuple(name for name in ALGORITHMS if name not in NOT_IN_THE_KERNEL)
CRYPTO = tuple(
    f"CONFIG_CRYPTO_{name}=y"
    for name in ("AES", "ECB", "CBC", "CTR", "CTS", "XTS", "ESSIV", "GCM", "CCM", "CMAC", "XCBC",
                 "GHASH", "MD5", "SHA1", "SHA256", "SHA512", "CRC32", "CRC32C", "CRCT10DIF",
                 "CHACHA20")
)
ARM64 = tuple(
    f"CONFIG_CRYPTO_{name}=y"
    for name in ("SHA1_ARM64_CE", "SHA2_ARM64_CE", "SHA256_ARM64", "SHA512_ARM64",
                 "GHASH_ARM64_CE", "CRCT10DIF_ARM64_CE", "AES_ARM64", "AES_ARM64_CE",
                 "AES_ARM64_CE_CCM", "AES_ARM64_CE_BLK", "AES_ARM64_NEON_BLK", "AES_ARM64_BS",
                 "CHACHA20_NEON")
)
TESTS = (
    "CONFIG_CRC_T10DIF=y", "CONFIG_CRYPTO_MANAGER=y",
    "# CONFIG_CRYPTO_MANAGER_DISABLE_TESTS is not set",
    "# CONFIG_CRYPTO_MANAGER_EXTRA_TESTS is not set",
)


pytestmark = pytest.mark.kernel


def with_our_arrays(source: Path) -> Tree:
    """The tree whose testmgr uses an emitted array for every algorithm it knows."""
    tree = Tree(DirectoryBase(source))
    header, manager = tree.read("crypto/testmgr.h"), tree.read("crypto/testmgr.c")
    arrays = []
    for name in TESTED:
        arrays.append(emit([name], "c", generated=True).text)
        entry = re.compile(rf'(\.alg = "{re.escape(name)}",.*?VECS\()\w+(\))', re.S)
        manager, count = entry.subn(rf"\g<1>{default_array(name)}\g<2>", manager, count=1)
        assert count == 1, f"testmgr.c has no entry for {name}"
    end = header.rindex("#endif")
    header = header[:end] + "\n".join(arrays) + "\n" + header[end:]
    return tree.write("crypto/testmgr.h", header).write("crypto/testmgr.c", manager)


def kernel_of(source: Path, arch: str, folder: Path) -> Kernel:
    farm = SourceFarm(folder / "source", source)
    farm.sync(with_our_arrays(source))
    build = folder / "build"
    build.mkdir()
    return Kernel(farm, build, ARCHES[arch], jobs=2)


@pytest.mark.parametrize(("version", "arch"), [("6.1", "x86_64"), ("6.12", "mips")])
def test_emitted_arrays_compile_as_part_of_testmgr(
    version: str, arch: str, kernel_tree: Callable[[str], Path], tmp_path: Path
) -> None:
    find_tool(ARCHES[arch].compiler, why=f"builds for {arch}")
    kernel = kernel_of(kernel_tree(version), arch, tmp_path)
    configure(kernel.farm, kernel.folder, kernel.arch, "tinyconfig",
              ["CONFIG_EXPERT=y", "CONFIG_CRYPTO=y", *TESTS, *CRYPTO])
    built = kernel.make("crypto/testmgr.o", variables=["W=1"])
    assert built.ok, built.failures
    assert [str(r) for r in built.ours(["crypto/testmgr.h"])
            if "patchgen" in r.text or r.level != "warning"] == []
    object_file = (kernel.folder / "crypto/testmgr.o").read_bytes()
    assert [n for n in TESTED if default_array(n).encode() not in object_file] == []


@pytest.mark.proof
def test_a_booted_kernel_passes_every_emitted_vector(
    kernel_tree: Callable[[str], Path], tmp_path: Path
) -> None:
    board = BOARDS["virt"]
    find_tool("aarch64-linux-gnu-gcc", why="builds for arm64")
    find_tool(board.qemu[0], why="boots the board virt")
    kernel = kernel_of(kernel_tree("6.12"), "arm64", tmp_path)
    lines = [*fragment_lines("boot"), *fragment_lines("virt"), "CONFIG_CRYPTO=y", *TESTS, *CRYPTO,
             *ARM64]
    configure(kernel.farm, kernel.folder, kernel.arch, "tinyconfig", lines)
    built = kernel.make(board.target)
    assert built.ok, built.failures
    init = build_init(board, profile_for("6.12"), tmp_path)
    plan = "stage self-tests\nawait 240 /proc/crypto larval\nshow /proc/crypto\n"
    write_initrd(Initrd({}, {"main": plan}), init, kernel.folder, tmp_path / "initrd.gz")
    booted = boot(board, kernel.path(board.image), tmp_path / "initrd.gz", seconds=600)
    assert booted.ended == "over", booted.log[-20:]
    assert [str(t) for t in booted.console.troubles] == []
    stage = booted.console.stage("self-tests")
    assert stage is not None
    entries = read_proc_crypto(stage.shown)
    assert {e.selftest for e in entries} == {"passed"}
    drivers = {e.driver for e in entries}
    assert {"ecb-aes-ce", "cbc-aes-neonbs", "ctr-aes-ce", "xts-aes-ce", "cts-cbc-aes-ce",
            "essiv-cbc-aes-sha256-ce", "cmac-aes-ce", "xcbc-aes-ce", "cbcmac-aes-ce",
            "ccm-aes-ce", "gcm-aes-ce", "rfc4106-gcm-aes-ce", "sha1-ce", "sha256-ce",
            "sha512-arm64", "crct10dif-arm64-ce", "chacha20-neon", "xchacha12-neon",
            "md5-generic", "crc32-generic"} <= drivers
