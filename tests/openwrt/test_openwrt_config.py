"""The configuration file model: nothing is lost, edits are exact."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openwrt_data import DATA, REAL

from patchgen.errors import InputError
from patchgen.openwrt.config import ConfigFile, Value, format_line, format_values

NAMES = st.text("ABC019_", min_size=1, max_size=6)
VALUES: st.SearchStrategy[Value] = st.sampled_from([None, "y", "m", "14", '"a b"', "0x1f"])
CONFIGS = st.dictionaries(NAMES, VALUES, max_size=12)


def parse(text: str | bytes) -> ConfigFile:
    return ConfigFile.parse(text.encode() if isinstance(text, str) else text, "config-6.1")


@given(st.binary(max_size=200))
def test_any_bytes_survive_a_round_trip(data: bytes) -> None:
    assert parse(data).to_bytes() == data


@given(st.lists(st.sampled_from([
    b"CONFIG_A=y", b"# CONFIG_B is not set", b"", b"#", b"CONFIG_C=", b"<<<<<<< x", b"\xff",
    b"CONFIG_D=y\r", b"junk"]), max_size=8), st.booleans())
def test_any_lines_survive_a_round_trip(lines: list[bytes], newline: bool) -> None:
    data = b"\n".join(lines) + (b"\n" if newline else b"")
    assert parse(data).to_bytes() == data


@given(CONFIGS, CONFIGS)
def test_an_edit_of_a_sorted_file_keeps_it_sorted(
    before: dict[str, Value], changes: dict[str, Value]
) -> None:
    edited = parse(format_values(before)).with_values(changes)
    assert edited == format_values({**before, **changes})
    assert parse(edited).misplaced == ()


@given(CONFIGS)
def test_a_formatted_file_says_what_was_formatted(values: dict[str, Value]) -> None:
    assert parse(format_values(values)).values == values


@given(st.permutations(["A", "A2", "AA", "B", "B_C", "C"]))
def test_moving_the_misplaced_lines_sorts_the_file(order: list[str]) -> None:
    config = parse("".join(f"CONFIG_{name}=y\n" for name in order))
    moved = {line.symbol for line, _ in config.misplaced}
    rest = [name for name in order if name not in moved]
    assert rest == sorted(rest)
    assert bool(moved) == (order != sorted(order))
    if len(moved) == 1:
        (line, before), = config.misplaced
        assert (line.symbol or "") < before or before == ""


def test_the_order_is_by_symbol_not_by_line() -> None:
    text = format_values({"FOO2": "y", "FOO": "y", "FOO_A": None, "FOOB": "m"})
    assert text == (b"CONFIG_FOO=y\nCONFIG_FOO2=y\nCONFIG_FOOB=m\n# CONFIG_FOO_A is not set\n")


def test_only_the_misplaced_line_is_reported() -> None:
    config = parse("CONFIG_A=y\nCONFIG_Z=y\nCONFIG_B=y\nCONFIG_C=y\n")
    assert [(line.number, before) for line, before in config.misplaced] == [(2, "")]


def test_an_edit_of_an_unsorted_file_touches_no_other_line() -> None:
    text = "CONFIG_Z=y\nCONFIG_A=y\nCONFIG_C=y\n"
    assert parse(text).with_values({"B": "y"}) == (
        b"CONFIG_Z=y\nCONFIG_A=y\nCONFIG_B=y\nCONFIG_C=y\n")


def test_n_is_written_as_not_set() -> None:
    assert format_line("X", "n") == "# CONFIG_X is not set"
    assert parse("CONFIG_X=n\n").values == {"X": "n"}


def test_the_last_duplicate_counts() -> None:
    config = parse("CONFIG_A=y\nCONFIG_B=y\n# CONFIG_A is not set\n")
    assert config.values == {"A": None, "B": "y"}
    assert [(a.number, b.number) for a, b in config.duplicates] == [(1, 3)]


@pytest.mark.parametrize(("line", "problem", "advice"), [
    ("CONFIG_X=", "empty", '=""'),
    ("CONFIG_X=y\r", "crlf", "dos2unix"),
    ("<<<<<<< HEAD", "conflict", "resolve"),
    ("=======", "conflict", "resolve"),
    (">>>>>>> topic", "conflict", "resolve"),
    ("CONFIG_X y", "unparsable", "CONFIG_X=value"),
    (" CONFIG_X=y", "unparsable", "CONFIG_X=value"),
])
def test_lines_that_would_be_lost_are_named(line: str, problem: str, advice: str) -> None:
    config = parse(f"CONFIG_A=y\n{line}\nCONFIG_Z=y\n")
    assert [(p.number, p.problem) for p in config.problems] == [(2, problem)]
    with pytest.raises(InputError, match=r"config-6\.1:2: ") as caught:
        config.with_values({"B": "y"})
    assert caught.value.line == 2
    assert caught.value.advice is not None and advice in caught.value.advice


@pytest.mark.parametrize("line", ["# a comment", "", "#", "# CONFIG_X", 'CONFIG_X=""'])
def test_harmless_lines_are_no_problem(line: str) -> None:
    assert parse(f"{line}\n").problems == ()


@REAL
def test_the_real_files_are_canonical_except_two() -> None:
    unsorted = []
    for path in sorted(DATA.rglob("config-[0-9]*")):
        config = ConfigFile.parse(path.read_bytes(), path.name)
        assert config.to_bytes() == path.read_bytes()
        assert config.problems == ()
        if format_values(config.values) != path.read_bytes():
            unsorted.append(path.relative_to(DATA).as_posix())
            assert len(config.misplaced) == 1
    assert unsorted == ["pre/target/linux/mvebu/cortexa53/config-5.10",
                        "pre/target/linux/mvebu/cortexa72/config-5.10"]
