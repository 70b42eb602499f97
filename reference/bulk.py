"""Many AES blocks at once (ECB order), by whichever form is fastest for their number."""

from __future__ import annotations

from collections.abc import Callable

from reference.aes import AES, BLOCK_SIZE


def xor(a: bytes, b: bytes) -> bytes:
    """Exclusive or of two byte strings of the same length (ValueError otherwise)."""
    if len(a) != len(b):
        raise ValueError(f"cannot xor {len(a)} bytes with {len(b)}")
    return (int.from_bytes(a, "little") ^ int.from_bytes(b, "little")).to_bytes(len(a), "little")


def encrypt_blocks(aes: AES, blocks: bytes) -> bytes:
    """Encrypt each block of 16 bytes on its own; ValueError unless all are whole."""
    return _each(aes.encrypt_number, blocks)


def decrypt_blocks(aes: AES, blocks: bytes) -> bytes:
    """Decrypt each block of 16 bytes on its own; ValueError unless all are whole."""
    return _each(aes.decrypt_number, blocks)


def _each(crypt: Callable[[int], int], blocks: bytes) -> bytes:
    if len(blocks) % BLOCK_SIZE:
        raise ValueError(f"{len(blocks)} bytes are not whole blocks of 16")
    return b"".join(
        crypt(int.from_bytes(blocks[i : i + BLOCK_SIZE], "big")).to_bytes(BLOCK_SIZE, "big")
        for i in range(0, len(blocks), BLOCK_SIZE)
    )
