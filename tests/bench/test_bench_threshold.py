"""Break-even sizes and the one recommended parameter value."""

from __future__ import annotations

import pytest
from bench_logs import MT7622, QCE, REALTEK
from hypothesis import given
from hypothesis import strategies as st

from patchgen.bench.letter import recommendation
from patchgen.bench.reader import read_log, read_text
from patchgen.bench.recommend import family_name, recommend
from patchgen.bench.sides import software_and_hardware, split_sides
from patchgen.bench.threshold import Crossing, crossings
from patchgen.errors import InputError


def crossings_of(*paths: object) -> dict[tuple[str, str, int | None], Crossing]:
    software, hardware, _ = software_and_hardware(split_sides([read_log(str(p)) for p in paths]))
    return {(c.curve.algorithm, c.curve.direction, c.curve.key_bits): c
            for c in crossings(software, hardware)}


def table(software: list[float], hardware: list[float], sizes: list[int]) -> str:
    head = "".join(f"{size} B   " for size in sizes)
    return "".join(
        f"op/s, {name}:\nname  {head}\nx(aes) 128 bit encrypt  "
        + " ".join(f"{value:.6f}" for value in values) + "\n\n"
        for name, values in (("software", software), ("hardware", hardware)))


def test_realtek() -> None:
    """AES even at 256 bytes, about twice as fast at 8192; MD5 never; SHA-1 later."""
    found = crossings_of(*REALTEK)
    aes = [crossing for (algorithm, _, _), crossing in found.items() if "aes" in algorithm]
    assert len(aes) == 18
    assert {crossing.even_from for crossing in aes} == {256}
    assert all(180 < (crossing.overtakes or 0) < 301 for crossing in aes)
    assert all(1.8 < crossing.final.ratio < 2.4 for crossing in aes)
    md5, sha1 = found["md5", "", None], found["sha1", "", None]
    assert (md5.overtakes, md5.even_from) == (None, None)
    assert sha1.even_from == 1024
    assert sha1.overtakes == pytest.approx(499, abs=1)
    advice = recommendation(REALTEK)
    assert advice.value == 256
    text = " ".join(advice.reasons)
    assert "even from 256 B" in text
    assert "md5: the hardware never overtakes" in text
    assert {f.name: f.value for f in advice.families} == {"aes": 256, "md5": None, "sha1": 1024}


def test_qce() -> None:
    """Even near 768 (256 bit) and 1024 bytes (128 bit); 512 chosen for the CPU's sake."""
    found = crossings_of(QCE)
    long, short = found["cbc(aes)", "encrypt", 256], found["cbc(aes)", "encrypt", 128]
    assert (long.even_from, short.even_from) == (768, 1024)
    assert long.overtakes == pytest.approx(655, abs=1)
    assert short.overtakes == pytest.approx(866, abs=1)
    assert long.offload_from == pytest.approx(476, abs=1)
    advice = recommendation([QCE])
    assert advice.value == 512
    text = " ".join(advice.reasons)
    assert "256 bit encrypt is even from 768 B" in text
    assert "128 bit encrypt is even from 1024 B" in text
    assert ("512, the power of two below 768 B: lower than break-even, to take load off the CPU"
            in text)
    assert "1.30 times as long" in text


def test_accelerated_from_the_first_byte() -> None:
    found = crossings_of(*MT7622)
    assert all(crossing.always and crossing.even_from == 16 for crossing in found.values())
    assert found["gcm(aes)", "encrypt", 128].left_out == (4096,)
    advice = recommendation(MT7622)
    assert advice.value == 0
    assert "leads at every size" in advice.reasons[-1]


@given(
    fixed_soft=st.floats(0.1, 5), fixed_hard=st.floats(6, 60),
    byte_soft=st.floats(0.02, 0.2), factor=st.floats(1.5, 20),
)
def test_interpolation_finds_where_the_times_are_equal(
    fixed_soft: float, fixed_hard: float, byte_soft: float, factor: float,
) -> None:
    """Times of a fixed cost and a cost a byte, in us: the crossing is known exactly."""
    byte_hard = byte_soft / factor
    exact = (fixed_hard - fixed_soft) / (byte_soft - byte_hard)
    sizes = [16, 64, 256, 1024, 4096, 16384]
    soft = [1e6 / (fixed_soft + byte_soft * size) for size in sizes]
    hard = [1e6 / (fixed_hard + byte_hard * size) for size in sizes]
    log = read_text(table(soft, hard, sizes))
    [crossing] = crossings(*split_sides([log]))
    if 16 < exact < 16384:
        assert crossing.overtakes == pytest.approx(exact, rel=1e-3)
        assert not crossing.always
    elif exact > 16384:
        assert crossing.overtakes is None
    else:
        assert crossing.always


def test_hardware_that_leads_in_the_middle_only() -> None:
    log = read_text(table([100, 50, 25, 20], [10, 60, 30, 10], [16, 64, 256, 1024]))
    [crossing] = crossings(*split_sides([log]))
    assert crossing.overtakes is None
    assert crossing.even_from is None
    assert recommend([crossing]).value is None


def test_margin_moves_what_counts_as_even() -> None:
    log = read_text(table([100, 50, 25], [10, 46, 30], [16, 64, 256]))
    sides = split_sides([log])
    assert crossings(*sides)[0].even_from == 64
    assert crossings(*sides, 0.05)[0].even_from == 256
    with pytest.raises(InputError, match="margin"):
        crossings(*sides, 1.5)


def test_one_size_is_not_enough() -> None:
    log = read_text("op/s, software:\nx 16 B  64 B\nmd5 5 -\n\n"
                    "op/s, hardware:\nx 16 B  64 B\nmd5 9 4\n")
    with pytest.raises(InputError, match="no test with two block sizes"):
        crossings(*split_sides([log]))


@pytest.mark.parametrize(("algorithm", "family"), [
    ("ecb(aes)", "aes"), ("rfc4106(gcm(aes))", "aes"), ("hmac(sha1)", "sha1"), ("md5", "md5"),
    ("authenc(hmac(sha1),cbc(aes))", "authenc(hmac(sha1),cbc(aes))"),
])
def test_families(algorithm: str, family: str) -> None:
    assert family_name(algorithm) == family
