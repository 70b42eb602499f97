"""The four letters as they were sent: every figure is read, and says what the author says."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench_logs import MT7622, QCE, REALTEK, SEEDS

from patchgen.bench import read_log
from patchgen.bench.compare import compare, summarize
from patchgen.bench.model import BenchLog
from patchgen.bench.outliers import find_outliers
from patchgen.bench.recommend import recommend
from patchgen.bench.sides import software_and_hardware, split_sides
from patchgen.bench.threshold import crossings

pytestmark = pytest.mark.skipif(not SEEDS.is_dir(), reason="the shared seeds are not here")


def seed(name: str) -> BenchLog:
    return read_log(SEEDS / f"{name}.txt")


@pytest.mark.parametrize(("name", "figures", "cut"), [
    ("realtek-crypto-v3", 244, 0), ("qce-gcm-v5", 54, 0), ("openwrt-arm64-crypto", 160, 12),
    ("arm64-neon-preempt-v3", 74, 0),
])
def test_every_figure_is_read_and_no_prose(name: str, figures: int, cut: int) -> None:
    log = seed(name)
    assert (log.figures, log.cut, log.unread) == (figures, cut, ())


@pytest.mark.parametrize(("name", "logs"), [
    ("realtek-crypto-v3", REALTEK), ("qce-gcm-v5", (QCE,)), ("openwrt-arm64-crypto", MT7622),
])
def test_the_logs_of_our_series_hold_the_same_figures(name: str, logs: tuple[Path, ...]) -> None:
    def figures(found: list[BenchLog]) -> list[tuple[object, ...]]:
        return sorted((str(m.point), m.value) for log in found for m in log.measurements)

    assert figures([seed(name)]) == figures([read_log(path) for path in logs])


@pytest.mark.parametrize(("name", "value"), [
    ("realtek-crypto-v3", 256), ("qce-gcm-v5", 512), ("openwrt-arm64-crypto", 0),
])
def test_recommendations(name: str, value: int) -> None:
    software, hardware, _ = software_and_hardware(split_sides([seed(name)]))
    assert recommend(crossings(software, hardware)).value == value


def test_openwrt_speed_up_and_stalls() -> None:
    log = seed("openwrt-arm64-crypto")
    [comparison] = compare(split_sides([log]))
    assert (comparison.base, comparison.other) == ("generic", "ce")
    [best] = [r.ratio for c, rs in comparison.curves.items() for r in rs
              if (c.algorithm, c.direction, c.key_bits, r.block_bytes)
              == ("gcm(aes)", "encrypt", 128, 8192)]
    assert round(best, 1) == 24.5
    assert [outlier.line for outlier in find_outliers(log.measurements)] == [49, 70, 120]


def test_arm64_ghash_loses_at_most_two_percent_from_256_bytes() -> None:
    [comparison] = compare(split_sides([seed("arm64-neon-preempt-v3")]))
    ghash = [r for c, rs in comparison.curves.items() if c.algorithm == "ghash" for r in rs]
    large = summarize(r for r in ghash if (r.block_bytes or 0) >= 256)
    assert large.lowest is not None
    assert 0.98 < large.lowest.ratio < 1
    summary = summarize(ghash)
    assert summary.mean == pytest.approx(0.9878, abs=1e-4)
    assert summary.within_from == 256
