"""SHA-512 and SHA-384 (FIPS 180-4 sections 4.1.3, 5.3.4, 5.3.5, 6.4 and 6.5)."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from reference import lanes
from reference.merkle_damgard import MerkleDamgard
from reference.primes import cube_root_fraction, first_primes, square_root_fraction

_MASK = 0xFFFFFFFFFFFFFFFF
_TWICE = 0x10000000000000001
"""Times this, a 64-bit word stands twice in a row: a right shift then rotates it."""

K = tuple(cube_root_fraction(p, 64) for p in first_primes(80))
"""The constants K of section 4.2.3."""

_FEWEST_BLOCKS_IN_LANES = 6
_MOST_BLOCKS_IN_LANES = 128


class SHA512(MerkleDamgard):
    """SHA-512; the state is struct sha512_state (208 bytes: state[8], count[2], buf[128])."""

    name = "sha512"
    digest_size = 64
    block_size = 128
    word_size = 8
    byteorder = "big"
    initial_state = tuple(square_root_fraction(p, 64) for p in first_primes(8))
    state_size = 208
    _count_offset = 64
    _buffer_offset = 80

    __slots__ = ()

    @classmethod
    def _compress(cls, state: tuple[int, ...], blocks: bytes) -> tuple[int, ...]:
        chunk = _MOST_BLOCKS_IN_LANES * cls.block_size
        for start in range(0, len(blocks), chunk):
            state = _rounds(state, _schedule(blocks[start : start + chunk]))
        return state


class SHA384(SHA512):
    """SHA-384: SHA-512 from another start, cut to 48 bytes (section 6.5)."""

    name = "sha384"
    digest_size = 48
    initial_state = tuple(square_root_fraction(p, 64) for p in first_primes(16)[8:])

    __slots__ = ()


def _schedule(blocks: bytes) -> Iterable[tuple[int, ...]]:
    """W[t] + K[t] for t = 0..79 of every block (section 6.4.2 step 1)."""
    if len(blocks) < _FEWEST_BLOCKS_IN_LANES * 128:
        return [_schedule_one(message) for message in struct.iter_unpack(">16Q", blocks)]
    count = len(blocks) // 128
    mask = lanes.repeat(_MASK, 8, count)
    w = lanes.split(blocks, 8)
    for t in range(16, 80):
        w15, w2 = w[t - 15], w[t - 2]
        twice15, twice2 = w15 | w15 << 64, w2 | w2 << 64
        sigma0 = (twice15 >> 1 ^ twice15 >> 8 ^ w15 >> 7) & mask
        sigma1 = (twice2 >> 19 ^ twice2 >> 61 ^ w2 >> 6) & mask
        w.append((sigma1 + w[t - 7] + sigma0 + w[t - 16]) & mask)
    constants = lanes.repeat_all(K, 8, count)
    return lanes.merge((x + k for x, k in zip(w, constants, strict=True)), 8, count)


def _schedule_one(message: tuple[int, ...]) -> tuple[int, ...]:
    w = list(message)
    for t in range(16, 80):
        w15, w2 = w[t - 15], w[t - 2]
        twice15, twice2 = w15 * _TWICE, w2 * _TWICE
        sigma0 = twice15 >> 1 ^ twice15 >> 8 ^ w15 >> 7
        sigma1 = twice2 >> 19 ^ twice2 >> 61 ^ w2 >> 6
        w.append(((sigma1 & _MASK) + w[t - 7] + (sigma0 & _MASK) + w[t - 16]) & _MASK)
    return tuple(x + k for x, k in zip(w, K, strict=True))


def _rounds(state: tuple[int, ...], schedule: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """Steps 2 to 4 of section 6.4.2 for every block, `schedule` holding W[t] + K[t].

    Eight rounds a turn bring each variable back to its name: instead of moving a to b and
    so on, the next round reads the names one further. T1 keeps bits above 64 until the
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
            t = (g ^ e & (f ^ g)) + h + k0 + (w >> 14 ^ w >> 18 ^ w >> 41)
            d, w, a_b = d + t & mask, a * twice, a ^ b
            h = (a_b & b_c ^ b) + (w >> 28 ^ w >> 34 ^ w >> 39) + t & mask
            w = d * twice
            t = (f ^ d & (e ^ f)) + g + k1 + (w >> 14 ^ w >> 18 ^ w >> 41)
            c, w, b_c = c + t & mask, h * twice, h ^ a
            g = (b_c & a_b ^ a) + (w >> 28 ^ w >> 34 ^ w >> 39) + t & mask
            w = c * twice
            t = (e ^ c & (d ^ e)) + f + k2 + (w >> 14 ^ w >> 18 ^ w >> 41)
            b, w, a_b = b + t & mask, g * twice, g ^ h
            f = (a_b & b_c ^ h) + (w >> 28 ^ w >> 34 ^ w >> 39) + t & mask
            w = b * twice
            t = (d ^ b & (c ^ d)) + e + k3 + (w >> 14 ^ w >> 18 ^ w >> 41)
            a, w, b_c = a + t & mask, f * twice, f ^ g
            e = (b_c & a_b ^ g) + (w >> 28 ^ w >> 34 ^ w >> 39) + t & mask
            w = a * twice
            t = (c ^ a & (b ^ c)) + d + k4 + (w >> 14 ^ w >> 18 ^ w >> 41)
            h, w, a_b = h + t & mask, e * twice, e ^ f
            d = (a_b & b_c ^ f) + (w >> 28 ^ w >> 34 ^ w >> 39) + t & mask
            w = h * twice
            t = (b ^ h & (a ^ b)) + c + k5 + (w >> 14 ^ w >> 18 ^ w >> 41)
            g, w, b_c = g + t & mask, d * twice, d ^ e
            c = (b_c & a_b ^ e) + (w >> 28 ^ w >> 34 ^ w >> 39) + t & mask
            w = g * twice
            t = (a ^ g & (h ^ a)) + b + k6 + (w >> 14 ^ w >> 18 ^ w >> 41)
            f, w, a_b = f + t & mask, c * twice, c ^ d
            b = (a_b & b_c ^ d) + (w >> 28 ^ w >> 34 ^ w >> 39) + t & mask
            w = f * twice
            t = (h ^ f & (g ^ h)) + a + k7 + (w >> 14 ^ w >> 18 ^ w >> 41)
            e, w, b_c = e + t & mask, b * twice, b ^ c
            a = (b_c & a_b ^ c) + (w >> 28 ^ w >> 34 ^ w >> 39) + t & mask
        after = (a, b, c, d, e, f, g, h)
        a, b, c, d, e, f, g, h = [x + y & mask for x, y in zip(before, after, strict=True)]
    return a, b, c, d, e, f, g, h
