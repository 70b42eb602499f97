"""ESSIV: an IV that nobody without the key can tell (dm-crypt's essiv(cbc(aes),sha256)).

The IV is encrypted under a salt, which is the SHA-256 digest of the key (kernel:
Documentation/admin-guide/device-mapper/dm-crypt.rst, crypto/essiv.c).
"""

from __future__ import annotations

from reference.aes import AES
from reference.modes import CBCDecryption, CBCEncryption
from reference.sha256 import SHA256


def essiv(key: bytes, iv: bytes) -> bytes:
    """E(SHA-256(key), iv): the IV that CBC gets; `iv` has 16 bytes."""
    return AES(SHA256(key).final()).encrypt_block(iv)


class ESSIVCBCEncryption(CBCEncryption):
    """CBC encryption under an encrypted IV."""

    def __init__(self, key: bytes, iv: bytes) -> None:
        super().__init__(key, essiv(key, iv))


class ESSIVCBCDecryption(CBCDecryption):
    """CBC decryption under an encrypted IV."""

    def __init__(self, key: bytes, iv: bytes) -> None:
        super().__init__(key, essiv(key, iv))


def essiv_cbc_encrypt(key: bytes, iv: bytes, plaintext: bytes) -> bytes:
    """essiv(cbc(aes),sha256) encryption; ValueError unless all blocks are whole."""
    stream = ESSIVCBCEncryption(key, iv)
    return stream.update(plaintext) + stream.final()


def essiv_cbc_decrypt(key: bytes, iv: bytes, ciphertext: bytes) -> bytes:
    """essiv(cbc(aes),sha256) decryption; ValueError unless all blocks are whole."""
    stream = ESSIVCBCDecryption(key, iv)
    return stream.update(ciphertext) + stream.final()
