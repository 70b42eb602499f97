"""Expanded AES keys in the byte orders that AES instructions, the kernel and engines want.

Every function takes a key of 16, 24 or 32 bytes (ValueError for another length).
"""

from __future__ import annotations

import struct
from typing import Literal

from reference.aes import AES

ByteOrder = Literal["little", "big"]

MAX_ROUND_KEY_WORDS = 60


def encryption_schedule(key: bytes) -> bytes:
    """w[0] .. w[4*Nr+3] in FIPS 197 byte order: 16 * (Nr + 1) bytes.

    This is what `aese` (arm64) and `aesenc` (x86) read, one round key after the other.
    """
    return b"".join(AES(key).round_keys)


def decryption_schedule(key: bytes) -> bytes:
    """Round keys for `aesd`/`aesimc` and `aesdec`: 16 * (Nr + 1) bytes in the order of use.

    The equivalent inverse cipher of FIPS 197 section 5.3.5: the last round key of the
    encryption schedule first, InvMixColumns applied to all but the first and the last.
    """
    return b"".join(AES(key).inverse_round_keys)


def realtek_decryption_key(key: bytes) -> bytes:
    """The key block the Realtek engine wants for ECB and CBC decryption: `len(key)` bytes.

    The end of the encryption schedule: its last round key, then for longer keys the words
    just before it (192 bits: w[48..51], w[46..47]; 256 bits: w[56..59], w[52..55]).
    """
    schedule = encryption_schedule(key)
    extra = len(key) - 16
    return schedule[-16:] + schedule[-16 - extra : -16]


def crypto_aes_ctx(key: bytes, byteorder: ByteOrder = "little") -> bytes:
    """The kernel's struct crypto_aes_ctx as it lies in memory: 484 bytes.

    `key_enc` and `key_dec` are 60 words each, unused ones zero, then `key_length`
    (include/crypto/aes.h). The words hold FIPS 197 bytes read as little-endian numbers,
    so only a big-endian CPU shows them swapped in memory.
    """
    order = "<" if byteorder == "little" else ">"
    fields = b""
    for schedule in (encryption_schedule(key), decryption_schedule(key)):
        words = struct.unpack(f"<{len(schedule) // 4}L", schedule)
        padded = words + (0,) * (MAX_ROUND_KEY_WORDS - len(words))
        fields += struct.pack(f"{order}{MAX_ROUND_KEY_WORDS}L", *padded)
    return fields + struct.pack(f"{order}L", len(key))
