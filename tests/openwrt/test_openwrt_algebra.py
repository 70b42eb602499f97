"""The operators of kconfig.pl: the table of their semantics, and what follows from it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openwrt_data import DATA, REAL

from patchgen.errors import InputError
from patchgen.openwrt import algebra as op
from patchgen.openwrt.config import Value, format_values
from patchgen.openwrt.perl import SCRIPT, run_script

VALUES: st.SearchStrategy[Value] = st.sampled_from([None, "y", "m", "n", "14"])
CONFIGS = st.dictionaries(st.sampled_from(["A", "A2", "AB", "B", "C_D", "E"]), VALUES)


@pytest.mark.parametrize(("left", "right", "merged"), [
    ("y", "m", "m"), ("y", None, None), (None, "y", "y"), ("m", None, None), ("5", "6", "6"),
])
def test_overlay(left: Value, right: Value, merged: Value) -> None:
    assert op.overlay({"X": left}, {"X": right}) == {"X": merged}


@pytest.mark.parametrize(("left", "right", "merged"), [
    ("y", "m", "y"), ("y", None, "y"), ("m", None, "m"), ("m", "y", "y"), (None, "m", "m"),
    ("5", "6", "6"), (None, None, None),
])
def test_module_merge(left: Value, right: Value, merged: Value) -> None:
    assert op.module_merge({"X": left}, {"X": right}) == {"X": merged}


def test_delta_ignores_what_only_the_left_has() -> None:
    assert op.delta({"A": "y", "B": "y"}, {"B": "y", "C": None, "D": "m"}) == {"C": None, "D": "m"}


def test_delta_plus_omits_new_symbols_that_are_not_set() -> None:
    left: dict[str, Value] = {"A": "y"}
    assert op.delta_plus(left, {"A": None, "B": None, "C": "n"}) == {"A": None, "C": "n"}


def test_subtraction_reads_patterns_for_whole_names() -> None:
    left: dict[str, Value] = dict.fromkeys(
        ["AS_VERSION", "BASE", "HAVE_SMP", "HAVE_SMP_X", "HAVE_CLK", "CC_HAS_X", "CC_HAVE"], "y")
    right: dict[str, Value] = {"AS_.*": None, "HAVE_(?!(SMP)).*": "y", "CC_(HAS|IS)_.*": "m"}
    assert sorted(op.subtract(left, right)) == ["BASE", "CC_HAVE", "HAVE_SMP", "HAVE_SMP_X"]


def test_common_needs_equal_values() -> None:
    assert op.common({"A": "y", "B": "m"}, {"A": "y", "B": "y", "C": "y"}) == {"A": "y"}


def test_a_bad_pattern_is_named() -> None:
    with pytest.raises(InputError, match=r"'\(\.\*' is not a regular expression"):
        op.subtract({"A": "y"}, {"(.*": None})


def test_loading_drops_what_the_script_drops() -> None:
    text = "CONFIG_A=y\nCONFIG_B=\nnonsense\n# a comment\n# CONFIG_C is not set\nCONFIG_D=n\n"
    assert op.load(text) == {"A": "y", "C": None, "D": "n"}
    assert op.load("A=y\n# B is not set\n", prefix="") == {"A": "y", "B": None}


def test_the_right_side_of_a_module_merge_keeps_an_earlier_y() -> None:
    text = "CONFIG_A=y\nCONFIG_A=m\n"
    assert op.load(text) == {"A": "m"}
    assert op.load(text, module_plus=True) == {"A": "y"}
    files = {"a": "# CONFIG_A is not set\n", "b": text}
    assert op.evaluate(["m+", "a", "b"], files.__getitem__) == {"A": "y"}


def test_expressions_are_in_prefix_notation() -> None:
    files = {"g": "CONFIG_A=y\n# CONFIG_B is not set\n", "t": "CONFIG_B=m\n", "s": "CONFIG_C=y\n",
             "f": "# CONFIG_C is not set\n"}
    assert op.evaluate(["-", ">", "g", "+", "+", "g", "t", "s", "f"], files.__getitem__) == {
        "B": "m"}


@pytest.mark.parametrize("words", [["+", "a"], [], ["a", "a"], ["+", "a", "a", "a"]])
def test_broken_expressions_are_refused(words: list[str]) -> None:
    with pytest.raises(InputError, match=r"ends early|left over"):
        op.evaluate(words, lambda _: "CONFIG_A=y\n")


@given(CONFIGS, CONFIGS, CONFIGS)
def test_overlay_is_associative(
    a: dict[str, Value], b: dict[str, Value], c: dict[str, Value]
) -> None:
    assert op.overlay(op.overlay(a, b), c) == op.overlay(a, op.overlay(b, c))


@given(CONFIGS, CONFIGS)
def test_a_delta_on_its_base_gives_the_merge(a: dict[str, Value], b: dict[str, Value]) -> None:
    assert op.overlay(a, op.delta(a, op.overlay(a, b))) == op.overlay(a, b)


@given(CONFIGS, CONFIGS)
def test_a_delta_holds_nothing_needless(a: dict[str, Value], b: dict[str, Value]) -> None:
    assert op.common(a, op.delta(a, b)) == {}
    assert op.delta(a, op.overlay(a, op.common(a, b))) == {}


@given(CONFIGS, CONFIGS)
def test_a_module_merge_never_lowers(a: dict[str, Value], b: dict[str, Value]) -> None:
    merged = op.module_merge(a, b)
    assert merged.keys() == a.keys() | b.keys()
    for name, value in merged.items():
        if a.get(name) == "y":
            assert value == "y"
        if a.get(name) is not None:
            assert value is not None


@given(CONFIGS, CONFIGS, CONFIGS)
def test_the_fixed_point_is_one(
    below: dict[str, Value], layer: dict[str, Value], filter_: dict[str, Value]
) -> None:
    once = op.fixed_point(below, layer, filter_)
    assert op.fixed_point(below, once, filter_) == once
    assert not once.keys() & filter_.keys()
    unfiltered = op.overlay(below, once)
    for name in (op.overlay(below, layer)).keys() - filter_.keys():
        assert unfiltered[name] == op.overlay(below, layer)[name]


@REAL
@pytest.mark.parametrize(("path", "surplus"), [
    ("octeontx", []), ("bcm4908", []), ("mvebu/cortexa53", []), ("mvebu/cortexa72", []),
    ("layerscape/armv8_64b", ["MUX_ADG792A", "MUX_ADGS1408", "MUX_GPIO"]),
    ("mvebu", ["CRYPTO_ACOMP2", "CRYPTO_NULL", "NVME_TCP"]),
])
def test_the_real_layers_are_at_the_fixed_point(path: str, surplus: list[str]) -> None:
    def read(name: str) -> str:
        return (DATA / name).read_text()

    below = op.load(read("pre/target/linux/generic/config-5.10"))
    if path.startswith("mvebu/"):
        below = op.overlay(below, op.load(read("post/target/linux/mvebu/config-5.10")))
    layer = op.load(read(f"post/target/linux/{path}/config-5.10"))
    filter_ = op.load(read("pre/target/linux/generic/config-filter"))
    assert sorted(layer.keys() - op.fixed_point(below, layer, filter_).keys()) == surplus


TREE = Path(os.environ.get("PATCHGEN_OPENWRT_TREE", ""))
HAVE_SCRIPT = bool(os.environ.get("PATCHGEN_OPENWRT_TREE")) and (TREE / SCRIPT).is_file()


@pytest.mark.skipif(not HAVE_SCRIPT or shutil.which("perl") is None,
                    reason="PATCHGEN_OPENWRT_TREE names no OpenWrt checkout, or no perl")
@given(CONFIGS, CONFIGS, st.sampled_from(["+", "m+", ">", ">+", "-", "&"]))
def test_the_script_itself_agrees(
    tmp_path_factory: pytest.TempPathFactory, a: dict[str, Value], b: dict[str, Value], word: str
) -> None:
    folder = tmp_path_factory.mktemp("script")
    (folder / "a").write_bytes(format_values(a))
    (folder / "b").write_bytes(format_values(b))
    words = (word, "a", "b")
    expected = op.evaluate(words, lambda name: (folder / name).read_text())
    assert run_script(TREE / SCRIPT, words, folder) == format_values(expected)
