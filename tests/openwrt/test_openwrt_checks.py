"""Every check of the scope ``openwrt`` on its examples, and the checks on the real files."""

from __future__ import annotations

import pytest
from openwrt_data import REAL, merged_tree, tree_of

from patchgen.checks.openwrt import check_tree, fix_tree, run_example
from patchgen.checks.registry import all_checks, examples
from patchgen.errors import InputError
from patchgen.findings import Finding
from patchgen.tree import EmbeddedBase, FileEntry, Tree

CHECKS = all_checks("openwrt")
IDS = tuple(check.id for check in CHECKS)
ARM64 = "CONFIG_64BIT=y\nCONFIG_ARM64=y\n"


def of(findings: list[Finding], check: str) -> list[tuple[str, int | None, str]]:
    return [(f.file or "", f.line, f.message) for f in findings if f.check == check]


def test_the_checks_that_the_architecture_promises_exist() -> None:
    assert {
        "openwrt-lost", "openwrt-dead", "openwrt-redundant", "openwrt-order",
        "openwrt-duplicate", "openwrt-unknown-symbol", "openwrt-missing-asm",
        "openwrt-32bit-symbol", "openwrt-conflict", "openwrt-syntax",
    } <= set(IDS)


@pytest.mark.parametrize("id", IDS)
def test_bad_examples_are_found(id: str) -> None:
    paths = examples(id, "bad")
    assert paths
    for path in paths:
        findings = run_example(id, path)
        assert findings, path
        for finding in findings:
            assert finding.check == id
            assert finding.severity in ("error", "warning"), finding
            assert (finding.file or "").startswith(("target/linux/", "scripts/"))


@pytest.mark.parametrize("id", IDS)
def test_good_examples_are_clean(id: str) -> None:
    paths = examples(id, "good")
    assert paths
    for path in paths:
        assert run_example(id, path) == [], path


def test_bad_example_lines_are_exact() -> None:
    found = run_example("openwrt-syntax", examples("openwrt-syntax", "bad")[-1])
    assert [f.line for f in found] == [3]
    assert "CONFIG_CMDLINE=" in found[0].message
    assert found[0].hint is not None and '""' in found[0].hint
    conflict = [f for path in examples("openwrt-syntax", "bad")
                for f in run_example("openwrt-syntax", path) if "conflict" in f.message]
    assert [f.line for f in conflict] == [3, 5, 7]


@REAL
def test_the_mvebu_loss_is_found() -> None:
    findings, _ = check_tree(merged_tree())
    for name, last in (("cortexa53", 40), ("cortexa72", 39)):
        path = f"target/linux/mvebu/{name}/config-5.15"
        lost = [f for f in findings if f.check == "openwrt-lost" and f.file == path]
        symbols = [f.message.split("=")[0].removeprefix("CONFIG_") for f in lost
                   if f.severity == "warning"]
        assert symbols == [
            "ARM64_CRYPTO",
            "CRYPTO_AES_ARM64", "CRYPTO_AES_ARM64_CE", "CRYPTO_AES_ARM64_CE_BLK",
            "CRYPTO_AES_ARM64_CE_CCM", "CRYPTO_GHASH_ARM64_CE", "CRYPTO_SHA1_ARM64_CE",
            "CRYPTO_SHA256_ARM64", "CRYPTO_SHA2_ARM64_CE", "CRYPTO_SHA512_ARM64",
            "CRYPTO_SHA512_ARM64_CE",
        ]
        assert {f.line for f in lost if "CRYPTO_SHA" in f.message} == {last}


@REAL
def test_before_the_series_nothing_counts_as_lost() -> None:
    findings, _ = check_tree(merged_tree(layers="pre"))
    lost = [m for _, _, m in of(findings, "openwrt-lost")]
    assert not [m for m in lost if "ARM64" in m]


@REAL
def test_redundant_lines_of_layerscape_are_found() -> None:
    findings, _ = check_tree(tree_of("post"))
    path = "target/linux/layerscape/armv8_64b/config-5.10"
    found = [(line, m) for file, line, m in of(findings, "openwrt-redundant") if file == path]
    assert [line for line, _ in found] == [523, 524, 525]
    assert [m.split()[1] for _, m in found] == [
        "CONFIG_MUX_ADG792A", "CONFIG_MUX_ADGS1408", "CONFIG_MUX_GPIO"]


@REAL
def test_misplaced_lines_of_mvebu_are_found() -> None:
    findings, _ = check_tree(tree_of("pre"))
    assert of(findings, "openwrt-order") == [
        ("target/linux/mvebu/cortexa53/config-5.10", 21,
         "ARMADA_37XX_WATCHDOG is out of order: it belongs before ARMADA_AP806_SYSCON"),
        ("target/linux/mvebu/cortexa72/config-5.10", 46,
         "LEDS_IS31FL319X is out of order: it belongs before MARVELL_10G_PHY"),
    ]


@REAL
@pytest.mark.parametrize("target", ["bcm4908", "octeontx"])
def test_a_clean_real_target_has_no_finding(target: str) -> None:
    tree = tree_of("post")
    kept = {path: entry for path, entry in tree.base.files.items()  # type: ignore[attr-defined]
            if path.split("/")[2] in ("generic", target)}
    findings, _ = check_tree(EmbeddedBase(kept))
    assert findings == []


