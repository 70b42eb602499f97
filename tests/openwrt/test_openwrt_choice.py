"""The choice rule on targets that the real data does not have."""

from __future__ import annotations

import pytest
from openwrt_data import fake_tree

from patchgen.checks.openwrt import check_tree
from patchgen.openwrt.choice import Choice, Override, choose
from patchgen.openwrt.drivers import cpu_of, driver_table, soc_table
from patchgen.openwrt.facts import facts_for
from patchgen.openwrt.layers import OpenWrt, Stack

VERSIONS = ("5.10", "5.15", "6.1", "6.6", "6.12")
BUILT_IN = [
    "CRYPTO", "CRYPTO_AEAD", "CRYPTO_AES", "CRYPTO_ALGAPI", "CRYPTO_CCM", "CRYPTO_CTR",
    "CRYPTO_GCM", "CRYPTO_GF128MUL", "CRYPTO_GHASH", "CRYPTO_HASH", "CRYPTO_LIB_AES",
    "CRYPTO_LIB_GF128MUL", "CRYPTO_MANAGER", "CRYPTO_SKCIPHER", "KERNEL_MODE_NEON",
]
OFF = [
    "ARM64_CRYPTO", "CRYPTO_CRYPTD", "CRYPTO_SIMD", "KMSAN", "CRYPTO_AES_ARM64",
    "CRYPTO_AES_ARM64_BS", "CRYPTO_AES_ARM64_CE", "CRYPTO_GHASH_ARM64_CE", "CRYPTO_SHA1",
    "CRYPTO_SHA256",
]
GENERIC = "".join(
    f"CONFIG_{n}=y\n" if n in BUILT_IN else f"# CONFIG_{n} is not set\n"
    for n in sorted(BUILT_IN + OFF)
)
CE = ["AES_ARM64", "AES_ARM64_CE", "AES_ARM64_CE_BLK", "AES_ARM64_CE_CCM", "GHASH_ARM64_CE"]
NEON = ["AES_ARM64", "AES_ARM64_BS", "AES_ARM64_NEON_BLK"]
CRC = "CONFIG_CRC_T10DIF=y\nCONFIG_CRYPTO_CRCT10DIF=y\n"


def stack(name: str, kernel: str, extra: str = "", files: dict[str, str] | None = None) -> Stack:
    layers = {f"generic/config-{kernel}": GENERIC,
              f"{name}/config-{kernel}": "CONFIG_64BIT=y\nCONFIG_ARM64=y\n" + extra}
    found = OpenWrt(fake_tree({**layers, **(files or {})})).stacks
    return next(s for s in found if s.name == name)


def chosen(name: str, kernel: str, extra: str = "", **options: object) -> Choice:
    result = choose(stack(name, kernel, extra), facts_for(kernel), **options)  # type: ignore[arg-type]
    assert result is not None
    return result


def drivers(choice: Choice) -> list[str]:
    return sorted(d.symbol.removeprefix("CRYPTO_") for d in choice.drivers)


