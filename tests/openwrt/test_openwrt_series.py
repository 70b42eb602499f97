"""The computed series: byte for byte on the real files, twelve patches on the embedded base."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec
import pytest
from openwrt_data import DATA, REAL, fake_tree, tree_of

from patchgen.errors import InputError
from patchgen.openwrt.layers import OpenWrt
from patchgen.openwrt.plan import compute_patches, shared_files
from patchgen.profiles import profile_for
from patchgen.render import RenderContext, component_paths, render
from patchgen.resources import series_root
from patchgen.steps.base import StepContext
from patchgen.steps.openwrt import OpenwrtGenerator
from patchgen.tree import EmbeddedBase, FileEntry, Tree

CONTEXT = StepContext(RenderContext(profile_for("5.15")), "Some Author <some@example.org>")


def generator() -> OpenwrtGenerator:
    spec = tomllib.loads((series_root() / "openwrt-arm64-ce" / "series.toml").read_text())
    return msgspec.convert(spec["generator"], OpenwrtGenerator)


def embedded() -> Tree:
    return Tree(EmbeddedBase({
        path: FileEntry(render("openwrt-base", path, CONTEXT.render).encode())
        for path in component_paths("openwrt-base")
    }))


@REAL
def test_the_series_makes_post_from_pre_byte_for_byte() -> None:
    start = tree_of("pre")
    patches = generator().patches(start, CONTEXT)
    end = patches[-1].tree
    expected = {
        path.relative_to(DATA / "post").as_posix(): path.read_bytes()
        for path in (DATA / "post").rglob("config-*")
    }
    assert len(expected) == 6
    changed = end.changes_since(start)
    for path, data in expected.items():
        entry = end.entry(path)
        assert entry is not None and entry.data == data, path
    assert set(changed) == {path for path, data in expected.items()
                            if (DATA / "pre" / path).read_bytes() != data}
    assert [patch.subject for patch in patches] == [
        "bcm4908: enable armv8-CE crypto algorithms",
        "layerscape/armv8_64b: enable armv8-CE crypto algos",
        "mvebu/cortexa53: refresh kernel 5.10 config",
        "mvebu/cortexa53: enable armv8-CE crypto algorithms",
        "mvebu/cortexa72: refresh kernel 5.10 config",
        "mvebu/cortexa72: enable armv8-CE crypto algorithms",
        "octeontx: add armv8-CE version of CRC T10",
    ]


@REAL
def test_a_tree_that_has_the_series_needs_none() -> None:
    assert generator().patches(tree_of("post"), CONTEXT) == ()


@REAL
def test_the_refresh_moves_and_adds_and_nothing_else() -> None:
    start = tree_of("pre")
    refresh = generator().patches(start, CONTEXT)[2]
    path = "target/linux/mvebu/cortexa53/config-5.10"
    before, after = start.read(path).splitlines(), refresh.tree.read(path).splitlines()
    assert sorted(set(after) - set(before)) == [
        "CONFIG_CRYPTO_ZSTD=y", "CONFIG_MDIO_DEVRES=y", "CONFIG_XXHASH=y",
        "CONFIG_ZSTD_COMPRESS=y", "CONFIG_ZSTD_DECOMPRESS=y"]
    assert set(before) <= set(after)
    assert "ARM64" not in " ".join(set(after) - set(before))


def test_the_embedded_base_gives_the_twelve_patches() -> None:
    patches = generator().patches(embedded(), CONTEXT)
    assert [patch.subject for patch in patches] == [
        "bcm27xx/bcm2710: enable asm crypto algorithms",
        "bcm27xx/bcm2711: enable asm crypto algorithms",
        "bcm4908: enable armv8-CE crypto algorithms",
        "layerscape/armv8_64b: enable armv8-CE crypto algos",
        "mvebu/cortexa53: refresh kernel 5.10 config",
        "mvebu/cortexa53: enable armv8-CE crypto algorithms",
        "mvebu/cortexa72: refresh kernel 5.10 config",
        "mvebu/cortexa72: enable armv8-CE crypto algorithms",
        "octeontx: add armv8-CE version of CRC T10",
        "rockchip/armv8: enable armv8-CE crypto algorithms",
        "sunxi/cortexa53: refresh kernel 5.15 config",
        "sunxi/cortexa53: enable armv8-CE crypto algorithms",
    ]


def test_every_message_is_in_openwrts_style() -> None:
    for patch in generator().patches(embedded(), CONTEXT):
        assert re.fullmatch(r"[0-9a-z_/]+: [a-z].*[^.]", patch.subject), patch.subject
        assert len(patch.subject) <= 50
        assert patch.body.strip()
        assert max(map(len, patch.body.splitlines())) <= 75
        assert not re.search(r"[ \t]$", patch.body, re.M)


def added(patch_index: int) -> dict[str, list[str]]:
    tree, result = embedded(), {}
    patches = generator().patches(tree, CONTEXT)
    before = patches[patch_index - 1].tree if patch_index else tree
    after = patches[patch_index].tree
    for path in after.changes_since(before):
        old, new = before.read(path).splitlines(), after.read(path).splitlines()
        result[path.removeprefix("target/linux/")] = (
            [f"+{line}" for line in new if line not in old]
            + [f"-{line}" for line in old if line not in new])
    return result


def test_the_sunxi_refresh_drops_what_has_no_effect() -> None:
    lines = added(10)["sunxi/cortexa53/config-5.15"]
    assert lines == [
        "+CONFIG_ARCH_MHP_MEMMAP_ON_MEMORY_ENABLE=y", "+CONFIG_ARCH_WANTS_NO_INSTR=y",
        "+CONFIG_ARM64_LD_HAS_FIX_ERRATUM_843419=y", "+CONFIG_GENERIC_FIND_FIRST_BIT=y",
        "+CONFIG_NVMEM_SYSFS=y", "+# CONFIG_SUN50I_H616_CCU is not set",
        "-CONFIG_ARCH_SELECT_MEMORY_MODEL=y", "-CONFIG_ARCH_SPARSEMEM_DEFAULT=y",
        "-# CONFIG_FLATMEM_MANUAL is not set", "-CONFIG_HOLES_IN_ZONE=y",
        "-CONFIG_RTC_DRV_SUN6I=y", "-CONFIG_SPARSEMEM_MANUAL=y",
    ]


def test_both_sunxi_versions_get_the_same_symbols() -> None:
    lines = added(11)
    assert lines["sunxi/cortexa53/config-5.10"] == lines["sunxi/cortexa53/config-5.15"] == [
        f"+CONFIG_{name}=y" for name in (
            "ARM64_CRYPTO", "CRYPTO_AES_ARM64", "CRYPTO_AES_ARM64_CE", "CRYPTO_AES_ARM64_CE_BLK",
            "CRYPTO_AES_ARM64_CE_CCM", "CRYPTO_CRCT10DIF_ARM64_CE", "CRYPTO_CRYPTD",
            "CRYPTO_GHASH_ARM64_CE", "CRYPTO_SHA1_ARM64_CE", "CRYPTO_SIMD")]


def test_the_raspberry_pi_gets_neon() -> None:
    assert added(0)["bcm27xx/bcm2710/config-5.15"] == [
        f"+CONFIG_{name}=y" for name in (
            "ARM64_CRYPTO", "CRYPTO_AES_ARM64", "CRYPTO_AES_ARM64_BS",
            "CRYPTO_AES_ARM64_NEON_BLK", "CRYPTO_CRYPTD", "CRYPTO_SHA256_ARM64",
            "CRYPTO_SHA512_ARM64", "CRYPTO_SIMD")]


def test_one_kernel_version_can_be_asked_for() -> None:
    context = StepContext(CONTEXT.render, CONTEXT.identity, only_kernel="5.15")
    paths = {path for patch in generator().patches(embedded(), context)
             for path in patch.tree.changes_since(embedded())}
    assert paths and all(path.endswith("5.15") for path in paths)


def test_the_table_of_gains_fits_a_mail() -> None:
    table = generator().cover_values(embedded(), CONTEXT)["gains"]
    rows = table.splitlines()
    assert max(map(len, rows)) <= 72
    assert rows[0].split() == ["target", "kernel", "AES", "CTR", "CCM", "GCM", "SHA1", "SHA256",
                               "SHA512", "CRC-T10"]
    assert rows[1].split() == ["bcm27xx/bcm2710", "5.15", "asm", "asm", "-", "-", "-", "asm",
                               "asm", "-"]
    assert rows[-1].split() == ["5.15", "CE", "CE", "CE", "CE", "CE", "-", "-", "CE"]
    assert len(rows) == 1 + 9 + 1


def test_a_second_run_changes_nothing() -> None:
    patches = generator().patches(embedded(), CONTEXT)
    assert generator().patches(patches[-1].tree, CONTEXT) == ()


@pytest.mark.parametrize(("line", "number"), [
    ("CONFIG_CMDLINE=", 3), ("<<<<<<< HEAD", 3), ("CONFIG_USB=y\r", 3)])
def test_a_file_that_cannot_be_read_stops_the_series(line: str, number: int) -> None:
    tree = embedded()
    path = "target/linux/rockchip/armv8/config-5.10"
    lines = tree.read(path).splitlines()
    broken = tree.write(path, "\n".join([*lines[:2], line, *lines[2:]]) + "\n")
    with pytest.raises(InputError) as caught:
        generator().patches(broken, CONTEXT)
    assert (caught.value.path, caught.value.line) == (path, number)
    assert caught.value.advice


def test_a_file_shared_with_32_bit_subtargets_is_left_alone() -> None:
    tree = embedded()
    files = {"generic/config-6.1": tree.read("target/linux/generic/config-5.15"),
             "mix/config-6.1": "CONFIG_CRYPTO_SHA1=y\n",
             "mix/wide/target.mk": "ARCH:=aarch64\n", "mix/narrow/target.mk": "ARCH:=arm\n"}
    mixed = fake_tree(files)
    (shared,) = shared_files(OpenWrt(mixed))
    assert shared.path == "target/linux/mix/config-6.1"
    assert shared.stacks == ("mix/narrow", "mix/wide")
    assert generator().patches(mixed, CONTEXT) == ()


@pytest.mark.parametrize(("name", "subject"), [
    ("verylongtargetname/sub", "enable armv8-CE crypto algos"[:22]),
    ("a" * 31, "enable asm crypto"), ("a" * 34, "add asm crypto"), ("a" * 60, "add asm crypto"),
])
def test_a_long_name_gets_the_longest_subject_that_fits(name: str, subject: str) -> None:
    generic = embedded().read("target/linux/generic/config-5.10")
    tree = fake_tree({"generic/config-5.10": generic,
                      f"{name}/config-5.10": "CONFIG_64BIT=y\nCONFIG_ARM64=y\n"})
    (patch,) = generator().patches(tree, CONTEXT)
    assert patch.subject == f"{name}: {subject}"
    assert len(patch.subject) <= 50 or len(name) > 34


def test_the_planner_names_kind_and_layer() -> None:
    spec = generator()
    from patchgen.openwrt.plan import Options

    patches = compute_patches(embedded(), Options(spec.override, spec.answer))
    assert [(p.kind, p.name, p.kernels) for p in patches[-2:]] == [
        ("refresh", "sunxi/cortexa53", ("5.15",)), ("enable", "sunxi/cortexa53", ("5.10", "5.15"))]
    assert {p.choice.cpu.known for p in patches if p.choice} == {True}


def test_the_logs_of_the_series_are_the_reported_figures() -> None:
    logs = series_root() / "openwrt-arm64-ce" / "logs"
    texts = {name: (logs / f"mt7622-{name}.log").read_text() for name in ("generic", "ce")}
    for text in texts.values():
        assert len([line for line in text.splitlines() if line.startswith("test ")]) == 80
        assert len(Path(logs).name) == 4
    assert "(128 bit key, 8192 byte blocks): 2829 operations in 1 seconds" in texts["generic"]
    assert "(128 bit key, 8192 byte blocks): 69269 operations in 1 seconds" in texts["ce"]
