"""AES from its definition, by tables and in planes; keys in every byte order; errors."""

from __future__ import annotations

import ast
import random
import struct
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from reference import (
    aes,
    bitslice,
    bulk,
    ccm,
    chacha,
    fips197,
    gcm,
    gf2,
    key_layouts,
    mac,
    modes,
    sbox_circuit,
    stealing,
)

keys = st.sampled_from((16, 24, 32)).flatmap(lambda n: st.binary(min_size=n, max_size=n))
blocks = st.binary(min_size=16, max_size=16)


def test_sbox_has_the_corners_of_figure_7() -> None:
    assert fips197.SBOX[:4].hex() == "637c777b"
    assert fips197.SBOX[0x53] == 0xED
    assert fips197.SBOX[0xF0:].hex() == "8ca1890dbfe6426841992d0fb054bb16"
    assert sorted(fips197.SBOX) == list(range(256))
    assert all(fips197.INVERSE_SBOX[fips197.SBOX[b]] == b for b in range(256))


def test_multiplication_is_that_of_section_4_2() -> None:
    assert fips197.gf_multiply(0x57, 0x83) == 0xC1
    assert fips197.gf_multiply(0x57, 0x13) == 0xFE
    assert [fips197.xtime(b) for b in (0x57, 0xAE, 0x47, 0x8E)] == [0xAE, 0x47, 0x8E, 0x07]


def test_mix_columns_undoes_itself_and_mixes_a_known_column() -> None:
    column = bytes.fromhex("db135345") * 4
    assert fips197.mix_columns(column) == bytes.fromhex("8e4da1bc") * 4
    assert fips197.inv_mix_columns(fips197.mix_columns(column)) == column


@given(keys, blocks)
def test_three_forms_of_aes_agree(key: bytes, block: bytes) -> None:
    table = aes.AES(key)
    encrypted = fips197.cipher(block, key)
    assert table.encrypt_block(block) == encrypted
    assert bitslice.encrypt(table.round_keys, block) == encrypted
    assert fips197.inv_cipher(encrypted, key) == block
    assert fips197.eq_inv_cipher(encrypted, key) == block
    assert table.decrypt_block(encrypted) == block
    assert bitslice.decrypt(table.round_keys, encrypted) == block
    assert table.round_keys == fips197.key_expansion(key)
    assert table.inverse_round_keys == fips197.eq_inv_key_expansion(key)[::-1]


@pytest.mark.parametrize("count", [1, 2, 39, 40, 41, 2047, 2048, 2049])
def test_planes_and_tables_agree_on_both_sides_of_every_threshold(count: int) -> None:
    rng = random.Random(count)
    table = aes.AES(rng.randbytes(32))
    data = rng.randbytes(16 * count)
    encrypted = bulk.encrypt_blocks(table, data)
    assert bulk.decrypt_blocks(table, encrypted) == data
    for i in (0, 16 * (count // 2), 16 * (count - 1)):
        assert encrypted[i : i + 16] == table.encrypt_block(data[i : i + 16])


def test_sbox_circuit_on_all_bytes_at_once() -> None:
    planes = [sum((b >> (7 - p) & 1) << b for b in range(256)) for p in range(8)]
    forward = sbox_circuit.sub_bytes(planes)
    backward = sbox_circuit.inv_sub_bytes(planes)
    for b in range(256):
        value = sum((plane >> b & 1) << (7 - p) for p, plane in enumerate(forward))
        assert value ^ sbox_circuit.AFFINE_CONSTANT == fips197.SBOX[b]
        value = sum((plane >> b & 1) << (7 - p) for p, plane in enumerate(backward))
        assert value == fips197.INVERSE_SBOX[b ^ sbox_circuit.AFFINE_CONSTANT]


KEY_128 = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
KEY_192 = bytes.fromhex("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b")
KEY_256 = bytes.fromhex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")


def test_schedules_of_fips_197_appendix_a() -> None:
    assert key_layouts.encryption_schedule(KEY_128)[-16:].hex() == (
        "d014f9a8c9ee2589e13f0cc8b6630ca6"
    )
    assert key_layouts.encryption_schedule(KEY_192)[-16:].hex() == (
        "e98ba06f448c773c8ecc720401002202"
    )
    assert key_layouts.encryption_schedule(KEY_256)[-16:].hex() == (
        "fe4890d1e6188d0b046df344706c631e"
    )


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (KEY_128, [40, 41, 42, 43]),
        (KEY_192, [48, 49, 50, 51, 46, 47]),
        (KEY_256, [56, 57, 58, 59, 52, 53, 54, 55]),
    ],
)
def test_realtek_decryption_key_is_the_end_of_the_schedule(key: bytes, words: list[int]) -> None:
    w = b"".join(fips197.key_expansion(key))
    expected = b"".join(w[4 * i : 4 * i + 4] for i in words)
    assert key_layouts.realtek_decryption_key(key) == expected
    assert len(expected) == len(key)


def test_decryption_schedule_runs_the_equivalent_inverse_cipher() -> None:
    schedule = key_layouts.decryption_schedule(KEY_256)
    assert schedule[:16] == key_layouts.encryption_schedule(KEY_256)[-16:]
    assert schedule[-16:] == KEY_256[:16]
    assert schedule[16:32] == fips197.inv_mix_columns(fips197.key_expansion(KEY_256)[-2])


