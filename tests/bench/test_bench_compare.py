"""Ratios, regressions beyond noise, stalled runs, and which side is which."""

from __future__ import annotations

import pytest
from bench_logs import MT7622, QCE, REALTEK, cipher_line, ghash_sections

from patchgen.bench.compare import compare, summarize
from patchgen.bench.outliers import find_outliers
from patchgen.bench.reader import read_log, read_text
from patchgen.bench.sides import choose, driver_name, software_and_hardware, split_sides
from patchgen.errors import InputError

CBC = "testing speed of cbc(aes) ({}) encryption"


def runs(driver: str, *figures: tuple[int, list[int]], source: str = "x") -> str:
    lines = []
    for block, values in figures:
        for value in values:
            lines += [CBC.format(driver), cipher_line(128, block, value)]
    return "\n".join(lines)


def test_geometric_mean_and_extremes() -> None:
    a = read_text(runs("d", (16, [100]), (64, [100])), "a")
    b = read_text(runs("d", (16, [400]), (64, [100])), "b")
    [comparison] = compare(split_sides([a, b]))
    assert (comparison.base, comparison.other) == ("a", "b")
    summary = comparison.by_algorithm()["cbc(aes)"]
    assert summary.mean == pytest.approx(2.0)
    assert summary.lowest is not None
    assert summary.highest is not None
    assert (summary.lowest.ratio, summary.highest.ratio) == (1.0, 4.0)
    assert summary.highest.block_bytes == 16


@pytest.mark.parametrize(("before", "after", "verdict"), [
    ([1000, 1001, 999], [980, 981, 979], "slower"),
    ([1000, 1100, 900], [980, 1080, 880], ""),
    ([1000, 1001, 999], [1020, 1021, 1019], "faster"),
    ([1000], [990], ""), ([1000], [960], "slower"), ([1000], [1040], "faster"),
])
def test_regressions_are_told_from_noise(before: list[int], after: list[int], verdict: str) -> None:
    logs = [read_text(runs("d", (64, before)), "a"), read_text(runs("d", (64, after)), "b")]
    [comparison] = compare(split_sides(logs))
    assert [ratio.verdict for ratio in comparison.ratios] == [verdict]
    assert len(comparison.regressions) == (verdict == "slower")


def test_three_logs_and_points_without_partner() -> None:
    logs = [read_text(runs("d", (64, [100]), (256, [50])), "a"),
            read_text(runs("d", (64, [200])), "b"),
            read_text(runs("d", (64, [300]), (1024, [1])), "c")]
    first, second = compare(split_sides(logs))
    assert [r.ratio for r in first.ratios] == [2.0]
    assert [r.ratio for r in second.ratios] == [3.0]
    assert (first.unmatched, second.unmatched) == (1, 2)


def test_nothing_to_compare() -> None:
    one = read_text(runs("d", (64, [1])), "a")
    other = read_text(runs("d", (128, [1])), "b")
    with pytest.raises(InputError, match="only one side"):
        compare(split_sides([one]))
    with pytest.raises(InputError, match="no test is on both sides"):
        compare(split_sides([one, other]))


def test_cycles_compare_by_their_inverse() -> None:
    text = CBC.format("d") + (
        "\ntest 0 (128 bit key, 64 byte blocks): 1 operation in {} cycles (64 bytes)")
    [comparison] = compare(split_sides(
        [read_text(text.format(1000), "a"), read_text(text.format(500), "b")]))
    assert comparison.ratios[0].ratio == pytest.approx(2.0)


def test_crypto_extensions_on_mt7622() -> None:
    """24.5 times at 8192 bytes for gcm(aes) with 128 bit, as the OpenWrt letter shows."""
    [comparison] = compare(split_sides([read_log(path) for path in MT7622]))
    ratios = {(c.algorithm, c.direction, c.key_bits, r.block_bytes): r
              for c, rs in comparison.curves.items() for r in rs}
    assert ratios["gcm(aes)", "encrypt", 128, 8192].ratio == pytest.approx(24.485, abs=1e-3)
    assert ratios["gcm(aes)", "encrypt", 128, 4096].verdict == "suspect"
    assert ratios["gcm(aes)", "decrypt", 256, 1024].verdict == "suspect"
    highest = comparison.by_algorithm()["gcm(aes)"].highest
    assert highest is not None
    assert highest.ratio < 25