@pytest.mark.parametrize("kernel", VERSIONS)
@pytest.mark.parametrize(("name", "extra", "expected"), [
    ("bcm27xx/bcm2710", "CONFIG_CRYPTO_SHA256=y\nCONFIG_CRYPTO_SHA512=y\n",
     [*NEON, "SHA256_ARM64", "SHA512_ARM64"]),
    ("bcm27xx/bcm2711", "CONFIG_CRYPTO_SHA1=y\n" + CRC, NEON),
    ("bcm27xx/bcm2712", "CONFIG_ARCH_BCM2835=y\n", CE),
    ("rockchip/armv8", CRC, [*CE, "CRCT10DIF_ARM64_CE"]),
    ("sunxi/cortexa53", CRC + "CONFIG_CRYPTO_SHA1=y\n",
     [*CE, "CRCT10DIF_ARM64_CE", "SHA1_ARM64_CE"]),
    ("mediatek/mt7622", "CONFIG_CRYPTO_SHA256=y\n", [*CE, "SHA256_ARM64", "SHA2_ARM64_CE"]),
    ("mediatek/filogic", "", CE),
    ("qualcommax/ipq807x", "CONFIG_CRYPTO_SHA512=y\n", [*CE, "SHA512_ARM64"]),
    ("ipq807x/generic", "", CE),
    ("armsr/armv8", "CONFIG_CRYPTO_SHA512=y\n", [*CE, "SHA512_ARM64", "SHA512_ARM64_CE"]),
    ("armvirt/64", "CONFIG_CRYPTO_CHACHA20=m\n", CE),
    ("layerscape/armv8_64b", "CONFIG_CRYPTO_SHA256=m\n", CE),
    ("newboard/generic", "", CE),
    ("newpi/generic", "CONFIG_ARCH_BCM2835=y\n", NEON),
])
def test_each_target_gets_what_its_cpu_can(
    kernel: str, name: str, extra: str, expected: list[str]
) -> None:
    assert drivers(chosen(name, kernel, extra)) == sorted(expected)


@pytest.mark.parametrize(("kernel", "along"), [
    ("5.10", ["ARM64_CRYPTO", "CRYPTO_CRYPTD", "CRYPTO_SIMD"]),
    ("5.15", ["ARM64_CRYPTO", "CRYPTO_CRYPTD", "CRYPTO_SIMD"]),
    ("6.1", []), ("6.6", []), ("6.12", []),
])
def test_what_comes_along_follows_the_version(kernel: str, along: list[str]) -> None:
    choice = chosen("rockchip/armv8", kernel)
    assert sorted([*choice.gates, *choice.dependencies]) == along


def test_nothing_is_written_that_a_layer_has() -> None:
    choice = chosen("rockchip/armv8", "5.10", "CONFIG_ARM64_CRYPTO=y\nCONFIG_CRYPTO_CRYPTD=y\n"
                    "CONFIG_CRYPTO_SIMD=y\nCONFIG_CRYPTO_AES_ARM64=y\n")
    assert list(choice.additions) == [
        "CRYPTO_AES_ARM64_CE", "CRYPTO_AES_ARM64_CE_BLK", "CRYPTO_AES_ARM64_CE_CCM",
        "CRYPTO_GHASH_ARM64_CE"]
    assert set(choice.additions.values()) == {"y"}


def test_a_module_is_not_built_in() -> None:
    choice = chosen("rockchip/armv8", "6.1", "CONFIG_CRYPTO_AES_ARM64=m\n")
    assert "CRYPTO_AES_ARM64" in choice.additions


def test_a_driver_whose_dependency_is_off_is_left_out_with_the_reason() -> None:
    choice = chosen("rockchip/armv8", "6.1", "CONFIG_CRYPTO_CRCT10DIF=y\n"
                    "# CONFIG_CRC_T10DIF is not set\n")
    assert "CRYPTO_CRCT10DIF_ARM64_CE" not in choice.additions
    (left,) = choice.left_out
    assert left.driver.symbol == "CRYPTO_CRCT10DIF_ARM64_CE"
    assert left.reason == "CRC_T10DIF is not set"


def test_an_override_holds_only_under_its_condition() -> None:
    override = Override("sample", ("rockchip/*",), ("CRYPTO_SHA512_ARM64_CE",), "because",
                        ("CRYPTO_SHA512_ARM",))
    without = chosen("rockchip/armv8", "6.1", overrides=[override])
    assert without.overrides == ()
    assert "CRYPTO_SHA512_ARM64_CE" not in without.additions
    held = chosen("rockchip/armv8", "6.1", "CONFIG_CRYPTO_SHA512_ARM=y\n", overrides=[override])
    assert held.overrides == (override,)
    assert {"CRYPTO_SHA512_ARM64", "CRYPTO_SHA512_ARM64_CE"} <= held.additions.keys()
    assert held.dependencies == ("CRYPTO_SHA512_ARM64",)


