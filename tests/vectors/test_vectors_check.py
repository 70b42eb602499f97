"""Cross-validation: everything shipped agrees, and no single bit can change unnoticed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from patchgen import vectors
from patchgen.errors import InputError
from patchgen.vectors import cases, check, library_forms, reference_forms, sealing, store
from patchgen.vectors.algorithms import ALGORITHMS
from patchgen.vectors.forms import Form
from patchgen.vectors.generator import generate
from patchgen.vectors.model import FIELDS, Group, Vector, consolidated, seal

THOROUGH = bool(os.environ.get("PATCHGEN_THOROUGH"))
STANDARDS = [name for name in store.group_names() if not name.startswith("generated/")]
GENERATED = [name for name in store.group_names() if name.startswith("generated/")]


def one_group(name: str) -> Group:
    (group,) = store.select([name])
    return group


@pytest.mark.parametrize("name", [n for n in store.group_names() if "million" not in n])
def test_every_shipped_vector_agrees(name: str) -> None:
    group = one_group(name)
    results = check.check_group(group)
    assert [line for result in results for line in result.messages()] == []
    assert len(results) == len(group.vectors) > 0
    for result in results:
        agreed = {a.removesuffix("-in-place") for a in result.vector.agreed}
        assert "reference" in agreed
        assert len(agreed) >= 2


@pytest.mark.parametrize("name", [n for n in store.group_names() if "million" in n])
def test_a_million_bytes_agree(name: str) -> None:
    (vector,) = one_group(name).vectors
    assert len(vector.input) == 1_000_000
    forms = None if THOROUGH else [check.fastest_form(vector)]
    assert check.check_vector(vector, forms).ok


def test_every_algorithm_has_vectors_and_the_standards_are_there() -> None:
    covered = {one_group(name).algorithm for name in store.group_names()}
    assert covered == set(ALGORITHMS)
    assert {"sp800-38a", "sp800-38b", "sp800-38c", "sp800-38d", "fips180", "rfc1321", "rfc3610",
            "rfc8439", "ieee1619"} <= set(store.document_names())
    names = [v.name for name in store.group_names() for v in one_group(name).vectors]
    assert len(names) == len(set(names))


def flips(value: bytes) -> Iterator[bytes]:
    """Every bit turned over; in long values one bit of every byte, unless thorough."""
    for bit in range(8 * len(value)):
        if len(value) > 32 and not THOROUGH and bit % 8 != bit // 8 * 5 % 8:
            continue
        flipped = bytearray(value)
        flipped[bit // 8] ^= 1 << bit % 8
        yield bytes(flipped)


def stored_flips(vector: Vector, field: str, value: store.Bytes) -> Iterator[Vector]:
    """The vector with one bit of what its file says of a field turned over."""
    times = value.times if isinstance(value, store.Repeat) else 1
    part = bytes.fromhex(value.hex if isinstance(value, store.Repeat) else value)
    for flipped in flips(part):
        yield replace(vector, **{field: flipped * times})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", STANDARDS)
def test_any_flipped_bit_of_a_standards_vector_is_found(name: str) -> None:
    group = one_group(name)
    document, _, record_name = name.partition("/")
    records = next(
        g for g in store.read_document(store.DATA / f"{document}.json").groups
        if g.name == record_name
    )
    for vector, record in zip(group.vectors, records.vectors, strict=True):
        fast = check.fastest_form(vector)
        answer = fast.encrypt(vector)
        known = Form(fast.name, lambda v, answer=answer: answer)  # type: ignore[misc]
        for field in FIELDS:
            form = known if field in ("output", "tag") else fast
            count = 0
            for flipped in stored_flips(vector, field, getattr(record, field)):
                result = check.check_vector(flipped, [form])
                assert not result.ok, (vector.name, field, count)
                assert result.messages()[0].startswith(f"{vector.name}: ")
                count += 1
            assert count or not getattr(vector, field)


@pytest.mark.parametrize("name", GENERATED)
def test_any_flipped_bit_of_a_generated_vector_is_found(name: str) -> None:
    """One random bit of each field, and the seal that is all the file holds of it."""
    rng = random.Random(name)
    for vector in one_group(name).vectors:
        fast = check.fastest_form(vector)
        for field in (*FIELDS, "seal"):
            value = bytearray(getattr(vector, field))
            if not value:
                continue
            bits = range(8 * len(value)) if THOROUGH and field == "seal" else [
                rng.randrange(8 * len(value))
            ]
            for bit in bits:
                turned = bytearray(value)
                turned[bit // 8] ^= 1 << bit % 8
                flipped = replace(vector, **{field: bytes(turned)})  # type: ignore[arg-type]
                result = check.check_vector(flipped, [fast])
                assert not result.ok
                assert all(line.startswith(f"{vector.name}: ") for line in result.messages())


def test_a_flipped_bit_is_found_by_every_implementation_together() -> None:
    for group in (one_group("sp800-38a/cbc-aes"), one_group("rfc3610/ccm-aes")):
        vector = group.vectors[0]
        wrong = replace(vector, output=bytes([vector.output[0] ^ 1]) + vector.output[1:])
        result = check.check_vector(wrong)
        assert {p.first_name.removesuffix("-in-place") for p in result.problems} == {
            "reference", "openssl"
        }
        assert result.vector.agreed == ()


def test_a_disagreement_names_both_values_and_the_first_differing_byte() -> None:
    vector = one_group("rfc1321/md5").vectors[2]
    wrong = replace(vector, output=vector.output[:5] + b"\xff" + vector.output[6:])
    (reference, hashlib) = check.check_vector(wrong).messages()
    assert reference == (
        "rfc1321/md5/A.5-3: output: reference says 900150983cd24fb0d6963f7d28e17f72, "
        "the vector says 900150983cff4fb0d6963f7d28e17f72; first differing byte 5"
    )
    assert "hashlib says 900150983cd24fb0" in hashlib


def test_a_long_disagreement_shows_the_bytes_around_it() -> None:
    vector = one_group("ieee1619/xts-aes").vectors[3]
    wrong = replace(vector, output=vector.output[:300] + b"\0" + vector.output[301:])
    line = check.check_vector(wrong).messages()[0]
    assert "first differing byte 300" in line
    assert "bytes 284..315" in line
    assert len(line) < 400


def test_a_changed_source_is_found_by_the_consolidated_digest() -> None:
    group = one_group("sp800-38b/cmac-aes")
    other = replace(group.vectors[3], source="somewhere else")
    changed = replace(group, vectors=(*group.vectors[:3], other, *group.vectors[4:]))
    results = check.check_group(changed)
    assert [r.vector.name for r in results if not r.ok] == ["sp800-38b/cmac-aes"]
    assert "consolidated digest" in results[-1].messages()[0]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"key": bytes(17)}, "17 bytes are no key"),
        ({"iv": bytes(8)}, "8 bytes are no IV"),
        ({"input": bytes(17), "output": bytes(17)}, "not whole blocks"),
        ({"output": b""}, "0 bytes for 64 of input"),
    ],
)
def test_fields_of_the_wrong_length(change: dict[str, bytes], text: str) -> None:
    vector = one_group("sp800-38a/cbc-aes").vectors[0]
    (problem,) = check.check_vector(replace(vector, **change)).problems  # type: ignore[arg-type]
    assert text in str(problem)


def test_a_missing_tag_or_digest_is_a_problem() -> None:
    sealed = one_group("rfc3610/ccm-aes").vectors[0]
    assert "tag is missing" in check.check_vector(replace(sealed, tag=b"")).messages()[0]
    digest = one_group("rfc1321/md5").vectors[0]
    assert "digest is missing" in check.check_vector(replace(digest, output=b"")).messages()[0]
    short = check.check_vector(replace(digest, output=digest.output[:8])).messages()[0]
    assert "8 bytes are no digest of md5" in short


def test_a_mac_may_be_cut_but_not_to_nothing() -> None:
    vector = one_group("sp800-38b/cmac-aes").vectors[0]
    assert check.check_vector(replace(vector, output=vector.output[:12])).ok
    assert not check.check_vector(replace(vector, output=vector.output[:3])).ok
    assert not check.check_vector(replace(vector, output=vector.output + b"\0")).ok


def test_a_vector_only_one_implementation_can_do_is_not_ok() -> None:
    vector = one_group("sp800-38d/gcm-aes").vectors[3]
    short = replace(vector, iv=b"\1\2\3")
    output, tag = reference_forms.form("gcm(aes)").encrypt(short)
    (line,) = check.check_vector(replace(short, output=output, tag=tag)).messages()
    assert "only reference can compute it" in line


def test_invalid_vectors_have_to_be_refused() -> None:
    vector = one_group("sp800-38d/gcm-aes").vectors[3]
    assert not check.check_vector(replace(vector, valid=False)).ok
    refused = replace(vector, valid=False, tag=bytes(16))
    assert check.check_vector(refused).ok


def test_in_place_runs_are_made_and_do_not_count_as_a_second_opinion() -> None:
    vector = one_group("sp800-38a/ctr-aes").vectors[0]
    assert "openssl-in-place" in check.check_vector(vector).vector.agreed
    forms = library_forms.FORMS["ctr(aes)"]
    assert [f.name for f in forms] == ["openssl", "openssl-in-place"]


def test_named_vectors_for_a_series() -> None:
    names = ["sp800-38a/ecb-aes", "sp800-38a/cbc-aes", "sp800-38a/ctr-aes", "fips180/sha1",
             "rfc1321"]
    results = vectors.check_named(names)
    assert all(result.ok for result in results)
    assert len(results) == 3 + 3 + 3 + 3 + 7
    with pytest.raises(InputError, match="no vectors are called 'sp800-38a/ebc-aes'; did you "
                       "mean sp800-38a/ecb-aes"):
        vectors.check_named(["sp800-38a/ebc-aes"])
    with pytest.raises(InputError, match="no vectors are called 'nonsense'"):
        vectors.check_named(["nonsense"])


def test_named_vectors_are_quick_from_a_cold_start() -> None:
    program = (
        "import time; t = time.process_time()\n"
        "import patchgen.vectors as v\n"
        "r = v.check_named(['sp800-38a', 'fips180/sha1', 'rfc1321'])\n"
        "assert all(x.ok for x in r); print(time.process_time() - t)"
    )
    seconds = min(
        float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True,
                             text=True).stdout)
        for _ in range(2)
    )
    assert seconds < 0.25  # 0.09 on an idle machine


def test_an_algorithm_a_document_and_a_group_can_be_named() -> None:
    assert {g.name for g in store.select(["CTR(aes)"])} == {"generated/ctr-aes",
                                                            "sp800-38a/ctr-aes"}
    assert {g.name for g in store.select(["ctr-aes"])} == {"generated/ctr-aes",
                                                           "sp800-38a/ctr-aes"}
    assert store.select(["AES-CTR"]) == store.select(["ctr(aes)"])
    assert len(store.select(["sp800-38a"])) == 3
    assert len(store.select(["sp800-38a", "sp800-38a/ecb-aes"])) == 3


def test_generated_cases_reach_what_they_are_for() -> None:
    sizes = {g: {c.size for c in cases.cases_of(g)} for g in cases.GROUPS}
    assert set(range(49)) <= sizes["ctr-aes"] & sizes["gcm-aes"] & sizes["ccm-aes"]
    assert set(range(193)) <= sizes["sha1"] & sizes["md5"]
    assert set(range(385)) <= sizes["sha512"]
    for stride in (4, 5, 8):
        assert {16 * stride - 1, 16 * stride, 16 * stride + 1} <= sizes["ctr-aes"]
        assert {16 * stride - 16, 16 * stride, 16 * stride + 16} <= sizes["cbc-aes"]
    assert {4095, 4096, 4097} <= sizes["ctr-aes"] & sizes["sha1"] & sizes["crct10dif"]
    ivs = [c.iv for c in cases.cases_of("ctr-aes") if c.iv]
    assert b"\xff" * 16 in ivs
    assert any(iv.endswith(b"\xff\xff\xff\xfe") for iv in ivs)
    assert {len(v.iv) for v in one_group("generated/gcm-aes").vectors} >= {8, 12, 16, 60, 128}
    assert {len(v.iv) for v in one_group("generated/ccm-aes").vectors} == set(range(7, 14))


def test_gcm_counters_wrap_in_the_vectors_made_for_it() -> None:
    from reference.aes import AES
    from reference.gcm import GCM

    wrapping = [v for v in one_group("generated/gcm-aes").vectors if "wrap32" in v.name]
    assert len(wrapping) == 3
    for vector in wrapping:
        h = AES(vector.key).encrypt_block(bytes(16))
        counter = int.from_bytes(GCM._first_counter(h, vector.iv)[12:], "big")
        assert counter + len(vector.input) // 16 + 1 >= 1 << 32


def test_the_long_crct10dif_vector_goes_round_a_folding_loop() -> None:
    (vector,) = one_group("generated/crct10dif-folding").vectors
    assert len(vector.input) == 2048
    assert len(vector.input) // 128 - 1 == 15  # iterations of a loop that folds 128 bytes


def test_the_generator_is_the_one_that_is_documented() -> None:
    state = (5 << 32) + 3
    expected = []
    for _ in range(3):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        expected.append(state >> 56)
    assert generate(3, 5) == bytes(expected)
    assert generate(16, 0)[:3] != generate(3, 0)


def test_the_data_files_are_what_the_cases_make_today() -> None:
    """Regenerating changes nothing; if this fails: python -m patchgen.vectors.sealing."""
    record = store.read_document(store.DATA / "generated.json")
    assert [g.name for g in record.groups] == list(cases.GROUPS)
    for group in record.groups:
        label = f"generated/{group.name}"
        made = [store.computed(c.vector(label, group.algorithm))
                for c in cases.cases_of(group.name)]
        assert {v.name.rpartition("/")[2]: seal(v).hex() for v in made} == group.seals
        assert consolidated(made).hex() == group.digest
    for name in store.document_names():
        path = store.DATA / f"{name}.json"
        assert sealing.encode(store.read_document(path)) == path.read_bytes()
