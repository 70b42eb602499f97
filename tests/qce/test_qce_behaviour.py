"""What the rewritten functions do, compiled and run: decision table and scatterlists."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qce_eras import ERAS, Era
from qce_harness import (
    AES,
    CBC,
    CTR,
    DES,
    DES3,
    ECB,
    HARDWARE,
    SOFTWARE,
    XTS,
    Driver,
    compile_driver,
)
from qce_series import applied, embedded

LENGTHS = (0, 1, 15, 16, 17, 511, 512, 513, 768, 1024, 1280)
PARAMS = (0, 16, 512, 32768)
ENOKEY, EINVAL = 126, 22
EVERY_SHAPE = ("embedded", *(era.name for era in ERAS))
SHAPES = EVERY_SHAPE if os.environ.get("PATCHGEN_THOROUGH") else ("embedded", "5.0", "5.6")
SECTOR = 512


def _era(name: str) -> Era | None:
    return next((era for era in ERAS if era.name == name), None)


@pytest.fixture(scope="module")
def drivers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Driver]:
    """Every shape of the driver with all three patches, compiled."""
    folder = tmp_path_factory.mktemp("qce")
    compiled = {}
    for name in SHAPES:
        era = _era(name)
        tree = embedded() if era is None else era.tree()
        compiled[name] = compile_driver(applied(tree), folder / name)
    return compiled


def expected(mode: int, keylen: int, length: int, param: int, *, halved: bool) -> int:
    """Where an AES request goes (facts page, "Resulting fallback table")."""
    effective = keylen // 2 if mode == XTS and halved else keylen
    if effective not in (16, 32):
        return SOFTWARE
    if length <= param:
        return SOFTWARE
    if mode == XTS and length > SECTOR and length % SECTOR:
        return SOFTWARE
    return HARDWARE


@pytest.mark.parametrize("shape", SHAPES)
def test_aes_requests_go_where_the_table_says(drivers: dict[str, Driver], shape: str):
    driver, era = drivers[shape], _era(shape)
    halved = era is None or era.xts_halves
    keys = [(mode, keylen) for mode in (CBC, ECB, CTR) for keylen in (16, 24, 32)]
    keys += [(XTS, keylen) for keylen in (32, 48, 64)]
    for (mode, keylen), length, param, encrypt in itertools.product(
        keys, LENGTHS, PARAMS, (0, 1)
    ):
        out = driver.decide(AES | mode, (keylen,), length, param, encrypt)
        case = (shape, hex(mode), keylen, length, param)
        assert out.setkey == 0, case
        assert out.crypt == expected(mode, keylen, length, param, halved=halved), case
        assert (out.fallback_setkeys, out.fallback_keylen) == (1, keylen), case
        assert out.fallback_flags == 0x202, case
        assert out.enc_keylen == keylen, case
        effective = keylen // 2 if mode == XTS and halved else keylen
        assert out.copied == (keylen if effective in (16, 32) else 0), case
        if out.crypt == SOFTWARE:
            assert (out.software_len, out.software_buffers) == (length, 1), case


@pytest.mark.parametrize("shape", SHAPES)
def test_without_a_key_software_answers(drivers: dict[str, Driver], shape: str):
    for mode, length, param in itertools.product((CBC, CTR, XTS), LENGTHS, PARAMS):
        assert drivers[shape].decide(AES | mode, (), length, param).crypt == -ENOKEY


@pytest.mark.parametrize("shape", SHAPES)
def test_des_requests_go_to_the_engine(drivers: dict[str, Driver], shape: str):
    driver, era = drivers[shape], _era(shape)
    keys = (8,) if era is not None and era.shared_setkey else ()
    for alg, length, param in itertools.product((DES, DES3), LENGTHS, PARAMS):
        out = driver.decide(alg | CBC, keys, length, param)
        assert out.crypt == HARDWARE
        assert out.fallback_setkeys == 0


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("bad", [1, 15, 17, 33, 56])
def test_a_rejected_key_leaves_the_one_before(drivers: dict[str, Driver], shape: str, bad: int):
    out = drivers[shape].decide(AES | CBC, (16, bad), 1024, 512)
    assert out.setkey == -EINVAL
    assert out.enc_keylen == 16
    assert out.copied == 0
    assert out.crypt == HARDWARE


@pytest.mark.parametrize("shape", SHAPES)
def test_the_parameter_describes_itself(drivers: dict[str, Driver], shape: str):
    kind, mode, text = drivers[shape].parameter
    assert (kind, mode) == ("uint", 0o644)
    assert text.endswith("[default=512]")
    assert "CONFIG" not in text


BEFORE = {(CBC, 16): HARDWARE, (CBC, 24): SOFTWARE, (CBC, 32): HARDWARE}


@pytest.mark.parametrize("shape", ["5.0", "5.6"])
def test_before_the_series_size_did_not_matter(tmp_path: Path, shape: str):
    """The harness tells the states apart: without the series its table would not hold."""
    era = _era(shape)
    driver = compile_driver(embedded() if era is None else era.tree(), tmp_path)
    for (mode, keylen), length in itertools.product(BEFORE, LENGTHS):
        out = driver.decide(AES | mode, (keylen,), length, 512)
        assert out.crypt == BEFORE[mode, keylen]
        assert out.fallback_setkeys == (keylen == 24)


Entries = list[tuple[int, int, int]]
ENTRY = st.tuples(st.integers(16, 2**40), st.integers(0, 4096), st.integers(0, 70_000))


def model(slot_count: int, used: int, entries: Entries, budget: int) -> tuple[int, Entries]:
    """``qce_sgtable_add()`` in Python: returned index and what the free slots then hold."""
    if used >= slot_count:
        return -EINVAL, []
    filled: Entries = []
    for page, offset, length in entries:
        if not budget or used + len(filled) == slot_count:
            break
        filled.append((page, offset, min(length, budget)))
        budget -= filled[-1][2]
    return (used + len(filled) - 1 if filled else -1), filled


@pytest.mark.parametrize("shape", ["embedded", "5.0"])
@given(data=st.data())
@settings(max_examples=settings().max_examples * 2)
def test_never_a_byte_beyond_the_budget(drivers: dict[str, Driver], shape: str,
                                        data: st.DataObject):
    entries = data.draw(st.lists(ENTRY, max_size=8))
    total = sum(length for _, _, length in entries)
    budget = data.draw(st.one_of(st.integers(0, total + 64), st.sampled_from([0, 1, total])))
    slot_count = data.draw(st.integers(1, 10))
    used = data.draw(st.integers(0, slot_count))
    last, slots = drivers[shape].add_entries(slot_count, used, entries, budget)
    wanted, filled = model(slot_count, used, entries, budget)
    assert last == wanted
    assert slots[used : used + len(filled)] == filled
    assert all(slot == (0, 0, 0) for slot in slots[used + len(filled) :])
    assert sum(length for _, _, length in filled) <= budget


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("split", [(), (16,), (1, 40)])
def test_a_tag_behind_the_payload_stays_untouched(drivers: dict[str, Driver], shape: str,
                                                  split: tuple[int, ...]):
    """GCM decryption: the last entry holds the rest of the payload and then the tag."""
    payload, tag, result = 77, 16, 128
    cuts = [0, *split, payload + tag]
    entries = [(0x1000, start, end - start) for start, end in itertools.pairwise(cuts)]
    slot_count = len(entries) + 1
    last, slots = drivers[shape].add_entries(slot_count, 0, entries, payload)
    assert last == len(entries) - 1
    written = {slot[1] + i for slot in slots[: last + 1] for i in range(slot[2])}
    assert written == set(range(payload))
    behind, _ = drivers[shape].add_entries(slot_count, len(entries), [(0x9000, 0, result)], result)
    assert behind == len(entries)
