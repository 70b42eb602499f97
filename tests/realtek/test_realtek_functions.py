"""What the driver's own functions do, run on this machine against Python and the reference."""

from __future__ import annotations

import ctypes
import hashlib
import struct
from itertools import accumulate

import pytest
from engine_harness import Request, compile_driver_functions
from hypothesis import example, given
from hypothesis import strategies as st

from patchgen.process import have_tool
from reference.key_layouts import encryption_schedule, realtek_decryption_key

CTR, CBC, ECB = 1 << 18, 1 << 19, 0
OWN, END, FIRST = 1 << 31, 1 << 30, 1 << 29
SRC_SLOTS, DST_SLOTS, BOUNCE, LONGEST_RUN, SEGMENTS = 128, 16, 4096, 16368, 5

entry_lengths = st.one_of(
    st.lists(st.integers(1, 300), min_size=1, max_size=SEGMENTS),
    st.lists(st.integers(128, 1500), min_size=SEGMENTS + 1, max_size=24),
    st.lists(st.integers(128, 9000), min_size=SEGMENTS + 1, max_size=12),
    st.lists(st.integers(1, 60000), min_size=1, max_size=2),
)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    if not have_tool("gcc"):
        pytest.skip("no compiler; apt-get install gcc")
    return compile_driver_functions(tmp_path_factory.mktemp("driver"))


def words(values: list[int]) -> ctypes.Array[ctypes.c_uint32]:
    return (ctypes.c_uint32 * max(len(values), 1))(*values)


@pytest.mark.parametrize("size", [16, 24, 32])
def test_setkey_prepares_both_forms_of_the_key(driver: ctypes.CDLL, size: int):
    key = hashlib.sha256(bytes([size])).digest()[:size]
    schedule = encryption_schedule(key)
    stored = list(struct.unpack(f"<{len(schedule) // 4}L", schedule))
    enc, dec = ctypes.create_string_buffer(32), ctypes.create_string_buffer(32)
    expanded = words(stored + [0] * (60 - len(stored)))
    assert driver.setkey(expanded, key, size, 0, enc, dec) == size
    assert enc.raw[:size] == key
    assert dec.raw[:size] == realtek_decryption_key(key)
    assert enc.raw[size:] == dec.raw[size:] == bytes(32 - size)


@pytest.mark.parametrize("size", [0, 1, 15, 17, 23, 31, 33, 64])
def test_setkey_refuses_other_lengths(driver: ctypes.CDLL, size: int):
    untouched = ctypes.create_string_buffer(32)
    assert driver.setkey(words([0] * 60), bytes(64), size, 0, untouched, untouched) == -22
    assert untouched.raw == bytes(32)


def test_setkey_keeps_nothing_that_the_fallback_refuses(driver: ctypes.CDLL):
    untouched = ctypes.create_string_buffer(32)
    assert driver.setkey(words([7] * 60), b"k" * 16, 16, -22, untouched, untouched) == -22
    assert untouched.raw == bytes(32)


@given(counter=st.one_of(st.integers(0, 2**128 - 1), st.integers(2**128 - 2000, 2**128 - 1),
                         st.integers(2**64 - 2000, 2**64 + 2000)),
       blocks=st.integers(1, 1023))
def test_the_counter_has_128_bits(driver: ctypes.CDLL, counter: int, blocks: int):
    iv = ctypes.create_string_buffer(counter.to_bytes(16, "big"), 16)
    driver.count(iv, blocks)
    assert int.from_bytes(iv.raw, "big") == (counter + blocks) % 2**128


@example(size=55, md5=True)
@example(size=56, md5=False)
@given(size=st.integers(0, 16311), md5=st.booleans())
def test_padding_is_that_of_the_standard(driver: ctypes.CDLL, size: int, md5: bool):
    out = ctypes.create_string_buffer(b"\xff" * 80, 80)
    length = driver.pad(out, size, md5)
    assert 9 <= length <= 72 and (size + length) % 64 == 0
    assert out.raw[:1] == b"\x80" and set(out.raw[1 : length - 8]) <= {0}
    assert out.raw[length - 8 : length] == struct.pack("<Q" if md5 else ">Q", size * 8)
    assert out.raw[length:] == b"\xff" * (80 - length)
    assert size + length <= 0x3FC0


def plan(driver: ctypes.CDLL, src: list[int], dst: list[int], total: int, mode: int, finished: int,
         iv: bytes) -> Request:
    shared = Request(finished=finished)
    driver.plan(ctypes.byref(shared), words(src), len(src), words(dst), len(dst), total, mode, iv)
    return shared


def entries_touched(lengths: list[int], start: int, end: int) -> int:
    ends = list(accumulate(lengths))
    return sum(1 for e, n in zip(ends, lengths, strict=True) if e > start and e - n < end)


@given(src=entry_lengths, dst=entry_lengths, mode=st.sampled_from([ECB, CBC, CTR]),
       low=st.one_of(st.integers(0, 2**32 - 1), st.integers(2**32 - 600, 2**32 - 1)))
