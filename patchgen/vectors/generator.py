"""Bytes from a small generator, so that a long input is stored as its length and a seed.

A linear congruential generator modulo 2^64 (Knuth, MMIX): each step multiplies and adds,
and the top byte of the state is the next byte. Its start is `seed * 2^32 + length`, so
inputs of different lengths share nothing.
"""

from __future__ import annotations

from functools import lru_cache

MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407
_MASK = (1 << 64) - 1

INPUT, KEY, IV, AAD = range(4)
"""What bytes are for: added to a seed, so that key and input differ."""


@lru_cache(maxsize=4096)
def generate(length: int, seed: int = 0) -> bytes:
    """`length` bytes that depend on length and seed alone."""
    state = (seed << 32) + length
    output = bytearray()
    for _ in range(length):
        state = (state * MULTIPLIER + INCREMENT) & _MASK
        output.append(state >> 56)
    return bytes(output)
