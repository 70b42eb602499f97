"""Every figure of the Kconfig help, and the default, against the log they come from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from qce_series import series, steps

from patchgen.bench.letter import recommendation
from patchgen.cli.main import main

LOG = series().folder / "logs/aes-sw-max-len.log"


@pytest.fixture(scope="module")
def curves():
    (family,) = recommendation([LOG]).families
    return {crossing.curve.key_bits: crossing for crossing in family.crossings}


def ratio(crossing, size: int) -> float:
    """How many times as fast as the engine software is."""
    return 1 / crossing.step(size).ratio


def test_help_says_what_was_measured(curves):
    text = " ".join(next(s.help for s in steps(2) if hasattr(s, "help")).split())
    found = re.search(r"about (\d) times as fast at 256 bytes \(([\d.]+) with 256-bit keys, "
                      r"([\d.]+) with 128-bit keys\) and about (\d+)% faster at 512", text)
    assert found
    assert float(found[2]) == round(ratio(curves[256], 256), 1)
    assert float(found[3]) == round(ratio(curves[128], 256), 1)
    assert all(round(ratio(c, 256)) == int(found[1]) for c in curves.values())
    assert all(abs(ratio(c, 512) - 1 - int(found[4]) / 100) < 0.05 for c in curves.values())
    found = re.search(r"With 256-bit keys the two are even at (\d+) bytes, with 128-bit keys at "
                      r"(\d+)", text)
    assert found
    assert [curves[256].even_from, curves[128].even_from] == [int(found[1]), int(found[2])]


def test_default_is_what_the_log_recommends():
    entry = next(s for s in steps(2) if hasattr(s, "symbol"))
    assert entry.default == (str(recommendation([LOG]).value),)
    assert entry.range[0] <= recommendation([LOG]).value <= entry.range[1]


def test_letter_shows_the_three_columns_and_the_reasoning(tmp_path: Path):
    assert main(["series", "qce-gcm", "-o", str(tmp_path / "out")]) == 0
    letter = next((tmp_path / "out").glob("v1-0000*")).read_text("utf-8")
    assert re.search(r"^aes_sw_max_len +32768 +512 +0$", letter, re.M)
    for row in re.findall(r"^(\d+ bit +\d+ bytes.*)$", LOG.read_text("utf-8"), re.M):
        figures = row.split()[-3:]
        label = re.escape(" ".join(row.split()[:4]))
        assert re.search(rf"^{label} +" + r"\?? +".join(map(re.escape, figures)), letter, re.M), row
    for reason in recommendation([LOG]).reasons:
        assert reason in " ".join(letter.split())
