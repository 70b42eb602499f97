"""Chaining states as the kernel exports them: offsets, byte order, and going on from one."""

from __future__ import annotations

import hashlib
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import crc, ghash, mac
from reference.md5 import MD5
from reference.sha1 import SHA1
from reference.sha256 import SHA224, SHA256
from reference.sha512 import SHA384, SHA512

LAYOUTS: dict[Any, str] = {
    MD5: "4I64sQ",
    SHA1: "5I4xQ64s",
    SHA224: "8IQ64s",
    SHA256: "8IQ64s",
    SHA384: "8Q2Q128s",
    SHA512: "8Q2Q128s",
}
"""struct md5_state, sha1_state, sha256_state, sha512_state with natural alignment."""


@pytest.mark.parametrize("algorithm", LAYOUTS)
@pytest.mark.parametrize(("order", "mark"), [("little", "<"), ("big", ">")])
def test_export_has_the_fields_of_the_kernels_struct(algorithm: Any, order: Any, mark: str) -> None:
    message = bytes(range(200)) + b"tail"
    state = algorithm(message)
    memory = state.export_state(order)
    assert len(memory) == struct.calcsize(mark + LAYOUTS[algorithm]) == algorithm.state_size
    fields = struct.unpack(mark + LAYOUTS[algorithm], memory)
    words = len(algorithm.initial_state)
    assert fields[:words] == state.state
    rest = len(message) % algorithm.block_size
    buffers = [f for f in fields if isinstance(f, bytes)]
    assert buffers[0][:rest] == message[-rest:]
    assert len(message) in fields


@given(st.sampled_from(list(LAYOUTS)), st.binary(max_size=400), st.binary(max_size=300),
       st.sampled_from(("little", "big")))
def test_a_hash_goes_on_from_an_exported_state(
    algorithm: Any, before: bytes, after: bytes, order: Any
) -> None:
    resumed = algorithm.import_state(algorithm(before).export_state(order), order)
    resumed.update(after)
    assert resumed.final() == hashlib.new(algorithm.name, before + after).digest()


def test_the_state_of_a_whole_block_is_what_an_engine_writes() -> None:
    block = bytes(range(64))
    assert SHA1(block).chaining_value() == b"".join(
        word.to_bytes(4, "big") for word in SHA1(block).state
    )
    assert MD5(block).chaining_value() == b"".join(
        word.to_bytes(4, "little") for word in MD5(block).state
    )
    assert SHA1().chaining_value().hex() == "67452301efcdab8998badcfe10325476c3d2e1f0"
    assert MD5().chaining_value().hex() == "0123456789abcdeffedcba9876543210"


@pytest.mark.parametrize("algorithm", LAYOUTS)
@pytest.mark.parametrize("size", [0, 1, 55, 56, 63, 64, 111, 112, 119, 120, 127, 128])
def test_padding_completes_a_block_and_is_the_finalisation(algorithm: Any, size: int) -> None:
    message = bytes(range(size))
    padded = message + algorithm.padding(size)
    assert len(padded) % algorithm.block_size == 0
    assert len(padded) - size <= algorithm.block_size + 2 * algorithm.word_size
    digest = algorithm(padded).chaining_value()[: algorithm.digest_size]
    assert digest == algorithm(message).final()


@pytest.mark.parametrize("algorithm", LAYOUTS)
def test_a_copy_and_a_final_leave_the_original_alone(algorithm: Any) -> None:
    state = algorithm(b"abc")
    twin = state.copy()
    twin.update(b"def")
    assert state.final() == state.final() == hashlib.new(algorithm.name, b"abc").digest()
    assert twin.final() == hashlib.new(algorithm.name, b"abcdef").digest()
    with pytest.raises(ValueError, match=f"{algorithm.state_size} bytes"):
        algorithm.import_state(b"")


@given(st.binary(min_size=16, max_size=16), st.binary(max_size=100), st.binary(max_size=100))
def test_ghash_goes_on_from_an_exported_state(key: bytes, before: bytes, after: bytes) -> None:
    first = ghash.GHASH(key, before)
    state = first.export_state("big")
    assert len(state) == 20
    assert int.from_bytes(state[16:], "big") == -len(before) % 16
    second = ghash.GHASH(key)
    second.import_state(state, "big")
    second.update(after)
    assert second.final() == ghash.ghash(key, before + after)
    with pytest.raises(ValueError, match="20 bytes"):
        second.import_state(b"")


@pytest.mark.parametrize("algorithm", [crc.CRC32, crc.CRC32C, crc.CRCT10DIF])
def test_a_crc_goes_on_from_an_exported_state(algorithm: Any) -> None:
    state = algorithm(b"12345").export_state()
    resumed = algorithm.import_state(state)
    resumed.update(b"6789")
    assert resumed.final() == algorithm(b"123456789").final()
    assert resumed.copy().value == resumed.value
    with pytest.raises(ValueError, match="state has"):
        algorithm.import_state(b"\0")


@pytest.mark.parametrize("algorithm", [mac.CBCMAC, mac.CMAC, mac.XCBC])
def test_a_copied_mac_goes_its_own_way(algorithm: Any) -> None:
    state = algorithm(bytes(16), b"abc")
    twin = state.copy()
    twin.update(bytes(40))
    assert state.final() == algorithm(bytes(16), b"abc").final()
    assert twin.final() == algorithm(bytes(16), b"abc" + bytes(40)).final()