@pytest.mark.parametrize(("order", "mark"), [("little", "<"), ("big", ">")])
def test_crypto_aes_ctx_as_memory(order: key_layouts.ByteOrder, mark: str) -> None:
    memory = key_layouts.crypto_aes_ctx(KEY_192, order)
    assert len(memory) == 4 * (60 + 60 + 1)
    words = struct.unpack(f"{mark}121L", memory)
    assert words[0] == int.from_bytes(KEY_192[:4], "little")
    assert words[52:60] == (0,) * 8
    assert words[60] == int.from_bytes(key_layouts.decryption_schedule(KEY_192)[:4], "little")
    assert words[120] == 24


def test_carryless_product_and_powers() -> None:
    assert gf2.clmul(0b101, 0b11) == 0b1111
    assert gf2.clmul(0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF) == int("01" * 64, 2)
    assert gf2.remainder(0x11B << 3 | 1, 0x11B) == 1
    assert gf2.power_of_x(255, 0x11D) == 1
    assert gf2.reverse(0b0011, 4) == 0b1100


@given(st.integers(0, 2**200), st.integers(0, 2**130), st.integers(0, 2**90))
def test_carryless_product_is_bilinear(a: int, b: int, c: int) -> None:
    assert gf2.clmul(a, b) == gf2.clmul(b, a)
    assert gf2.clmul(a, b ^ c) == gf2.clmul(a, b) ^ gf2.clmul(a, c)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: aes.AES(bytes(17)), "16, 24 or 32"),
        (lambda: aes.AES(bytes(16)).encrypt_block(bytes(15)), "16 bytes, not 15"),
        (lambda: fips197.key_expansion(b""), "not 0"),
        (lambda: modes.ecb_encrypt(bytes(16), bytes(17)), "1 bytes too many"),
        (lambda: modes.cbc_decrypt(bytes(16), bytes(15), b""), "16 bytes, not 15"),
        (lambda: bulk.encrypt_blocks(aes.AES(bytes(16)), bytes(15)), "whole blocks"),
        (lambda: bulk.xor(b"a", b""), "cannot xor"),
        (lambda: stealing.cts_encrypt(bytes(16), bytes(16), bytes(15)), "at least 16"),
        (lambda: stealing.xts_encrypt(bytes(33), bytes(16), bytes(16)), "32, 48 or 64"),
        (lambda: stealing.xts_decrypt(bytes(32), bytes(8), bytes(16)), "tweak has 16"),
        (lambda: mac.XCBC(bytes(24)), "16 bytes, not 24"),
        (lambda: gcm.gcm_encrypt(bytes(16), b"", b"", b""), "at least one byte"),
        (lambda: gcm.gcm_encrypt(bytes(16), bytes(12), b"", b"", 7), "4, 8 or 12 to 16"),
        (lambda: gcm.rfc4106_encrypt(bytes(20), bytes(12), b"", b""), "8 bytes, not 12"),
        (lambda: ccm.ccm_encrypt(bytes(16), bytes(6), b"", b""), "7 to 13"),
        (lambda: ccm.ccm_encrypt(bytes(16), bytes(13), b"", bytes(65536)), "length field"),
        (lambda: ccm.ccm_encrypt(bytes(16), bytes(7), b"", b"", 5), "tag has 4, 6"),
        (lambda: chacha.ChaCha(bytes(16), bytes(12)), "32 bytes, not 16"),
        (lambda: chacha.ChaCha(bytes(32), bytes(8)), "12 bytes, not 8"),
        (lambda: chacha.XChaCha(bytes(32), bytes(12)), "24 bytes, not 12"),
    ],
)
def test_wrong_sizes_are_value_errors(call: object, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()  # type: ignore[operator]


def test_a_wrong_tag_is_refused() -> None:
    ciphertext, tag = gcm.gcm_encrypt(bytes(16), bytes(12), b"aad", b"text")
    with pytest.raises(gcm.InvalidTagError):
        gcm.gcm_decrypt(bytes(16), bytes(12), b"aae", ciphertext, tag)
    ciphertext, tag = ccm.ccm_encrypt(bytes(16), bytes(12), b"aad", b"text")
    with pytest.raises(gcm.InvalidTagError):
        ccm.ccm_decrypt(bytes(16), bytes(12), b"aad", ciphertext, bytes(16))
    assert ccm.ccm_decrypt(bytes(16), bytes(12), b"aad", ciphertext, tag) == b"text"


def test_ccm_wants_what_was_announced() -> None:
    stream = ccm.CCM(bytes(16), bytes(12), tag_size=8, aad_size=2, size=3, encrypting=True)
    with pytest.raises(ValueError, match="more associated data"):
        stream.authenticate(b"abc")
    with pytest.raises(ValueError, match="missing"):
        stream.update(b"a")
    stream.authenticate(b"ab")
    with pytest.raises(ValueError, match="more message"):
        stream.update(b"abcd")
    with pytest.raises(ValueError, match="less"):
        stream.final()


def test_gcm_wants_associated_data_first() -> None:
    stream = gcm.GCM(bytes(16), bytes(12), encrypting=True)
    stream.update(b"a")
    with pytest.raises(ValueError, match="before the message"):
        stream.authenticate(b"b")


def test_the_room_imports_nothing_but_itself_and_the_standard_library() -> None:
    folder = Path(reference.__file__).parent
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                found.add((node.module or "").split(".")[0])
    assert found - set(sys.stdlib_module_names) == {"reference"}
