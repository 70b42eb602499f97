"""Independent implementations: OpenSSL through `cryptography`, hashlib and zlib.

Where OpenSSL has only the parts of a mode (CBC stealing, ESSIV, XCBC, counters that wrap
early) the mode is put together here from those parts.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from cryptography.hazmat.primitives.ciphers.algorithms import AES, ChaCha20
from cryptography.hazmat.primitives.cmac import CMAC

from patchgen.vectors.forms import Form, always
from patchgen.vectors.model import Vector

OPENSSL = "openssl"
IN_PLACE = "openssl-in-place"

Crypt = Callable[[bytes, bytes, bytes], bytes]


def _cipher(encrypt: Crypt, decrypt: Crypt, can_do: Callable[[Vector], bool]) -> Form:
    return Form(
        OPENSSL,
        lambda v: (encrypt(v.key, v.iv, v.input), b""),
        lambda v: decrypt(v.key, v.iv, v.output),
        can_do,
    )


def _context(key: bytes, iv: bytes, name: str, encrypting: bool) -> CipherContext:
    mode: modes.Mode
    if name == "ecb(aes)":
        mode = modes.ECB()
    elif name == "cbc(aes)":
        mode = modes.CBC(iv)
    elif name == "ctr(aes)":
        mode = modes.CTR(iv)
    else:
        mode = modes.XTS(iv)
    cipher = Cipher(AES(key), mode)
    return cipher.encryptor() if encrypting else cipher.decryptor()


def _crypt(name: str, *, encrypting: bool) -> Crypt:
    def crypt(key: bytes, iv: bytes, data: bytes) -> bytes:
        context = _context(key, iv, name, encrypting)
        return context.update(data) + context.finalize()

    return crypt


def _crypt_in_place(name: str, *, encrypting: bool) -> Crypt:
    """The output written over the input, as a driver is asked to when source is target."""

    def crypt(key: bytes, iv: bytes, data: bytes) -> bytes:
        buffer = bytearray(data + bytes(15))
        view = memoryview(buffer)[: len(data)]
        context = _context(key, iv, name, encrypting)
        written = context.update_into(view, buffer)
        return bytes(buffer[:written]) + context.finalize()

    return crypt


def _plain(name: str, can_do: Callable[[Vector], bool]) -> tuple[Form, Form]:
    apart = _cipher(_crypt(name, encrypting=True), _crypt(name, encrypting=False), can_do)
    encrypt, decrypt = (_crypt_in_place(name, encrypting=e) for e in (True, False))
    return apart, Form(
        IN_PLACE,
        lambda v: (encrypt(v.key, v.iv, v.input), b""),
        lambda v: decrypt(v.key, v.iv, v.output),
        can_do,
    )


_ecb_encrypt = _crypt("ecb(aes)", encrypting=True)
_ecb_decrypt = _crypt("ecb(aes)", encrypting=False)
_cbc_encrypt = _crypt("cbc(aes)", encrypting=True)
_cbc_decrypt = _crypt("cbc(aes)", encrypting=False)
_ctr_crypt = _crypt("ctr(aes)", encrypting=True)


def _ctr32(key: bytes, iv: bytes, data: bytes) -> bytes:
    blocks = (1 << 32) - int.from_bytes(iv[12:], "big")
    before, after = data[: 16 * blocks], data[16 * blocks :]
    wrapped = _ctr_crypt(key, iv[:12] + bytes(4), after) if after else b""
    return _ctr_crypt(key, iv, before) + wrapped


def _cts_encrypt(key: bytes, iv: bytes, data: bytes) -> bytes:
    padded = _cbc_encrypt(key, iv, data + bytes(-len(data) % 16))
    if len(data) == 16:
        return padded
    stolen = padded[-32:-16][: len(data) - len(padded) + 16]
    return padded[:-32] + padded[-16:] + stolen


def _cts_decrypt(key: bytes, iv: bytes, data: bytes) -> bytes:
    if len(data) == 16:
        return _cbc_decrypt(key, iv, data)
    tail = len(data) % 16 or 16
    body, swapped, stolen = data[: -16 - tail], data[-16 - tail : -tail], data[-tail:]
    previous = stolen + _ecb_decrypt(key, b"", swapped)[tail:]
    return _cbc_decrypt(key, iv, body + previous + swapped)[: len(data)]


def _essiv(key: bytes, iv: bytes) -> bytes:
    return _ecb_encrypt(hashlib.sha256(key).digest(), b"", iv)


def _xts_by_ecb(encrypting: bool) -> Crypt:
    """XTS from ECB, for keys that OpenSSL does not take: 192 bits, or two equal halves."""

    def crypt(key: bytes, iv: bytes, data: bytes) -> bytes:
        half = len(key) // 2
        ecb = _ecb_encrypt if encrypting else _ecb_decrypt
        tweak = int.from_bytes(_ecb_encrypt(key[half:], b"", iv), "little")
        tweaks = []
        for _ in range(-(-len(data) // 16)):
            tweaks.append(tweak)
            tweak = (tweak * 2 ^ (tweak >> 127) * 0x87) & (1 << 128) - 1

        def one(block: bytes, j: int) -> bytes:
            mixed = int.from_bytes(block, "little") ^ tweaks[j]
            done = ecb(key[:half], b"", mixed.to_bytes(16, "little"))
            return (int.from_bytes(done, "little") ^ tweaks[j]).to_bytes(16, "little")

        tail = len(data) % 16
        whole = len(data) // 16 - (1 if tail else 0)
        output = b"".join(one(data[16 * j : 16 * j + 16], j) for j in range(whole))
        if not tail:
            return output
        first, second = (whole, whole + 1) if encrypting else (whole + 1, whole)
        cc = one(data[16 * whole : 16 * whole + 16], first)
        return output + one(data[16 * whole + 16 :] + cc[tail:], second) + cc[:tail]

    return crypt


def _cbcmac(key: bytes, data: bytes) -> bytes:
    if not data:
        return bytes(16)
    return _cbc_encrypt(key, bytes(16), data + bytes(-len(data) % 16))[-16:]


def _cmac(key: bytes, data: bytes) -> bytes:
    context = CMAC(AES(key))
    context.update(data)
    return context.finalize()


def _xcbc(key: bytes, data: bytes) -> bytes:
    k1, k2, k3 = (_ecb_encrypt(key, b"", bytes([n]) * 16) for n in (1, 2, 3))
    whole = bool(data) and len(data) % 16 == 0
    padded = data if whole else data + b"\x80" + bytes(-(len(data) + 1) % 16)
    mask = k2 if whole else k3
    last = bytes(a ^ b for a, b in zip(padded[-16:], mask, strict=True))
    return _cbc_encrypt(k1, bytes(16), padded[:-16] + last)[-16:]


def _mac(compute: Callable[[bytes, bytes], bytes]) -> Form:
    return Form(OPENSSL, lambda v: (compute(v.key, v.input)[: len(v.output) or None], b""))


def _hash(name: str) -> Form:
    def encrypt(v: Vector) -> tuple[bytes, bytes]:
        return hashlib.new(name, v.input, usedforsecurity=False).digest(), b""

    return Form("hashlib", encrypt)


def _crc32(v: Vector) -> tuple[bytes, bytes]:
    start = int.from_bytes(v.key, "little") ^ 0xFFFFFFFF
    return (zlib.crc32(v.input, start) ^ 0xFFFFFFFF).to_bytes(4, "little"), b""


def _gcm_seal(v: Vector, key: bytes, iv: bytes) -> tuple[bytes, bytes]:
    context = Cipher(AES(key), modes.GCM(iv)).encryptor()
    context.authenticate_additional_data(v.aad)
    output = context.update(v.input) + context.finalize()
    return output, context.tag[: len(v.tag)]


def _gcm_open(v: Vector, key: bytes, iv: bytes) -> bytes | None:
    context = Cipher(AES(key), modes.GCM(iv, v.tag, min_tag_length=4)).decryptor()
    context.authenticate_additional_data(v.aad)
    try:
        return context.update(v.output) + context.finalize()
    except InvalidTag:
        return None


def _ccm_seal(v: Vector, key: bytes, nonce: bytes) -> tuple[bytes, bytes]:
    sealed = AESCCM(key, len(v.tag)).encrypt(nonce, v.input, v.aad)
    return sealed[: len(v.input)], sealed[len(v.input) :]


def _ccm_open(v: Vector, key: bytes, nonce: bytes) -> bytes | None:
    try:
        return AESCCM(key, len(v.tag)).decrypt(nonce, v.output + v.tag, v.aad)
    except InvalidTag:
        return None


def _gcm_can(v: Vector) -> bool:
    return 8 <= len(v.iv) <= 128 and len(v.tag) >= 4


def _chacha20(key: bytes, iv: bytes, data: bytes) -> bytes:
    """OpenSSL carries out of the 32-bit counter, RFC 8439 has none to carry into: cut there."""
    left = ((1 << 32) - int.from_bytes(iv[:4], "little")) * 64
    parts = ((iv, data[:left]), (bytes(4) + iv[4:], data[left:]))
    return b"".join(Cipher(ChaCha20(key, n), None).encryptor().update(d) for n, d in parts if d)


def _xts_can(v: Vector) -> bool:
    half = len(v.key) // 2
    return len(v.key) in (32, 64) and v.key[:half] != v.key[half:]


_SALT_GCM, _SALT_CCM = 4, 3

FORMS: dict[str, tuple[Form, ...]] = {
    "ecb(aes)": _plain("ecb(aes)", always),
    "cbc(aes)": _plain("cbc(aes)", always),
    "ctr(aes)": _plain("ctr(aes)", always),
    "ctr32(aes)": (_cipher(_ctr32, _ctr32, always),),
    "cts(cbc(aes))": (_cipher(_cts_encrypt, _cts_decrypt, always),),
    "xts(aes)": (
        *_plain("xts(aes)", _xts_can),
        _cipher(_xts_by_ecb(True), _xts_by_ecb(False), lambda v: not _xts_can(v)),
    ),
    "essiv(cbc(aes),sha256)": (
        _cipher(
            lambda k, iv, data: _cbc_encrypt(k, _essiv(k, iv), data),
            lambda k, iv, data: _cbc_decrypt(k, _essiv(k, iv), data),
            always,
        ),
    ),
    "chacha20": (_cipher(_chacha20, _chacha20, always),),
    "cbcmac(aes)": (_mac(_cbcmac),),
    "cmac(aes)": (_mac(_cmac),),
    "xcbc(aes)": (_mac(_xcbc),),
    "crc32": (Form("zlib", _crc32),),
    **{name: (_hash(name),) for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")},
    "gcm(aes)": (
        Form(
            OPENSSL,
            lambda v: _gcm_seal(v, v.key, v.iv),
            lambda v: _gcm_open(v, v.key, v.iv),
            _gcm_can,
        ),
    ),
    "ccm(aes)": (
        Form(
            OPENSSL,
            lambda v: _ccm_seal(v, v.key, v.iv),
            lambda v: _ccm_open(v, v.key, v.iv),
        ),
    ),
    "rfc4106(gcm(aes))": (
        Form(
            OPENSSL,
            lambda v: _gcm_seal(v, v.key[:-_SALT_GCM], v.key[-_SALT_GCM:] + v.iv),
            lambda v: _gcm_open(v, v.key[:-_SALT_GCM], v.key[-_SALT_GCM:] + v.iv),
        ),
    ),
    "rfc4309(ccm(aes))": (
        Form(
            OPENSSL,
            lambda v: _ccm_seal(v, v.key[:-_SALT_CCM], v.key[-_SALT_CCM:] + v.iv),
            lambda v: _ccm_open(v, v.key[:-_SALT_CCM], v.key[-_SALT_CCM:] + v.iv),
        ),
    ),
}
