"""Many AES blocks at once (ECB order), by whichever form is faster for their number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from reference.aes import AES, BLOCK_SIZE

Direction = Literal["encrypt", "decrypt"]

FEWEST_BLOCKS_IN_PLANES = 40
"""From here on bit planes beat tables."""

_MOST_BLOCKS_IN_PLANES = 2048
"""Larger planes leave the processor's caches."""


def xor(a: bytes, b: bytes) -> bytes:
    """Exclusive or of two byte strings of the same length (ValueError otherwise)."""
    if len(a) != len(b):
        raise ValueError(f"cannot xor {len(a)} bytes with {len(b)}")
    return (int.from_bytes(a, "little") ^ int.from_bytes(b, "little")).to_bytes(len(a), "little")


def encrypt_blocks(aes: AES, blocks: bytes) -> bytes:
    """Encrypt each block of 16 bytes on its own; ValueError unless all are whole."""
    return _crypt(aes, blocks, aes.encrypt_number, "encrypt")


def decrypt_blocks(aes: AES, blocks: bytes) -> bytes:
    """Decrypt each block of 16 bytes on its own; ValueError unless all are whole."""
    return _crypt(aes, blocks, aes.decrypt_number, "decrypt")


def _crypt(
    aes: AES, blocks: bytes, by_tables: Callable[[int], int], direction: Direction
) -> bytes:
    if len(blocks) % BLOCK_SIZE:
        raise ValueError(f"{len(blocks)} bytes are not whole blocks of 16")
    output = []
    chunk = _MOST_BLOCKS_IN_PLANES * BLOCK_SIZE
    for start in range(0, len(blocks), chunk):
        part = blocks[start : start + chunk]
        if len(part) >= FEWEST_BLOCKS_IN_PLANES * BLOCK_SIZE:
            from reference import bitslice

            by_planes = bitslice.encrypt if direction == "encrypt" else bitslice.decrypt
            output.append(by_planes(aes.round_keys, part))
            continue
        output.extend(
            by_tables(int.from_bytes(part[i : i + BLOCK_SIZE], "big")).to_bytes(BLOCK_SIZE, "big")
            for i in range(0, len(part), BLOCK_SIZE)
        )
    return b"".join(output)
