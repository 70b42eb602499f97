"""The driver as text, in every state a patch of the series leaves it in."""

from __future__ import annotations

import itertools
import os
import re
import sys
from pathlib import Path

import pytest
from engine_harness import ALL_FEATURES, function, rendered

from patchgen.process import have_tool, run
from patchgen.profiles import profile_for
from patchgen.render import RenderContext, component_paths, features_of, render

KERNELS = ("6.1", "6.12")
STATES = tuple(
    frozenset(names)
    for count in range(3)
    for names in itertools.combinations(sorted(ALL_FEATURES), count)
)
BINDING = "Documentation/devicetree/bindings/crypto/realtek,rtl8380-crypto.yaml"

everywhere = pytest.mark.parametrize(
    ("kernel", "features"), list(itertools.product(KERNELS, STATES)),
    ids=lambda value: value if isinstance(value, str) else "+".join(sorted(value)) or "core",
)


def driver_files(kernel: str, features: frozenset[str]) -> dict[str, str]:
    """The files that exist in a state, with their text."""
    names = ["Makefile", "realtek_crypto.h", "realtek_crypto.c"]
    names += ["realtek_crypto_ahash.c"] * ("realtek.hash" in features)
    names += ["realtek_crypto_skcipher.c"] * ("realtek.skcipher" in features)
    return {name: rendered(name, kernel, features) for name in names}


