"""The ChaCha block function exactly as RFC 8439 section 2 writes it down.

`reference.chacha` works on many blocks at once and is checked against this.
"""

from __future__ import annotations

import struct

CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
"""The first row of the state: "expand 32-byte k" (section 2.3)."""

_MASK = 0xFFFFFFFF


def quarter_round(state: list[int], a: int, b: int, c: int, d: int) -> None:
    """QUARTERROUND on four words of the state, in place (sections 2.1 and 2.2)."""
    for x, y, z, distance in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[x] = (state[x] + state[y]) & _MASK
        word = state[z] ^ state[x]
        state[z] = (word << distance | word >> (32 - distance)) & _MASK


def permute(state: list[int], rounds: int = 20) -> list[int]:
    """`rounds` rounds, columns and diagonals in turn (section 2.3)."""
    state = list(state)
    for _ in range(rounds // 2):
        quarter_round(state, 0, 4, 8, 12)
        quarter_round(state, 1, 5, 9, 13)
        quarter_round(state, 2, 6, 10, 14)
        quarter_round(state, 3, 7, 11, 15)
        quarter_round(state, 0, 5, 10, 15)
        quarter_round(state, 1, 6, 11, 12)
        quarter_round(state, 2, 7, 8, 13)
        quarter_round(state, 3, 4, 9, 14)
    return state


def block(key: bytes, counter: int, nonce: bytes, rounds: int = 20) -> bytes:
    """chacha20_block: 64 bytes from a key of 32, a 32-bit counter and a nonce of 12 bytes."""
    start = [*CONSTANTS, *struct.unpack("<8L", key), counter, *struct.unpack("<3L", nonce)]
    words = permute(start, rounds)
    return struct.pack("<16L", *((x + y) & _MASK for x, y in zip(words, start, strict=True)))


def hchacha(key: bytes, nonce: bytes, rounds: int = 20) -> bytes:
    """HChaCha: 32 bytes from a key of 32 and a nonce of 16 (draft-irtf-cfrg-xchacha, 2.2)."""
    words = permute([*CONSTANTS, *struct.unpack("<8L", key), *struct.unpack("<4L", nonce)], rounds)
    return struct.pack("<8L", *words[:4], *words[12:])


def crypt(key: bytes, counter: int, nonce: bytes, data: bytes, rounds: int = 20) -> bytes:
    """chacha20_encrypt, block by block; the counter wraps at 2^32 (section 2.4)."""
    output = bytearray()
    for start in range(0, len(data), 64):
        stream = block(key, (counter + start // 64) & _MASK, nonce, rounds)
        output += bytes(a ^ b for a, b in zip(data[start : start + 64], stream, strict=False))
    return bytes(output)
