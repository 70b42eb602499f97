"""Every streaming implementation against OpenSSL, hashlib, zlib or its definition."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers import modes as openssl
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from cryptography.hazmat.primitives.ciphers.algorithms import AES, ChaCha20
from cryptography.hazmat.primitives.cmac import CMAC
from hypothesis import given
from reference_cases import RandomCase, cases, many

from patchgen.vectors import library_forms
from patchgen.vectors.model import Vector
from reference import chacha, chacha_definition, crc, gcm, ghash, mac, modes, stealing
from reference import essiv as essiv_mode
from reference.ccm import CCM
from reference.md5 import MD5
from reference.sha1 import SHA1
from reference.sha2_many import digests
from reference.sha256 import SHA224, SHA256
from reference.sha512 import SHA384, SHA512


def streamed(stream: Any, chunks: Iterable[bytes]) -> bytes:
    return b"".join([*(stream.update(chunk) for chunk in chunks), stream.final()])


def absorbed(state: Any, chunks: Iterable[bytes]) -> bytes:
    for chunk in chunks:
        state.update(chunk)
    return bytes(state.final())


def openssl_crypt(mode: openssl.Mode, key: bytes, data: bytes) -> bytes:
    context = Cipher(AES(key), mode).encryptor()
    return context.update(data) + context.finalize()


def library(algorithm: str, key: bytes, iv: bytes, data: bytes) -> bytes:
    """What the library forms of the vector checks say."""
    vector = Vector("random", algorithm, "random", key=key, iv=iv, input=data, output=data)
    form = next(f for f in library_forms.FORMS[algorithm] if f.can_do(vector))
    return form.encrypt(vector)[0]


@pytest.mark.parametrize("algorithm", [MD5, SHA1, SHA224, SHA256, SHA384, SHA512])
def test_hash(algorithm: Any) -> None:
    @many
    @given(cases())
    def check(case: RandomCase) -> None:
        expected = hashlib.new(algorithm.name, case.message).digest()
        assert absorbed(algorithm(), case.chunks) == expected

    check()


Modes = dict[str, tuple[Callable[..., Any], Callable[..., Any], int, int]]
CIPHERS: Modes = {
    "ecb(aes)": (lambda k, iv: modes.ECBEncryption(k), lambda k, iv: modes.ECBDecryption(k), 16, 0),
    "cbc(aes)": (modes.CBCEncryption, modes.CBCDecryption, 16, 0),
    "ctr(aes)": (modes.CTR, modes.CTR, 1, 0),
    "ctr32(aes)": (modes.CTR32, modes.CTR32, 1, 0),
    "cts(cbc(aes))": (stealing.CTSEncryption, stealing.CTSDecryption, 1, 16),
    "xts(aes)": (stealing.XTSEncryption, stealing.XTSDecryption, 1, 16),
    "essiv(cbc(aes),sha256)": (
        essiv_mode.ESSIVCBCEncryption, essiv_mode.ESSIVCBCDecryption, 16, 0
    ),
}


@pytest.mark.parametrize("name", CIPHERS)
def test_aes_mode(name: str) -> None:
    encryption, decryption, step, shortest = CIPHERS[name]
    sizes = (32, 48, 64) if name == "xts(aes)" else (16, 24, 32)

    @many
    @given(cases(step, shortest))
    def check(case: RandomCase) -> None:
        key = case.bytes(*sizes)
        iv = case.draw.choice([case.bytes(16), b"\xff" * 15 + case.bytes(1), bytes(16)])
        expected = library(name, key, iv, case.message)
        assert streamed(encryption(key, iv), case.chunks) == expected
        assert streamed(decryption(key, iv), [expected[:7], expected[7:]]) == case.message

    check()


@many
@given(cases())
def test_gcm(case: RandomCase) -> None:
    key, iv = case.bytes(16, 24, 32), case.bytes(8, 12, 12, 16, 60)
    aad = case.bytes(0, 1, 12, 16, 20, 33)
    context = Cipher(AES(key), openssl.GCM(iv)).encryptor()
    context.authenticate_additional_data(aad)
    expected = context.update(case.message) + context.finalize()
    ours = gcm.GCM(key, iv, encrypting=True)
    ours.authenticate(aad[:5])
    ours.authenticate(aad[5:])
    assert b"".join(ours.update(chunk) for chunk in case.chunks) == expected
    assert ours.final() == context.tag
    assert gcm.gcm_decrypt(key, iv, aad, expected, context.tag) == case.message


@many
@given(cases())
def test_ccm(case: RandomCase) -> None:
    key, nonce = case.bytes(16, 24, 32), case.bytes(*range(7, 14))
    aad, tag_size = case.bytes(0, 1, 13, 14, 15, 30), case.draw.choice([4, 6, 8, 10, 12, 14, 16])
    sealed = AESCCM(key, tag_size).encrypt(nonce, case.message, aad)
    ours = CCM(key, nonce, tag_size=tag_size, aad_size=len(aad), size=len(case.message),
               encrypting=True)
    ours.authenticate(aad[:3])
    ours.authenticate(aad[3:])
    output = b"".join(ours.update(chunk) for chunk in case.chunks)
    assert output + ours.final() == sealed


@many
@given(cases())
def test_cmac(case: RandomCase) -> None:
    key = case.bytes(16, 24, 32)
    context = CMAC(AES(key))
    context.update(case.message)
    assert absorbed(mac.CMAC(key), case.chunks) == context.finalize()


@pytest.mark.parametrize("name", ["cbcmac(aes)", "xcbc(aes)"])
def test_other_macs(name: str) -> None:
    algorithm: Any = {"cbcmac(aes)": mac.CBCMAC, "xcbc(aes)": mac.XCBC}[name]

    @many
    @given(cases())
    def check(case: RandomCase) -> None:
        key = case.bytes(16) if name == "xcbc(aes)" else case.bytes(16, 24, 32)
        vector = Vector("random", name, "random", key=key, input=case.message, output=bytes(16))
        expected = library_forms.FORMS[name][0].encrypt(vector)[0]
        assert absorbed(algorithm(key), case.chunks) == expected

    check()


@many
@given(cases())
def test_ghash_forms_agree(case: RandomCase) -> None:
    key, h = case.bytes(16), 0
    h = int.from_bytes(key, "big")
    blocks = case.message + bytes(-len(case.message) % 16)
    y = 0
    for i in range(0, len(blocks), 16):
        y = ghash.multiply(y ^ int.from_bytes(blocks[i : i + 16], "big"), h)
    assert absorbed(ghash.GHASH(key), case.chunks) == y.to_bytes(16, "big")
    assert ghash.hash_by_tables(h, 0, blocks) == y == ghash.hash_by_products(h, 0, blocks)
    if len(blocks) > 16:
        assert ghash.hash_by_folding(h, 0, blocks) == y


@many
@given(cases())
def test_crc32_is_zlibs(case: RandomCase) -> None:
    assert int.from_bytes(absorbed(crc.CRC32(), case.chunks), "little") == zlib.crc32(case.message)


@pytest.mark.parametrize("algorithm", [crc.CRC32, crc.CRC32C, crc.CRCT10DIF])
def test_crc_forms_agree(algorithm: Any) -> None:
    @many
    @given(cases())
    def check(case: RandomCase) -> None:
        p = algorithm.parameters
        start = case.draw.getrandbits(p.width)
        expected = crc.register_bit_by_bit(p, start, case.message)
        assert crc.register_by_table(p, start, case.message) == expected
        assert crc.register_by_folding(p, start, case.message) == expected
        stream = algorithm(register=start)
        absorbed(stream, case.chunks)
        assert stream.register == expected

    check()


@many
@given(cases())
def test_chacha20_is_openssls(case: RandomCase) -> None:
    key, nonce = case.bytes(32), case.bytes(12)
    counter = case.draw.choice([0, 1, 0xFFFFFF00])
    iv = counter.to_bytes(4, "little") + nonce
    expected = Cipher(ChaCha20(key, iv), None).encryptor().update(case.message)
    assert streamed(chacha.ChaCha(key, nonce, counter), case.chunks) == expected


@pytest.mark.parametrize("rounds", [20, 12])
def test_chacha_is_its_definition(rounds: int) -> None:
    @many
    @given(cases())
    def check(case: RandomCase) -> None:
        key, nonce, extended = case.bytes(32), case.bytes(12), case.bytes(24)
        counter = case.draw.choice([0, 7, 0xFFFFFFFE, 0xFFFFFFFF])
        expected = chacha_definition.crypt(key, counter, nonce, case.message, rounds)
        assert streamed(chacha.ChaCha(key, nonce, counter, rounds), case.chunks) == expected
        subkey = chacha_definition.hchacha(key, extended[:16], rounds)
        assert chacha.hchacha(key, extended[:16], rounds) == subkey
        inner = chacha.ChaCha(subkey, bytes(4) + extended[16:], counter, rounds)
        outer = chacha.XChaCha(key, extended, counter, rounds)
        assert streamed(outer, case.chunks) == inner.update(case.message)

    check()


@pytest.mark.parametrize("algorithm", [SHA224, SHA256, SHA384, SHA512])
def test_many_messages_at_once(algorithm: Any) -> None:
    @many
    @given(cases())
    def check(case: RandomCase) -> None:
        messages = [*case.chunks, *case.chunks, case.message]
        expected = [hashlib.new(algorithm.name, message).digest() for message in messages]
        assert digests(algorithm, messages) == expected

    check()


def test_many_messages_of_every_length() -> None:
    messages = [bytes(range(256))[:n] * 2 for n in range(200)]
    assert digests(SHA256, messages) == [hashlib.sha256(m).digest() for m in messages]
    assert digests(SHA512, []) == []