def test_stalled_runs_of_the_published_logs() -> None:
    generic, ce = (find_outliers(read_log(path).measurements) for path in MT7622)
    assert ce == ()
    found = {(o.measurement.case.algorithm, o.measurement.case.direction,
              o.measurement.case.key_bits, o.measurement.case.block_bytes): o.measurement.value
             for o in generic}
    assert found == {("gcm(aes)", "encrypt", 128, 4096): 1833,
                     ("gcm(aes)", "decrypt", 256, 1024): 6160,
                     ("rfc4309(ccm(aes))", "decrypt", 152, 4096): 1946}
    qce = find_outliers(read_log(QCE).measurements)
    assert [o.measurement.value for o in qce] == [1943616]
    assert all("stalled" in outlier.reason for outlier in (*generic, *qce))
    for path in REALTEK:
        assert find_outliers(read_log(path).measurements) == ()


def test_a_dip_between_neighbours_is_a_stall() -> None:
    log = read_text(runs("d", (64, [10000]), (1024, [1000]), (8192, [700])))
    assert [o.measurement.case.block_bytes for o in find_outliers(log.measurements)] == []
    dipped = read_text(runs("d", (64, [10000]), (512, [700]), (8192, [650])))
    assert [o.measurement.case.block_bytes for o in find_outliers(dipped.measurements)] == [512]


def test_one_stalled_run_among_many() -> None:
    log = read_text(runs("d", (64, [1000, 1003, 998, 120, 1001])))
    [outlier] = find_outliers(log.measurements)
    assert (outlier.line, outlier.whole) == (8, False)
    assert log.measurements[0].value == 1000


def test_ghash_sections() -> None:
    """From 256 bytes on at most 2 % slower; the two smallest single updates lose more."""
    [comparison] = compare(split_sides([read_text(ghash_sections())]))
    assert (comparison.base, comparison.other) == ("before", "after")
    summary = comparison.by_algorithm()["ghash"]
    assert summary.within_from == 256
    assert summary.lowest is not None
    assert (round(summary.lowest.ratio, 3), summary.lowest.block_bytes) == (0.952, 16)
    large = summarize(r for r in comparison.ratios if (r.block_bytes or 0) >= 256)
    assert large.lowest is not None
    assert large.lowest.ratio >= 0.98


def test_sides_of_one_log_by_driver() -> None:
    log = read_text(runs("cbc(aes-generic)", (64, [100])) + "\n" + runs("cbc-aes-ce", (64, [300])))
    assert [side.label for side in split_sides([log])] == ["generic", "ce"]
    software, hardware, _ = software_and_hardware(split_sides([log]))
    assert (software.label, hardware.label) == ("generic", "ce")


@pytest.mark.parametrize(("driver", "name"), [
    ("gcm_base(ctr(aes-generic),ghash-generic)", "generic"), ("cbc-aes-qce", "qce"),
    ("rfc4309(ccm-aes-ce)", "ce"), ("realtek-cbc-aes", "realtek"), ("", "unnamed driver"),
    ("cbc-aes-neonbs", "neonbs"),
])
def test_driver_names(driver: str, name: str) -> None:
    assert driver_name(driver) == name


def test_software_is_told_from_hardware() -> None:
    qce = split_sides([read_log(QCE)])
    software, hardware, reason = software_and_hardware(qce)
    assert (software.label, hardware.label) == ("aes_sw_max_len=32768", "aes_sw_max_len=0")
    assert "parameter" in reason
    for order in (REALTEK, REALTEK[::-1]):
        sides = split_sides([read_log(path) for path in order])
        software, hardware, _ = software_and_hardware(sides)
        assert (software.label, hardware.label) == ("software", "hardware")
    sections = split_sides([read_text(ghash_sections())])
    with pytest.raises(InputError, match=r"cannot tell.*'before', 'after'"):
        software_and_hardware(sections)
    software, hardware, _ = software_and_hardware(sections, software="after")
    assert (software.label, hardware.label) == ("after", "before")


def test_sides_are_chosen_by_label() -> None:
    sides = split_sides([read_log(QCE)])
    assert choose(sides, "512", "--base").label == "aes_sw_max_len=512"
    with pytest.raises(InputError, match="no side of that name"):
        choose(sides, "1024", "--base")
    with pytest.raises(InputError, match="more than one side"):
        choose(sides, "aes_sw", "--base")


def test_logs_of_one_name_stay_apart() -> None:
    logs = [read_text(runs("d", (64, [1])), f"{folder}/run.log") for folder in "ab"]
    assert [side.label for side in split_sides(logs)] == ["a/run.log", "b/run.log"]