@REAL
def test_wrong_width_symbols_of_the_mvebu_target_are_found() -> None:
    findings, _ = check_tree(tree_of("post"))
    found = of(findings, "openwrt-32bit-symbol")
    assert [m.split()[0] for _, _, m in found] == [
        "ARM_CRYPTO", "CRYPTO_AES_ARM", "CRYPTO_AES_ARM_BS", "CRYPTO_SHA1_ARM",
        "CRYPTO_SHA1_ARM_NEON", "CRYPTO_SHA256_ARM", "CRYPTO_SHA512_ARM"]
    assert {file for file, _, _ in found} == {"target/linux/mvebu/config-5.10"}
    assert all("mvebu/cortexa53, mvebu/cortexa72" in m for _, _, m in found)


@REAL
def test_fixing_brings_the_lost_lines_back() -> None:
    tree = merged_tree()
    for patch in fix_tree(tree):
        for path, data in patch.files.items():
            tree = tree.write(path, data)
    findings, _ = check_tree(tree)
    assert not [f for f in findings
                if f.check in ("openwrt-lost", "openwrt-redundant", "openwrt-order")
                and f.severity == "warning"]
    assert fix_tree(tree) == ()


def sample(text: str | bytes) -> EmbeddedBase:
    data = text.encode() if isinstance(text, str) else text
    return EmbeddedBase({
        "target/linux/generic/config-6.1": FileEntry(
            b"# CONFIG_CRYPTO is not set\nCONFIG_KERNEL_MODE_NEON=y\n"),
        "target/linux/sample/config-6.1": FileEntry(data),
    })


def test_crlf_is_one_finding_and_can_be_fixed() -> None:
    base = sample(ARM64.replace("\n", "\r\n"))
    findings, _ = check_tree(base)
    assert of(findings, "openwrt-syntax") == [
        ("target/linux/sample/config-6.1", 1,
         "ends in CR LF; the build would read the CR as part of the value (2 such lines)")]
    (patch,) = fix_tree(base)
    assert patch.files == {"target/linux/sample/config-6.1": ARM64.encode()}
    assert patch.subject == "sample: refresh kernel 6.1 config"


def test_a_file_with_a_conflict_is_reported_and_left_alone() -> None:
    text = ARM64 + "<<<<<<< HEAD\nCONFIG_USB=y\n=======\nCONFIG_USB=m\n>>>>>>> x\nCONFIG_A=y\n"
    base = sample(text)
    findings, _ = check_tree(base)
    assert [line for _, line, _ in of(findings, "openwrt-syntax")] == [3, 5, 7]
    assert fix_tree(base) == ()


def test_a_large_file_is_read_to_its_end() -> None:
    lines = [f"CONFIG_OPTION_{number:06}=y\n" for number in range(95_000)]
    base = sample(ARM64 + "".join(lines) + "CONFIG_OPTION_000000=m\n")
    assert len(base.files["target/linux/sample/config-6.1"].data) > 2_000_000
    findings, _ = check_tree(base)
    assert of(findings, "openwrt-duplicate") == [
        ("target/linux/sample/config-6.1", 95_003,
         "OPTION_000000 is given with another value; line 3 has no effect")]
    (patch,) = fix_tree(base)
    fixed = patch.files["target/linux/sample/config-6.1"].decode().splitlines()
    assert len(fixed) == 95_002
    assert "CONFIG_OPTION_000000=m" in fixed


def test_a_comment_survives_a_fix() -> None:
    base = sample("CONFIG_ARM64=y\n# the LED of the front\nCONFIG_B=y\nCONFIG_A=y\n")
    (patch,) = fix_tree(base)
    assert patch.files["target/linux/sample/config-6.1"] == (
        b"CONFIG_A=y\nCONFIG_ARM64=y\n# the LED of the front\nCONFIG_B=y\n")


def test_a_tree_of_something_else_is_refused() -> None:
    with pytest.raises(InputError, match="target/linux/generic"):
        check_tree(EmbeddedBase({"Makefile": FileEntry(b"")}))


def test_kernel_limits_the_checks_to_one_version() -> None:
    base = EmbeddedBase({
        "target/linux/generic/config-6.1": FileEntry(b"CONFIG_A=y\n"),
        "target/linux/generic/config-6.6": FileEntry(b"CONFIG_A=y\n"),
        "target/linux/x/config-6.1": FileEntry(b"CONFIG_A=y\nCONFIG_ARM64=y\n"),
        "target/linux/x/config-6.6": FileEntry(b"CONFIG_A=y\nCONFIG_ARM64=y\n"),
    })
    findings, skips = check_tree(base, kernel="6.6")
    assert {f.file for f in findings} == {"target/linux/x/config-6.6"}
    assert {s.check for s in skips} == {"openwrt-kconfig-pl", "openwrt-unknown-symbol"}
    assert any("--linux" in s.reason for s in skips)


def test_a_version_without_generic_is_a_named_skip() -> None:
    base = EmbeddedBase({
        "target/linux/generic/config-6.1": FileEntry(b"CONFIG_A=y\n"),
        "target/linux/x/config-6.1": FileEntry(b"CONFIG_ARM64=y\n"),
        "target/linux/x/config-6.12": FileEntry(b"CONFIG_ARM64=y\n"),
    })
    findings, skips = check_tree(Tree(base))
    assert of(findings, "openwrt-no-generic") == [
        ("target/linux/x/config-6.12", 1, "there is no generic/config-6.12")]
    assert "target/linux/x/config-6.12" in skips[0].reason
