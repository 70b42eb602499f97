"""The implementations in `reference/`, as checks call them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from patchgen.vectors.forms import Form
from patchgen.vectors.model import Vector
from reference.merkle_damgard import MerkleDamgard

NAME = "reference"

Keyed = Callable[[bytes, bytes], bytes]
WithIv = Callable[[bytes, bytes, bytes], bytes]
Seal = Callable[[bytes, bytes, bytes, bytes, int], tuple[bytes, bytes]]
Open = Callable[[bytes, bytes, bytes, bytes, bytes], bytes]
Builder = Callable[[], Form]
"""Makes the form of an algorithm; its module of `reference` is imported only then."""


def _cipher(encrypt: WithIv, decrypt: WithIv) -> Form:
    return Form(
        NAME,
        lambda v: (encrypt(v.key, v.iv, v.input), b""),
        lambda v: decrypt(v.key, v.iv, v.output),
    )


def _mode(name: str) -> Builder:
    def build() -> Form:
        from reference import modes

        if name == "ecb":
            return Form(
                NAME,
                lambda v: (modes.ecb_encrypt(v.key, v.input), b""),
                lambda v: modes.ecb_decrypt(v.key, v.output),
            )
        if name == "cbc":
            return _cipher(modes.cbc_encrypt, modes.cbc_decrypt)
        crypt = modes.ctr_crypt if name == "ctr" else modes.ctr32_crypt
        return _cipher(crypt, crypt)

    return build


def _cts() -> Form:
    from reference import stealing

    return _cipher(stealing.cts_encrypt, stealing.cts_decrypt)


def _xts() -> Form:
    from reference import stealing

    return _cipher(stealing.xts_encrypt, stealing.xts_decrypt)


def _essiv() -> Form:
    from reference import essiv

    return _cipher(essiv.essiv_cbc_encrypt, essiv.essiv_cbc_decrypt)


def _mac(compute: Keyed) -> Form:
    return Form(NAME, lambda v: (compute(v.key, v.input)[: len(v.output) or None], b""))


def _block_mac(name: str) -> Builder:
    def build() -> Form:
        from reference import mac

        return _mac({"cbcmac": mac.cbc_mac, "cmac": mac.cmac, "xcbc": mac.xcbc}[name])

    return build


def _ghash() -> Form:
    from reference.ghash import ghash

    return _mac(ghash)


def _hash(module: str, class_name: str) -> Builder:
    def build() -> Form:
        algorithm: type[MerkleDamgard] = getattr(import_module(f"reference.{module}"), class_name)
        return Form(NAME, lambda v: (algorithm(v.input).final(), b""))

    return build


def _aead(seal: Seal, open_: Open) -> Form:
    from reference.gcm import InvalidTagError

    def decrypt(v: Vector) -> bytes | None:
        try:
            return open_(v.key, v.iv, v.aad, v.output, v.tag)
        except InvalidTagError:
            return None

    return Form(NAME, lambda v: seal(v.key, v.iv, v.aad, v.input, len(v.tag)), decrypt)


def _gcm() -> Form:
    from reference import gcm

    return _aead(gcm.gcm_encrypt, gcm.gcm_decrypt)


def _ccm() -> Form:
    from reference import ccm

    return _aead(ccm.ccm_encrypt, ccm.ccm_decrypt)


def _rfc4106() -> Form:
    from reference import gcm

    return _aead(gcm.rfc4106_encrypt, gcm.rfc4106_decrypt)


def _rfc4309() -> Form:
    from reference import ccm

    return _aead(ccm.rfc4309_encrypt, ccm.rfc4309_decrypt)


def _chacha(rounds: int) -> Builder:
    """IV as in the kernel and OpenSSL: a 32-bit little-endian counter, then the nonce."""

    def build() -> Form:
        from reference.chacha import ChaCha

        def crypt(key: bytes, iv: bytes, data: bytes) -> bytes:
            counter = int.from_bytes(iv[:4], "little")
            return ChaCha(key, iv[4:], counter, rounds).update(data)

        return _cipher(crypt, crypt)

    return build


def _xchacha(rounds: int) -> Builder:
    """IV as in the kernel: the nonce of 24 bytes, then 8 bytes of little-endian position."""

    def build() -> Form:
        from reference.chacha import ChaCha, hchacha

        def crypt(key: bytes, iv: bytes, data: bytes) -> bytes:
            subkey = hchacha(key, iv[:16], rounds)
            nonce = iv[28:32] + iv[16:24]
            counter = int.from_bytes(iv[24:28], "little")
            return ChaCha(subkey, nonce, counter, rounds).update(data)

        return _cipher(crypt, crypt)

    return build


def crc32_seed(key: bytes, default: int) -> int:
    """The start of the kernel's crc32 and crc32c: a key of 4 little-endian bytes, if any."""
    return int.from_bytes(key, "little") if key else default


def _crc32() -> Form:
    """The kernel's crc32: start 0 unless keyed, nothing inverted at the end."""
    from reference.crc import CRC32

    return _mac(lambda key, data: CRC32(data, crc32_seed(key, 0)).register.to_bytes(4, "little"))


def _crc32c() -> Form:
    """The kernel's crc32c: start all ones unless keyed, inverted at the end."""
    from reference.crc import CRC32C

    return _mac(lambda key, data: CRC32C(data, crc32_seed(key, 0xFFFFFFFF)).final())


def _crct10dif() -> Form:
    from reference.crc import CRCT10DIF

    return Form(NAME, lambda v: (CRCT10DIF(v.input).final(), b""))


_BUILDERS: dict[str, Builder] = {
    "ecb(aes)": _mode("ecb"),
    "cbc(aes)": _mode("cbc"),
    "ctr(aes)": _mode("ctr"),
    "ctr32(aes)": _mode("ctr32"),
    "cts(cbc(aes))": _cts,
    "xts(aes)": _xts,
    "essiv(cbc(aes),sha256)": _essiv,
    "chacha20": _chacha(20),
    "chacha12": _chacha(12),
    "xchacha20": _xchacha(20),
    "xchacha12": _xchacha(12),
    "cbcmac(aes)": _block_mac("cbcmac"),
    "cmac(aes)": _block_mac("cmac"),
    "xcbc(aes)": _block_mac("xcbc"),
    "ghash": _ghash,
    "crc32": _crc32,
    "crc32c": _crc32c,
    "crct10dif": _crct10dif,
    "md5": _hash("md5", "MD5"),
    "sha1": _hash("sha1", "SHA1"),
    "sha224": _hash("sha256", "SHA224"),
    "sha256": _hash("sha256", "SHA256"),
    "sha384": _hash("sha512", "SHA384"),
    "sha512": _hash("sha512", "SHA512"),
    "gcm(aes)": _gcm,
    "ccm(aes)": _ccm,
    "rfc4106(gcm(aes))": _rfc4106,
    "rfc4309(ccm(aes))": _rfc4309,
}


@cache
def form(algorithm: str) -> Form:
    """The implementation of an algorithm by its kernel name; KeyError for an unknown one."""
    return _BUILDERS[algorithm]()
