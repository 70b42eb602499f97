"""Reading Kconfig, evaluating it, and the facts distilled from it."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openwrt_data import fake_tree

from patchgen.errors import InputError, MissingError
from patchgen.openwrt import facts
from patchgen.openwrt.distil import Between, distil
from patchgen.openwrt.evaluate import Evaluator
from patchgen.openwrt.expr import (
    ExpressionError,
    Interval,
    evaluate,
    parse,
    required_symbols,
    symbols_of,
)
from patchgen.openwrt.facts import facts_for, nearest_version
from patchgen.openwrt.kconfig import read_linux, statements
from patchgen.openwrt.layers import OpenWrt
from patchgen.openwrt.linux import LinuxTables
from patchgen.openwrt.refresh import refresh
from patchgen.openwrt.symbols import Definition, SymbolTable


def value_of(text: str, **symbols: str) -> Interval:
    numbers = {name: "nmy".index(value) for name, value in symbols.items()}
    return evaluate(
        parse(text),
        lambda n: Interval(numbers[n], numbers[n]) if n in numbers else Interval(0, 2),
        lambda n: symbols.get(n),
    )


@pytest.mark.parametrize(("text", "low", "high"), [
    ("Y", 2, 2), ("N", 0, 0), ("!N", 2, 2), ("!M", 1, 1), ("Y && M", 1, 1), ("N || M", 1, 1),
    ("!(Y && N) && Y", 2, 2), ("Y=y", 2, 2), ("Y!=y", 0, 0), ("M=m && Y", 2, 2),
    ("UNTOLD", 0, 2), ("UNTOLD && N", 0, 0), ("UNTOLD || Y", 2, 2), ("!UNTOLD && M", 0, 1),
    ("$(cc-option,-mfoo)", 0, 2), ("$(success,test (a) b) || Y", 2, 2), ("y && Y", 2, 2),
])
def test_expressions(text: str, low: int, high: int) -> None:
    assert value_of(text, Y="y", M="m", N="n") == (low, high)


@pytest.mark.parametrize("text", ["A &&", "(A", "A B", "&& A", "A ~ B", "$(open", "!"])
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse(text)


def test_numbers_compare_as_numbers() -> None:
    assert evaluate(parse("A >= 9"), lambda _: Interval(0, 2),
                    lambda n: {"A": "10", "9": "9"}[n]) == (2, 2)


def test_required_symbols_are_the_conjuncts() -> None:
    assert required_symbols(parse("A && (B || C) && !D && E")) == ("A", "E")
    assert symbols_of(parse("A && (B || C=y) && !D && \"x\" = E")) == frozenset("ABCDE")


EXPRESSIONS = st.recursive(
    st.sampled_from(["A", "B", "C"]),
    lambda inner: st.one_of(
        inner.map(lambda t: f"!({t})"),
        st.tuples(inner, st.sampled_from(["&&", "||"]), inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS, st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))
def test_an_interval_always_holds_the_true_value(text: str, a: int, b: int, c: int) -> None:
    exact = {"A": a, "B": b, "C": c}
    known = evaluate(parse(text), lambda n: Interval(exact[n], exact[n]), lambda _: None)
    assert known.certain
    vague = evaluate(parse(text), lambda n: Interval(0, 2) if n == "A" else
                     Interval(exact[n], exact[n]), lambda _: None)
    assert vague.low <= known.low <= known.high <= vague.high


def test_statements_leave_out_help_and_comments() -> None:
    text = (
        "config A # trailing\n\tbool \"a # b\"\n\tdepends on B && \\\n\t\tC\n\thelp\n"
        "\t  config NOT_ONE\n\n\t  more help\n# comment\nconfig D\n\tdef_bool $(shell,x # y)\n"
    )
    assert list(statements(text)) == [
        (1, "config A"), (2, 'bool "a # b"'), (3, "depends on B &&  \t\tC"), (10, "config D"),
        (11, "def_bool $(shell,x # y)"),
    ]


FILES = {
    "Makefile": "VERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 0\n",
    "Kconfig": 'mainmenu "Linux/$(ARCH)"\nsource "arch/$(SRCARCH)/Kconfig"\n'
               'source "drivers/Kconfig"\n',
    "arch/arm64/Kconfig": "config ARM64\n\tdef_bool y\n\tselect HELPER if WANTED\n",
    "arch/arm/Kconfig": "config ARM\n\tdef_bool y\nconfig CPU_V7\n\tbool\n",
    "drivers/Kconfig": (
        "config HELPER\n\tbool\n"
        "menuconfig RTC\n\tbool \"Clocks\"\n"
        "if RTC\n"
        "config RTC_ONE\n\ttristate \"One\"\n\tdepends on ARM64 || COMPILE\n\tselect HELPER\n"
        "endif\n"
        "menu \"More\"\n\tdepends on ARM64\n\tvisible if RTC\n"
        "config WANTED\n\tbool \"Wanted\" if ARM64\n\tdefault y if RTC\n"
        "choice\n\tprompt \"Pick\"\nconfig LEFT\n\tbool \"left\"\n"
        "config RIGHT\n\tbool \"right\"\nendchoice\nendmenu\n"
    ),
}


def linux(folder: Path, files: dict[str, str] | None = None) -> Path:
    for name, text in {**FILES, **(files or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_kernel_source_is_read(tmp_path: Path) -> None:
    table = read_linux(linux(tmp_path), "arm64")
    assert table.kernel == "6.1"
    assert sorted(table.symbols) == [
        "ARM64", "HELPER", "LEFT", "RIGHT", "RTC", "RTC_ONE", "WANTED"]
    assert table.elsewhere == {"ARM", "CPU_V7"}
    assert table.symbols["RTC_ONE"] == (Definition(
        type="tristate", depends="RTC && (ARM64 || COMPILE)", prompt="",
        selects=(("HELPER", ""),)),)
    assert table.symbols["WANTED"][0].prompt == "ARM64 && RTC"
    assert table.symbols["LEFT"][0].choice
    assert table.selectors["HELPER"] == (("ARM64", "WANTED"), ("RTC_ONE", ""))


def test_the_evaluator_follows_kconfig(tmp_path: Path) -> None:
    table = read_linux(linux(tmp_path), "arm64")
    off = Evaluator(table, {"RTC": None, "RTC_ONE": "y", "CPU_V7": "y"})
    unmet = off.unmet("RTC_ONE")
    assert unmet is not None and unmet.symbol == "RTC"
    assert off.value("HELPER") == (0, 0)
    assert off.value("CPU_V7") == (0, 0)
    on = Evaluator(table, {"RTC": "y", "RTC_ONE": "m", "LEFT": "y", "RIGHT": None})
    assert on.unmet("RTC_ONE") is None
    assert on.value("RTC_ONE") == (1, 1)
    assert on.value("HELPER") == (2, 2), "a bool selected by m is y"
    assert on.selected_by("HELPER") == ("RTC_ONE",)
    assert on.unanswered() == ("WANTED",)


@pytest.mark.parametrize(("text", "message"), [
    ("config A\n\tdepends on (B\n", r"drivers/Kconfig:2: .*bracket"),
    ("if A\nconfig B\n\tbool\n", r"drivers/Kconfig: ends inside a if"),
])
def test_broken_kconfig_is_named_by_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_linux(linux(tmp_path, {"drivers/Kconfig": text}), "arm64")


def test_a_folder_that_is_no_kernel_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="--linux"):
        read_linux(tmp_path, "arm64")


def test_a_source_of_another_version_is_refused(tmp_path: Path) -> None:
    tables = LinuxTables(linux(tmp_path))
    tables.serves(("5.15", "6.1"))
    with pytest.raises(InputError, match=r"is Linux 6\.1, but the tree has 6\.6"):
        tables.serves(("6.6",))


def test_facts_are_there_for_every_version_openwrt_uses() -> None:
    assert facts.document().versions == ("5.10", "5.15", "6.1", "6.6", "6.12")
    for version in facts.document().versions:
        table = facts_for(version)
        assert table.exists("CRYPTO_AES_ARM64_CE_BLK") is True
        early = version in ("5.10", "5.15")
        assert (table.exists("CRYPTO_AES_ARM") is False) == early
        if not early:
            unmet = Evaluator(table, {"ARM64": "y", "CRYPTO_AES_ARM": "y"}).unmet("CRYPTO_AES_ARM")
            assert unmet is not None and unmet.symbol == "ARM"
        assert (table.exists("ARM64_CRYPTO") is True) == early


def test_what_a_driver_selects_depends_on_the_version() -> None:
    def selects(version: str) -> set[str]:
        (definition,) = facts_for(version).symbols["CRYPTO_AES_ARM64_CE_BLK"]
        return {name for name, _ in definition.selects}

    for version in ("5.10", "5.15"):
        assert "CRYPTO_SIMD" in selects(version)
    for version in ("6.1", "6.6", "6.12"):
        assert "CRYPTO_SIMD" not in selects(version)


def test_other_versions_take_the_nearest_older_facts() -> None:
    assert nearest_version("6.18") == "6.12"
    assert nearest_version("6.3") == "6.1"
    assert nearest_version("5.4") == "5.10"


def test_facts_never_claim_that_a_closed_world_is_complete() -> None:
    table = facts_for("6.1")
    assert not table.complete
    assert table.exists("SOME_VENDOR_DRIVER") is None
    evaluator = Evaluator(table, {"SOME_VENDOR_DRIVER": "y"})
    assert evaluator.unmet("SOME_VENDOR_DRIVER") is None


def test_a_circle_of_selects_stays_unknown() -> None:
    table = SymbolTable("6.1", "arm64", {
        "A": (Definition("bool", depends="B", selects=(("B", ""),)),),
        "B": (Definition("bool", depends="A", selects=(("A", ""),)),),
    }, complete=True)
    assert Evaluator(table, {}).value("A").low == 0


TREES = Path(os.environ["PATCHGEN_KERNEL_TREES"])


@pytest.mark.parametrize("version", ["6.1", "6.12"])
def test_the_shipped_facts_are_what_the_kernel_says(version: str) -> None:
    root = TREES / f"linux-source-{version}"
    if not (root / "Kconfig").is_file():
        pytest.skip(f"no source of Linux {version}; set PATCHGEN_KERNEL_TREES")
    fresh = distil(read_linux(root, "arm64"), version)
    shipped = facts.document()
    number = facts.KernelVersion.parse(version)
    rows = {
        name: row.definitions for name, rows in shipped.symbols.items() for row in rows
        if facts.KernelVersion.parse(row.since) <= number <= facts.KernelVersion.parse(row.until)
    }
    assert rows == fresh.symbols
    assert shipped.absent[version] == fresh.absent
    assert shipped.open[version] == fresh.open
    assert not set(shipped.gone) & {n for n in fresh.symbols if shipped.gone.get(n) == version}


def test_the_rules_between_versions_are_valid() -> None:
    rules = msgspec.toml.decode((facts.DATA / "between.toml").read_bytes(),
                                type=dict[str, Between])
    assert {(v, r.after, r.before) for v, r in rules.items()} == {
        ("5.15", "5.10", "6.1"), ("6.6", "6.1", "6.12")}


def test_a_source_without_openwrts_patches_deletes_nothing(tmp_path: Path) -> None:
    table = read_linux(linux(tmp_path), "arm64")
    layer = ("CONFIG_ARM64=y\nCONFIG_RTC_ONE=y\n{}CONFIG_LEFT=y\n"
             "# CONFIG_RIGHT is not set\n# CONFIG_RTC is not set\n# CONFIG_WANTED is not set\n")
    results = {}
    for extra in ("", "CONFIG_MTD_SPLIT=y\n"):
        (stack,) = OpenWrt(fake_tree({
            "generic/config-6.1": "CONFIG_GENERIC=y\n", "x/config-6.1": layer.format(extra),
        })).stacks
        results[extra] = refresh(stack, table, {}).removed
    assert results == {"": ("RTC_ONE", "WANTED"), "CONFIG_MTD_SPLIT=y\n": ()}