def test_other_architectures_get_nothing() -> None:
    files = {"generic/config-6.1": GENERIC, "ath79/config-6.1": "CONFIG_MIPS=y\n"}
    (mips,) = OpenWrt(fake_tree(files)).stacks
    assert mips.arch == "mips"
    assert choose(mips, facts_for("6.1")) is None


def test_the_makefile_names_core_and_architecture() -> None:
    found = stack("newboard/v", "6.6", files={
        "newboard/Makefile": "ARCH:=aarch64\nSUBTARGETS:=v w\n",
        "newboard/v/target.mk": "CPU_TYPE:=neoverse-v1\n",
        "newboard/w/target.mk": "CPU_TYPE:=cortex-a55\n",
    })
    assert "sha512" in cpu_of(found).features
    assert found.get("SUBTARGETS") == "v w"
    files = {"generic/config-6.6": GENERIC, "b/Makefile": "ARCH:=aarch64\n",
             "b/config-6.6": "CONFIG_A=y\n"}
    (by_makefile,) = OpenWrt(fake_tree(files)).stacks
    assert by_makefile.arch == "arm64"
    assert not cpu_of(by_makefile).known


def test_config_default_stands_in_for_a_missing_version() -> None:
    files = {"generic/config-6.1": GENERIC, "generic/config-6.6": GENERIC,
             "q/config-6.6": "CONFIG_ARM64=y\n", "q/one/config-default": "CONFIG_B=y\n"}
    (found,) = OpenWrt(fake_tree(files)).stacks
    assert found.kernel == "6.6"
    assert [layer.path.removeprefix("target/linux/") for layer in found.layers] == [
        "generic/config-6.6", "q/config-6.6", "q/one/config-default"]
    layer = found.layer_of("ARM64")
    assert layer is not None and layer.name == "q"


def test_the_tables_are_consistent() -> None:
    table = driver_table()
    symbols = [driver.symbol for driver in table.driver]
    assert len(symbols) == len(set(symbols))
    features = {feature for has in soc_table().features.values() for feature in has}
    for driver in table.driver:
        assert set(driver.needs) <= features, driver
        assert set(driver.superseded_by) <= set(symbols), driver
        known = [v for v in VERSIONS if facts_for(v).exists(driver.symbol)]
        assert known, driver.symbol
        for version in known:
            assert any(facts_for(version).exists(c) for c in driver.accelerates), driver
    for row in soc_table().soc:
        assert row.has in soc_table().features
        assert sum(map(bool, (row.target, row.symbol, row.cpu))) == 1, row


def test_every_arm64_driver_of_the_newest_facts_is_in_the_table() -> None:
    listed = {driver.symbol for driver in driver_table().driver}
    for version in VERSIONS:
        table = facts_for(version)
        for name in table.symbols:
            if "_ARM64" in name and name.startswith("CRYPTO_") and table.has_prompt(name):
                known = listed | {"CRYPTO_SM4_ARM64_CE_CCM", "CRYPTO_SM4_ARM64_CE_GCM"}
                assert name in known, (version, name)


def test_a_subtarget_without_a_file_for_the_next_kernel_still_has_a_stack() -> None:
    files = {"generic/config-6.1": GENERIC, "generic/config-6.6": GENERIC,
             "q/config-6.1": "CONFIG_B=y\n", "q/config-6.6": "CONFIG_B=y\n",
             "q/one/config-6.1": "CONFIG_ARM64=y\nCONFIG_C=y\n"}
    tree = fake_tree(files)
    assert [(s.kernel, s.top.name) for s in OpenWrt(tree).stacks] == [
        ("6.1", "q/one"), ("6.6", "q")]
    findings, _ = check_tree(tree)
    (lost,) = [f for f in findings if f.check == "openwrt-lost"]
    assert lost.file == "target/linux/q/config-6.6"
    assert "ARM64, C" in lost.message