def code(text: str) -> str:
    """The text without comments and strings."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)


def global_functions(files: dict[str, str]) -> set[str]:
    found: set[str] = set()
    for name, text in files.items():
        if name.endswith(".c"):
            found |= set(re.findall(r"^(?!static)[a-z][\w ]*[ *](rtce_\w+)\([^;]*?\)\n{",
                                    code(text), re.M | re.S))
    return found


@everywhere
def test_prototypes_and_functions_agree(kernel: str, features: frozenset[str]):
    files = driver_files(kernel, features)
    declared = set(re.findall(r"^[a-z][\w ]*[ *](rtce_\w+)\([^{]*?\);",
                              code(files["realtek_crypto.h"]), re.M | re.S))
    assert declared == global_functions(files)
    assert {"rtce_get", "rtce_submit", "rtce_unmap"} <= declared
    for family in ("ahash", "skcipher"):
        there = f"realtek.{family.removeprefix('a')}" in features
        assert (f"rtce_register_{family}{'es' if family == 'ahash' else 's'}" in declared) == there


@everywhere
def test_every_static_function_and_label_is_used(kernel: str, features: frozenset[str]):
    for name, text in driver_files(kernel, features).items():
        plain = code(text)
        for defined in re.findall(r"^static [\w ]*[ *](rtce_\w+)\(", plain, re.M):
            assert len(re.findall(rf"\b{defined}\b", plain)) >= 2, (name, defined)
        for label in re.findall(r"^(\w+):$", plain, re.M):
            assert f"goto {label};" in plain, (name, label)


@everywhere
def test_objects_have_sources(kernel: str, features: frozenset[str]):
    files = driver_files(kernel, features)
    objects = re.findall(r"\b(realtek\w+)\.o", files["Makefile"])
    assert sorted(f"{name}.c" for name in objects) == sorted(n for n in files if n.endswith(".c"))


FORBIDDEN = {
    "virt_to_phys": "D8", "sg_virt": "D8", "sg_dma_len": "D9", "DMA_BIDIRECTIONAL": "D11",
    "wait_event": "D12", "msleep": "D12", "wait_event_interruptible": "D12", "kfree": "D20",
    "iounmap": "D20", "IS_ERR_OR_NULL": "D21", "irq_of_parse_and_map": "D21",
    "phys_addr_t": "D41", "extern": "D43", "dma_map_sg": "D2", "ktime_get": "-", "spin_lock": "D14",
    "tasklet_schedule": "-", "readl": "the model takes over ioread32",
    "writel": "the model takes over iowrite32",
}


@everywhere
def test_nothing_that_the_review_of_v3_objected_to(kernel: str, features: frozenset[str]):
    for name, text in driver_files(kernel, features).items():
        used = set(re.findall(r"\b[A-Za-z_]\w*\b", code(text)))
        assert not used & FORBIDDEN.keys(), name
        assert "descripter" not in text and "dsec" not in text


@pytest.mark.parametrize("kernel", KERNELS)
def test_only_the_queue_thread_waits(kernel: str):
    files = driver_files(kernel, ALL_FEATURES)
    waiting = {"rtce_chan_get", "rtce_unpublish", "rtce_start"}
    for text in files.values():
        plain = code(text)
        for body in re.findall(r"^[a-z][^\n;]*\b(rtce_\w+)\([^;{]*?\)\n{(.*?)^}", plain,
                               re.M | re.S):
            sleeps = re.search(r"\b(wait_\w+|fsleep|usleep_range|synchronize_rcu)\(", body[1])
            assert not sleeps or body[0] in waiting, body[0]
    callers = [
        name
        for text in files.values()
        for name, body in re.findall(r"^[a-z][^\n;]*\b(rtce_\w+)\([^;{]*?\)\n{(.*?)^}",
                                     code(text), re.M | re.S)
        if "rtce_chan_get(" in body
    ]
    assert sorted(callers) == ["rtce_ahash_do_one", "rtce_skcipher_do_one"]


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_mapping_is_checked(kernel: str):
    core = code(rendered("realtek_crypto.c", kernel))
    maps = re.findall(r"(\S+) = dma_map_page\([^;]*?;\n\t+if \(dma_mapping_error\(dev, (\S+)\)\) {"
                      r"\n\t+rtce_unmap\(chan\);", core)
    assert maps == [("seg->addr", "seg->addr"), ("addr", "addr")]
    assert core.count("dma_map_") == len(maps), "mappings elsewhere"


def macro(source: str, name: str) -> int:
    """The value of a numeric macro."""
    text = re.search(rf"^#define {name}\s+(.*?)(?:\s*/\*.*)?$", source, re.M)
    assert text, name
    expression = re.sub(r"RTCE_\w+", lambda other: str(macro(source, other[0])), text[1])
    expression = re.sub(r"BIT\((\d+)\)", r"(1 << \1)", expression)
    expression = re.sub(r"GENMASK\((\d+), (\d+)\)", r"((2 << \1) - (1 << \2))", expression)
    return int(eval(expression))


@pytest.mark.parametrize("kernel", KERNELS)
def test_numbers_of_the_data_sheet(kernel: str):
    text = "".join(driver_files(kernel, ALL_FEATURES).values())
    assert macro(text, "RTCE_MAX_SEGS") == 8
    assert macro(text, "RTCE_CIPHER_SEGS") + 3 == macro(text, "RTCE_HASH_SEGS") + 2 == 8
    assert macro(text, "RTCE_CHANNELS") == macro(text, "RTCE_DST_SLOTS") - 1 == 15
    busy = macro(text, "RTCE_CHANNELS") * macro(text, "RTCE_MAX_SEGS")
    assert busy < macro(text, "RTCE_SRC_SLOTS")
    assert macro(text, "RTCE_CIPHER_MAX") == 16368 and 16368 % 16 == 0
    assert macro(text, "RTCE_HASH_MAX") == 16320 and 16320 % 64 == 0
    assert macro(text, "RTCE_DESC_LEN") == 16383
    assert macro(text, "RTCE_BOUNCE_SIZE") % 16 == 0
    assert macro(text, "RTCE_HASH_PAD_SIZE") == 72
    assert macro(text, "RTCE_INT_ALL") == 0xF800
    assert (macro(text, "RTCE_AES_MIN_SIZE"), macro(text, "RTCE_SHA1_MIN_SIZE")) == (256, 1024)
    assert macro(text, "RTCE_MD5_MIN_SIZE") == 2**32 - 1
    for name, value in (("RTCE_SRC_FIRST", 1 << 29), ("RTCE_SRC_MODE", 3 << 26),
                        ("RTCE_SRC_KEY_USE", 7 << 23), ("RTCE_SRC_AES_KEY", 3 << 21),
                        ("RTCE_SRC_CBC", 1 << 19), ("RTCE_SRC_CTR", 1 << 18),
                        ("RTCE_SRC_MD5", 1 << 16), ("RTCE_CTRL_CLOCK", 1 << 6)):
        assert macro(text, name) == value, name


@pytest.mark.parametrize("kernel", KERNELS)
def test_descriptors_have_typed_fields_and_pinned_sizes(kernel: str):
    header = rendered("realtek_crypto.h", kernel)
    for name, size in (("rtce_src_desc", 16), ("rtce_dst_desc", 32)):
        body = re.search(rf"^struct {name} {{\n(.*?)^}};", header, re.M | re.S)
        assert body
        fields = re.findall(r"\t(\w+) (\w+)(?:\[(\w+)\])?;", body[1])
        assert {kind for kind, *_ in fields} <= {"__be32", "u8"}
        assert sum(4 if kind == "__be32" else macro(header, count)
                   for kind, _, count in fields) == size
        assert f"static_assert(sizeof(struct {name}) == {size});" in header


@pytest.mark.parametrize("kernel", KERNELS)
def test_algorithms_are_declared_as_the_kernel_wants_them(kernel: str):
    files = driver_files(kernel, ALL_FEATURES)
    found = {}
    for text in (files["realtek_crypto_ahash.c"], files["realtek_crypto_skcipher.c"]):
        for entry in re.findall(r"^\t{\n(.*?)^\t},\n", text, re.M | re.S):
            fields = dict(re.findall(r"\.(\w+) = ([^\n]*?),?\n", entry))
            flags = re.search(r"cra_flags = (.*?),\n", entry, re.S)
            assert flags
            assert set(re.findall(r"CRYPTO_ALG_(\w+)", flags[1])) == {
                "ASYNC", "KERN_DRIVER_ONLY", "NEED_FALLBACK"}
            found[fields["cra_name"].strip('"')] = fields
    assert sorted(found) == ["cbc(aes)", "ctr(aes)", "ecb(aes)", "md5", "sha1"]
    assert [found[f"{m}(aes)"].get("ivsize") for m in ("ecb", "cbc", "ctr")] == [
        None, "AES_BLOCK_SIZE", "AES_BLOCK_SIZE"]
    assert found["ctr(aes)"]["cra_blocksize"] == "1"
    assert found["ctr(aes)"]["chunksize"] == "AES_BLOCK_SIZE"
    assert found["md5"]["cra_priority"] == "RTCE_MD5_PRIORITY"
    assert macro(files["realtek_crypto_ahash.c"], "RTCE_MD5_PRIORITY") == 101
    assert found["sha1"]["cra_priority"] == "300"
    assert found["md5"]["statesize"] == "sizeof(struct md5_state)"
    assert found["sha1"]["statesize"] == "sizeof(struct sha1_state)"


def test_the_two_kernels_differ_where_their_interfaces_do():
    old, new = (driver_files(kernel, ALL_FEATURES) for kernel in KERNELS)
    for name in ("realtek_crypto_ahash.c", "realtek_crypto_skcipher.c"):
        assert "struct crypto_engine_ctx enginectx;" in old[name]
        assert "crypto_engine_register_" not in old[name] and "asm/unaligned.h" in old[name]
        assert "enginectx" not in new[name] and "_engine_alg rtce_" in new[name]
        assert "crypto_engine_register_" in new[name] and "linux/unaligned.h" in new[name]
        context = re.search(r"^struct rtce_\w+_ctx {\n(.*?)\n", old[name], re.M)
        assert context and context[1] == "\tstruct crypto_engine_ctx enginectx;"
    assert "static int rtce_remove(" in old["realtek_crypto.c"]
    assert "static void rtce_remove(" in new["realtek_crypto.c"]
    assert old["realtek_crypto.h"] == new["realtek_crypto.h"]
    assert old["Makefile"] == new["Makefile"]


@pytest.mark.parametrize("kernel", KERNELS)
def test_probe_and_remove_take_back_in_reverse(kernel: str):
    core = rendered("realtek_crypto.c", kernel)
    probe, remove = function(core, "rtce_probe"), function(core, "rtce_remove")
    wanted = ["devm_kzalloc", "ioremap_resource", "platform_get_irq", "dma_set_mask", "rtce_alloc(",
              "devm_add_action_or_reset", "rtce_start(", "devm_request_threaded_irq",
              "crypto_engine_alloc_init", "crypto_engine_start", "rtce_publish", "rtce_register("]
    places = [probe.index(name) for name in wanted]
    assert places == sorted(places)
    assert remove.index("rtce_unpublish(") < remove.index("crypto_engine_exit(")
    stop = function(core, "rtce_exit")
    assert stop.index("platform_driver_unregister") < stop.index("rtce_unregister(")


def test_the_request_of_the_fallback_comes_last():
    for name, kind in (("ahash", "ahash"), ("skcipher", "skcipher")):
        text = rendered(f"realtek_crypto_{name}.c")
        body = re.search(rf"^struct rtce_{kind}_reqctx {{\n(.*?)^}};", text, re.M | re.S)
        assert body and body[1].splitlines()[-1] == f"\tstruct {kind}_request fallback_req;"


def test_thresholds_can_change_at_run_time():
    for name, count in (("ahash", 2), ("skcipher", 1)):
        text = rendered(f"realtek_crypto_{name}.c")
        params = re.findall(r"module_param\((\w+), uint, 0644\);", text)
        assert len(params) == count
        for param in params:
            assert f"READ_ONCE({param})" in text
            assert re.search(rf"MODULE_PARM_DESC\({param},\n.*\[default=\"\n.*__stringify\(RTCE_",
                             text)


def test_features_are_those_of_the_series():
    features = frozenset().union(
        *(features_of("realtek", path) for path in component_paths("realtek")))
    assert features == ALL_FEATURES


def binding(**params: object) -> str:
    return render("realtek", BINDING, RenderContext(profile_for("6.12"), params=params))


def test_binding_names_the_maintainer_of_the_series():
    text = binding(maintainer="Ada Lovelace <ada@example.org>")
    assert "maintainers:\n  - Ada Lovelace <ada@example.org>\n" in text
    assert "author@example.org" in binding()


COMPATIBLES = {
    '"realtek,rtl8380-crypto"': True,
    '"realtek,rtl9301-crypto", "realtek,rtl8380-crypto"': True,
    '"realtek,rtl9301-crypto"': False,
    '"realtek,realtek-crypto"': False,
    '"realtek,rtl8380-crypto", "realtek,rtl9301-crypto"': False,
}


def test_binding_accepts_only_soc_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    if not have_tool("dt-mk-schema") or not have_tool("dtc"):
        pytest.skip("no dtschema or dtc; pip install 'patchgen[dt]'")
    example = re.search(r"^examples:\n  - \|\n(.*)", binding(), re.M | re.S)
    assert example
    nodes = [
        re.sub(r"compatible = .*?;", f"compatible = {compatible};", example[1])
        .replace("crypto@c000", f"crypto@{number}000").replace("<0xc000", f"<0x{number}000")
        for number, compatible in enumerate(COMPATIBLES, 1)
    ]
    (tmp_path / "binding.yaml").write_text(binding(), "utf-8")
    (tmp_path / "nodes.dts").write_text(
        "/dts-v1/;\n/ { #address-cells = <1>; #size-cells = <1>; interrupt-parent = <&ic>;\n"
        "ic: ic { interrupt-controller; #address-cells = <0>; #interrupt-cells = <2>; };\n"
        f"{''.join(nodes)}\n}};\n", "utf-8")
    schema = run(["dt-mk-schema", "-j", "binding.yaml"], timeout=60, cwd=tmp_path)
    (tmp_path / "schema.json").write_bytes(schema.stdout)
    run(["dtc", "-O", "dtb", "-o", "nodes.dtb", "nodes.dts"], timeout=60, cwd=tmp_path)
    verdict = run(["dt-validate", "-m", "-s", "schema.json", "nodes.dtb"], timeout=60,
                  cwd=tmp_path, check=False)
    said = verdict.text + verdict.error_text
    assert {compatible: f"crypto@{number}000" not in said
            for number, compatible in enumerate(COMPATIBLES, 1)} == COMPATIBLES, said