def test_every_run_stays_within_what_the_engine_can_do(
    driver: ctypes.CDLL, src: list[int], dst: list[int], mode: int, low: int
):
    total = min(sum(src), sum(dst))
    if mode != CTR:
        total -= total % 16
    if total == 0 or driver.is_scattered(words(src), len(src), total):
        return
    finished, counter = 0, low
    while finished < total:
        iv = bytes(12) + counter.to_bytes(4, "big")
        now = plan(driver, src, dst, total, mode, finished, iv)
        end = finished + now.run
        assert 0 < now.run <= LONGEST_RUN and end <= total
        assert now.run % 16 == 0 or (mode == CTR and end == total)
        assert entries_touched(src, finished, end) <= SEGMENTS
        if now.bounce:
            assert now.run <= BOUNCE
        else:
            assert now.run % 16 == 0 and entries_touched(dst, finished, end) == 1
        if mode == CTR:
            blocks = -(-now.run // 16)
            assert counter + blocks <= 2**32, "the counter wraps within a run"
            counter = (counter + blocks) % 2**32
        finished = end
    assert finished == total


@pytest.mark.parametrize(("low", "first_run"), [(0xFFFFFFFF, 16), (0xFFFFFFFE, 32), (0, 512)])
def test_a_counter_that_wraps_ends_the_run(driver: ctypes.CDLL, low: int, first_run: int):
    iv = bytes(12) + low.to_bytes(4, "big")
    assert plan(driver, [512], [512], 512, CTR, 0, iv).run == first_run
    assert plan(driver, [512], [512], 512, CBC, 0, iv).run == 512


@pytest.mark.parametrize("mode", [ECB, CBC, CTR])
def test_a_long_request_takes_several_runs(driver: ctypes.CDLL, mode: int):
    first = plan(driver, [40000], [40000], 40000, mode, 0, bytes(16))
    assert (first.run, first.bounce) == (LONGEST_RUN, 0)
    third = plan(driver, [40000], [40000], 40000, mode, 2 * LONGEST_RUN, bytes(16))
    assert (third.run, third.bounce) == (40000 - 2 * LONGEST_RUN, 0)


@pytest.mark.parametrize(("lengths", "scattered"), [
    ([4096], False),
    ([1] * 5, False),
    ([1] * 6, True),
    ([128] * 5 + [1], False),
    ([128] * 4 + [127, 128], True),
    ([4096] * 16, False),
    ([127] + [4096] * 16, True),
])
def test_what_counts_as_scattered(driver: ctypes.CDLL, lengths: list[int], scattered: bool):
    assert driver.is_scattered(words(lengths), len(lengths), sum(lengths)) == scattered


def test_a_list_that_is_too_short_is_left_to_software(driver: ctypes.CDLL):
    assert driver.is_scattered(words([100]), 1, 101) == 1


@given(lengths=st.lists(st.integers(0, 400), min_size=1, max_size=5), data=st.data())
def test_exactly_the_bytes_asked_for_are_mapped(driver: ctypes.CDLL, lengths: list[int],
                                                data: st.DataObject):
    total = sum(lengths)
    skip = data.draw(st.integers(0, total))
    size = data.draw(st.integers(0, total - skip))
    addresses, sizes = (ctypes.c_uint64 * 8)(), (ctypes.c_uint32 * 8)()
    left = ctypes.c_int(-1)
    found = driver.map_src(words(lengths), len(lengths), skip, size, -1, addresses, sizes,
                           ctypes.byref(left))
    wanted = []
    for index, (end, length) in enumerate(zip(accumulate(lengths), lengths, strict=True)):
        start = max(end - length, skip)
        stop = min(end, skip + size)
        if start < stop:
            wanted.append((0x100000 * (index + 1) + index + start - (end - length), stop - start))
    assert list(zip(addresses, sizes, strict=True))[:found] == wanted
    assert left.value == 0, "something stayed mapped"


@pytest.mark.parametrize("failing", range(5))
def test_a_failed_mapping_takes_the_others_back(driver: ctypes.CDLL, failing: int):
    addresses, sizes = (ctypes.c_uint64 * 8)(), (ctypes.c_uint32 * 8)()
    left = ctypes.c_int(-1)
    ret = driver.map_src(words([16] * 5), 5, 0, 80, failing, addresses, sizes, ctypes.byref(left))
    assert (ret, left.value) == (-12, 0)


@given(lengths=st.lists(st.integers(1, 16368), min_size=1, max_size=8),
       src_head=st.one_of(st.integers(0, 63), st.integers(60, 63)).map(lambda n: 2 * n),
       dst_head=st.one_of(st.integers(0, 15), st.just(15)), dst_len=st.sampled_from([0, 16, 16368]))
def test_descriptors_of_a_run(driver: ctypes.CDLL, lengths: list[int], src_head: int,
                              dst_head: int, dst_len: int):
    src, dst = ctypes.create_string_buffer(SRC_SLOTS * 16), ctypes.create_string_buffer(512)
    opmode, total = 0b01 << 26 | 1 << 16, 12345
    heads = driver.fill(src, dst, opmode, total, words(lengths), len(lengths), dst_len, src_head,
                        dst_head) & 0xFFFFFFFF
    assert heads >> 31 == 0, "the engine could start before everything was written"
    used = len(lengths) + len(lengths) % 2
    assert (heads >> 16, heads & 0xFFFF) == ((src_head + used) % SRC_SLOTS,
                                             (dst_head + 1) % DST_SLOTS)
    slots = list(struct.iter_unpack(">4L", src.raw))
    for index in range(SRC_SLOTS):
        place = (index - src_head) % SRC_SLOTS
        end = END if index == SRC_SLOTS - 1 else 0
        if place >= used:
            assert slots[index] == (0, 0, 0, 0)
        elif place == 0:
            assert slots[index] == (OWN | FIRST | end | opmode | lengths[0], total, 0, 0x10000)
        elif place < len(lengths):
            assert slots[index] == (OWN | end | lengths[place], total, 0, 0x10000 * (place + 1))
        else:
            assert slots[index] == (OWN | end, total, 0, 0x5000), "filler"
    for index, (word, addr, spare, *_) in enumerate(struct.iter_unpack(">8L", dst.raw)):
        end = END if index == DST_SLOTS - 1 else 0
        wanted = (OWN | end | dst_len, 0xABCD0000, 0) if index == dst_head else (0, 0, 0)
        assert (word, addr, spare) == wanted
