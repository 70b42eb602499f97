"""SHA-256 and SHA-224 (FIPS 180-4 sections 4.1.2, 5.3.2, 5.3.3, 6.2 and 6.3)."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from reference import lanes
from reference.merkle_damgard import MerkleDamgard
from reference.primes import cube_root_fraction, first_primes, square_root_fraction

_MASK = 0xFFFFFFFF
_TWICE = 0x100000001
"""Times this, a 32-bit word stands twice in a row: a right shift then rotates it."""

K = tuple(cube_root_fraction(p, 32) for p in first_primes(64))
"""The constants K of section 4.2.2."""

_FEWEST_BLOCKS_IN_LANES = 6
_MOST_BLOCKS_IN_LANES = 256


class SHA256(MerkleDamgard):
    """SHA-256; the state is struct sha256_state (104 bytes: state[8], count, buf[64])."""

    name = "sha256"
    digest_size = 32
    block_size = 64
    word_size = 4
    byteorder = "big"
    initial_state = tuple(square_root_fraction(p, 32) for p in first_primes(8))
    state_size = 104
    _count_offset = 32
    _buffer_offset = 40

    __slots__ = ()

    @classmethod
    def _compress(cls, state: tuple[int, ...], blocks: bytes) -> tuple[int, ...]:
        chunk = _MOST_BLOCKS_IN_LANES * cls.block_size
        for start in range(0, len(blocks), chunk):
            state = _rounds(state, _schedule(blocks[start : start + chunk]))
        return state


class SHA224(SHA256):
    """SHA-224: SHA-256 from another start, cut to 28 bytes (section 6.3)."""

    name = "sha224"
    digest_size = 28
    initial_state = tuple(square_root_fraction(p, 64) & _MASK for p in first_primes(16)[8:])

    __slots__ = ()


def _schedule(blocks: bytes) -> Iterable[tuple[int, ...]]:
    """W[t] + K[t] for t = 0..63 of every block (section 6.2.2 step 1)."""
    if len(blocks) < _FEWEST_BLOCKS_IN_LANES * 64:
        return [_schedule_one(message) for message in struct.iter_unpack(">16L", blocks)]
    count = len(blocks) // 64
    mask = lanes.repeat(_MASK, 4, count)
    w = lanes.split(blocks, 4)
    for t in range(16, 64):
        w15, w2 = w[t - 15], w[t - 2]
        twice15, twice2 = w15 | w15 << 32, w2 | w2 << 32
        sigma0 = (twice15 >> 7 ^ twice15 >> 18 ^ w15 >> 3) & mask
        sigma1 = (twice2 >> 17 ^ twice2 >> 19 ^ w2 >> 10) & mask
        w.append((sigma1 + w[t - 7] + sigma0 + w[t - 16]) & mask)
    constants = lanes.repeat_all(K, 4, count)
    return lanes.merge((x + k for x, k in zip(w, constants, strict=True)), 4, count)


def _schedule_one(message: tuple[int, ...]) -> tuple[int, ...]:
    w = list(message)
    for t in range(16, 64):
        w15, w2 = w[t - 15], w[t - 2]
        twice15, twice2 = w15 * _TWICE, w2 * _TWICE
        sigma0 = twice15 >> 7 ^ twice15 >> 18 ^ w15 >> 3
        sigma1 = twice2 >> 17 ^ twice2 >> 19 ^ w2 >> 10
        w.append(((sigma1 & _MASK) + w[t - 7] + (sigma0 & _MASK) + w[t - 16]) & _MASK)
    return tuple(x + k for x, k in zip(w, K, strict=True))


def _rounds(state: tuple[int, ...], schedule: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """Steps 2 to 4 of section 6.2.2 for every block, `schedule` holding W[t] + K[t].

    Eight rounds a turn bring each variable back to its name: instead of moving a to b and
    so on, the next round reads the names one further. T1 keeps bits above 32 until the
    masks of the new a and e. Maj(a,b,c) is ((a ^ b) & (b ^ c)) ^ b, and the a ^ b of one
    round is the b ^ c of the next.
    """
    mask, twice = _MASK, _TWICE
    a, b, c, d, e, f, g, h = state
    for words in schedule:
        before = (a, b, c, d, e, f, g, h)
        b_c = b ^ c
        eights = [iter(words)] * 8
        for k0, k1, k2, k3, k4, k5, k6, k7 in zip(*eights, strict=True):
            w = e * twice
            t = (g ^ e & (f ^ g)) + h + k0 + (w >> 6 ^ w >> 11 ^ w >> 25)
            d, w, a_b = d + t & mask, a * twice, a ^ b
            h = (a_b & b_c ^ b) + (w >> 2 ^ w >> 13 ^ w >> 22) + t & mask
            w = d * twice
            t = (f ^ d & (e ^ f)) + g + k1 + (w >> 6 ^ w >> 11 ^ w >> 25)
            c, w, b_c = c + t & mask, h * twice, h ^ a
            g = (b_c & a_b ^ a) + (w >> 2 ^ w >> 13 ^ w >> 22) + t & mask
            w = c * twice
            t = (e ^ c & (d ^ e)) + f + k2 + (w >> 6 ^ w >> 11 ^ w >> 25)
            b, w, a_b = b + t & mask, g * twice, g ^ h
            f = (a_b & b_c ^ h) + (w >> 2 ^ w >> 13 ^ w >> 22) + t & mask
            w = b * twice
            t = (d ^ b & (c ^ d)) + e + k3 + (w >> 6 ^ w >> 11 ^ w >> 25)
            a, w, b_c = a + t & mask, f * twice, f ^ g
            e = (b_c & a_b ^ g) + (w >> 2 ^ w >> 13 ^ w >> 22) + t & mask
            w = a * twice
            t = (c ^ a & (b ^ c)) + d + k4 + (w >> 6 ^ w >> 11 ^ w >> 25)
            h, w, a_b = h + t & mask, e * twice, e ^ f
            d = (a_b & b_c ^ f) + (w >> 2 ^ w >> 13 ^ w >> 22) + t & mask
            w = h * twice
            t = (b ^ h & (a ^ b)) + c + k5 + (w >> 6 ^ w >> 11 ^ w >> 25)
            g, w, b_c = g + t & mask, d * twice, d ^ e
            c = (b_c & a_b ^ e) + (w >> 2 ^ w >> 13 ^ w >> 22) + t & mask
            w = g * twice
            t = (a ^ g & (h ^ a)) + b + k6 + (w >> 6 ^ w >> 11 ^ w >> 25)
            f, w, a_b = f + t & mask, c * twice, c ^ d
            b = (a_b & b_c ^ d) + (w >> 2 ^ w >> 13 ^ w >> 22) + t & mask
            w = f * twice
            t = (h ^ f & (g ^ h)) + a + k7 + (w >> 6 ^ w >> 11 ^ w >> 25)
            e, w, b_c = e + t & mask, b * twice, b ^ c
            a = (b_c & a_b ^ c) + (w >> 2 ^ w >> 13 ^ w >> 22) + t & mask
        after = (a, b, c, d, e, f, g, h)
        a, b, c, d, e, f, g, h = [x + y & mask for x, y in zip(before, after, strict=True)]
    return a, b, c, d, e, f, g, h
