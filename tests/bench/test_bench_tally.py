"""Statistics of repeated runs: exact while they are few, close when they are many."""

from __future__ import annotations

import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchgen.bench.model import Case
from patchgen.bench.tally import BATCH, Tally

CASE = Case("", "md5", "", "", None, 16, 16, "", "ops")


def tally_of(values: list[float]) -> Tally:
    tally = Tally(CASE)
    for line, value in enumerate(values, 1):
        tally.add(value, line)
    return tally


@given(st.lists(st.floats(1, 1e9), min_size=1, max_size=60))
def test_few_runs_are_exact(values: list[float]) -> None:
    result = tally_of(values).result("x")
    median = statistics.median(values)
    assert result.value == pytest.approx(median)
    assert (result.low, result.high, result.runs) == (min(values), max(values), len(values))
    assert values[result.low_line - 1] == result.low
    deviation = statistics.median(abs(value - median) for value in values)
    assert result.spread == pytest.approx(1.4826 * deviation / median)


@pytest.mark.parametrize("spread", [0.0001, 0.02, 0.5])
def test_many_runs_are_close(spread: float) -> None:
    draw = random.Random(7)
    values = [max(1.0, draw.gauss(1e6, spread * 1e6)) for _ in range(10 * BATCH + 17)]
    result = tally_of(values).result("x")
    assert result.value == pytest.approx(statistics.median(values), rel=5e-4)
    assert result.runs == len(values)
    assert (result.low, result.high) == (min(values), max(values))
    assert values[result.low_line - 1] == min(values)
    assert result.spread == pytest.approx(spread, rel=0.05, abs=5e-4)


def test_wild_runs_keep_the_histogram_small() -> None:
    draw = random.Random(3)
    values = [10 ** draw.uniform(0, 12) for _ in range(40 * BATCH)]
    tally = tally_of(values)
    assert len(tally.histogram) <= 8192
    result = tally.result("x")
    assert result.low <= result.value <= result.high


def test_a_stalled_run_does_not_widen_the_spread() -> None:
    assert tally_of([100, 101, 99, 100, 20]).result("x").spread < 0.02


def test_kept_runs_come_back_in_order() -> None:
    tally = Tally(CASE, keep=True)
    for line in range(1, 3 * BATCH):
        tally.add(line * 2.0, line)
    tally.fold()
    assert [(m.value, m.line) for m in tally.each("x")] == [
        (line * 2.0, line) for line in range(1, 3 * BATCH)]
