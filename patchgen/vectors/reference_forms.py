"""The implementations in `reference/`, as checks call them."""

from __future__ import annotations

from collections.abc import Callable

from patchgen.vectors.forms import Form
from patchgen.vectors.model import Vector
from reference import ccm, chacha, crc, essiv, gcm, ghash, mac, modes, stealing
from reference.md5 import MD5
from reference.merkle_damgard import MerkleDamgard
from reference.sha1 import SHA1
from reference.sha256 import SHA224, SHA256
from reference.sha512 import SHA384, SHA512

NAME = "reference"

Keyed = Callable[[bytes, bytes], bytes]
WithIv = Callable[[bytes, bytes, bytes], bytes]
Seal = Callable[[bytes, bytes, bytes, bytes, int], tuple[bytes, bytes]]
Open = Callable[[bytes, bytes, bytes, bytes, bytes], bytes]


def _cipher(encrypt: WithIv, decrypt: WithIv) -> Form:
    return Form(
        NAME,
        lambda v: (encrypt(v.key, v.iv, v.input), b""),
        lambda v: decrypt(v.key, v.iv, v.output),
    )


def _ecb() -> Form:
    return Form(
        NAME,
        lambda v: (modes.ecb_encrypt(v.key, v.input), b""),
        lambda v: modes.ecb_decrypt(v.key, v.output),
    )


def _mac(compute: Keyed) -> Form:
    return Form(NAME, lambda v: (compute(v.key, v.input)[: len(v.output) or None], b""))


def _hash(algorithm: type[MerkleDamgard]) -> Form:
    return Form(NAME, lambda v: (algorithm(v.input).final(), b""))


def _aead(seal: Seal, open_: Open) -> Form:
    def decrypt(v: Vector) -> bytes | None:
        try:
            return open_(v.key, v.iv, v.aad, v.output, v.tag)
        except gcm.InvalidTagError:
            return None

    return Form(NAME, lambda v: seal(v.key, v.iv, v.aad, v.input, len(v.tag)), decrypt)


def _chacha(rounds: int) -> Form:
    """IV as in the kernel and OpenSSL: a 32-bit little-endian counter, then the nonce."""

    def crypt(key: bytes, iv: bytes, data: bytes) -> bytes:
        counter = int.from_bytes(iv[:4], "little")
        return chacha.ChaCha(key, iv[4:], counter, rounds).update(data)

    return _cipher(crypt, crypt)


def _xchacha(rounds: int) -> Form:
    """IV as in the kernel: the nonce of 24 bytes, then 8 bytes of little-endian position."""

    def crypt(key: bytes, iv: bytes, data: bytes) -> bytes:
        subkey = chacha.hchacha(key, iv[:16], rounds)
        nonce = iv[28:32] + iv[16:24]
        counter = int.from_bytes(iv[24:28], "little")
        return chacha.ChaCha(subkey, nonce, counter, rounds).update(data)

    return _cipher(crypt, crypt)


def crc32_seed(key: bytes, default: int) -> int:
    """The start of the kernel's crc32 and crc32c: a key of 4 little-endian bytes, if any."""
    return int.from_bytes(key, "little") if key else default


def _crc32() -> Form:
    """The kernel's crc32: start 0 unless keyed, nothing inverted at the end."""

    def compute(key: bytes, data: bytes) -> bytes:
        return crc.CRC32(data, crc32_seed(key, 0)).register.to_bytes(4, "little")

    return _mac(compute)


def _crc32c() -> Form:
    """The kernel's crc32c: start all ones unless keyed, inverted at the end."""
    return _mac(lambda key, data: crc.CRC32C(data, crc32_seed(key, 0xFFFFFFFF)).final())


FORMS: dict[str, Form] = {
    "ecb(aes)": _ecb(),
    "cbc(aes)": _cipher(modes.cbc_encrypt, modes.cbc_decrypt),
    "cts(cbc(aes))": _cipher(stealing.cts_encrypt, stealing.cts_decrypt),
    "ctr(aes)": _cipher(modes.ctr_crypt, modes.ctr_crypt),
    "ctr32(aes)": _cipher(modes.ctr32_crypt, modes.ctr32_crypt),
    "xts(aes)": _cipher(stealing.xts_encrypt, stealing.xts_decrypt),
    "essiv(cbc(aes),sha256)": _cipher(essiv.essiv_cbc_encrypt, essiv.essiv_cbc_decrypt),
    "chacha20": _chacha(20),
    "chacha12": _chacha(12),
    "xchacha20": _xchacha(20),
    "xchacha12": _xchacha(12),
    "cbcmac(aes)": _mac(mac.cbc_mac),
    "cmac(aes)": _mac(mac.cmac),
    "xcbc(aes)": _mac(mac.xcbc),
    "ghash": _mac(ghash.ghash),
    "crc32": _crc32(),
    "crc32c": _crc32c(),
    "crct10dif": Form(NAME, lambda v: (crc.CRCT10DIF(v.input).final(), b"")),
    "md5": _hash(MD5),
    "sha1": _hash(SHA1),
    "sha224": _hash(SHA224),
    "sha256": _hash(SHA256),
    "sha384": _hash(SHA384),
    "sha512": _hash(SHA512),
    "gcm(aes)": _aead(gcm.gcm_encrypt, gcm.gcm_decrypt),
    "ccm(aes)": _aead(ccm.ccm_encrypt, ccm.ccm_decrypt),
    "rfc4106(gcm(aes))": _aead(gcm.rfc4106_encrypt, gcm.rfc4106_decrypt),
    "rfc4309(ccm(aes))": _aead(ccm.rfc4309_encrypt, ccm.rfc4309_decrypt),
}
