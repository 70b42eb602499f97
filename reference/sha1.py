"""SHA-1 (FIPS 180-4 sections 4.1.1, 4.2.1, 5.3.1 and 6.1)."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from reference import lanes
from reference.merkle_damgard import MerkleDamgard

_MASK = 0xFFFFFFFF
_TWICE = 0x100000001
"""Times this, a 32-bit word stands twice in a row: a right shift then rotates it."""

K = tuple(k for k in (0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6) for _ in range(20))
"""The constants K of section 4.2.1, one for each t."""

Words = tuple[int, ...]
Five = tuple[int, int, int, int, int]

_FEWEST_BLOCKS_IN_LANES = 4
_MOST_BLOCKS_IN_LANES = 256


class SHA1(MerkleDamgard):
    """SHA-1; the exported state is struct sha1_state (96 bytes: state[5], count, buffer[64])."""

    name = "sha1"
    digest_size = 20
    block_size = 64
    word_size = 4
    byteorder = "big"
    initial_state = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0)
    state_size = 96
    _count_offset = 24
    _buffer_offset = 32

    __slots__ = ()

    @classmethod
    def _compress(cls, state: tuple[int, ...], blocks: bytes) -> tuple[int, ...]:
        chunk = _MOST_BLOCKS_IN_LANES * cls.block_size
        for start in range(0, len(blocks), chunk):
            for words in _schedule(blocks[start : start + chunk]):
                state = _rounds(state, words)
        return state


def _schedule(blocks: bytes) -> Iterable[Words]:
    """W[t] + K[t] for t = 0..79 of every block (section 6.1.2 step 1)."""
    if len(blocks) < _FEWEST_BLOCKS_IN_LANES * 64:
        return [_schedule_one(message) for message in struct.iter_unpack(">16L", blocks)]
    count = len(blocks) // 64
    mask = lanes.repeat(_MASK, 4, count)
    w = lanes.split(blocks, 4)
    for t in range(16, 80):
        word = w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]
        w.append((word << 1 | word >> 31) & mask)
    constants = lanes.repeat_all(K, 4, count)
    return lanes.merge((x + k for x, k in zip(w, constants, strict=True)), 4, count)


def _schedule_one(message: Words) -> Words:
    w = list(message)
    for t in range(16, 80):
        word = w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]
        w.append((word << 1 | word >> 31) & _MASK)
    return tuple(x + k for x, k in zip(w, K, strict=True))


def _rounds(state: tuple[int, ...], words: Words) -> tuple[int, ...]:
    """Steps 2 to 4 of section 6.1.2; `words` holds W[t] + K[t].

    Five rounds a turn bring each variable back to its name. What a round doubles for
    ROTL5(a) is what the next one needs for ROTL30(b).
    """
    a, b, c, d, e = state
    five = _choosing(a, b, c, d, e, words[:20])
    five = _parity(*five, words[20:40])
    five = _majority(*five, words[40:60])
    five = _parity(*five, words[60:])
    return tuple([x + y & _MASK for x, y in zip(state, five, strict=True)])


def _choosing(a: int, b: int, c: int, d: int, e: int, words: Words) -> Five:
    """Twenty rounds of Ch(b, c, d) = (b and c) xor (not b and d)."""
    mask, twice = _MASK, _TWICE
    y = b * twice
    fives = [iter(words)] * 5
    for w0, w1, w2, w3, w4 in zip(*fives, strict=True):
        x = a * twice
        e = e + w0 + (d ^ b & (c ^ d)) + (x >> 27) & mask
        b = y >> 2 & mask
        y = e * twice
        d = d + w1 + (c ^ a & (b ^ c)) + (y >> 27) & mask
        a = x >> 2 & mask
        x = d * twice
        c = c + w2 + (b ^ e & (a ^ b)) + (x >> 27) & mask
        e = y >> 2 & mask
        y = c * twice
        b = b + w3 + (a ^ d & (e ^ a)) + (y >> 27) & mask
        d = x >> 2 & mask
        x = b * twice
        a = a + w4 + (e ^ c & (d ^ e)) + (x >> 27) & mask
        c = y >> 2 & mask
        y = x
    return a, b, c, d, e


def _parity(a: int, b: int, c: int, d: int, e: int, words: Words) -> Five:
    """Twenty rounds of Parity(b, c, d) = b xor c xor d."""
    mask, twice = _MASK, _TWICE
    y = b * twice
    fives = [iter(words)] * 5
    for w0, w1, w2, w3, w4 in zip(*fives, strict=True):
        x = a * twice
        e = e + w0 + (b ^ c ^ d) + (x >> 27) & mask
        b = y >> 2 & mask
        y = e * twice
        d = d + w1 + (a ^ b ^ c) + (y >> 27) & mask
        a = x >> 2 & mask
        x = d * twice
        c = c + w2 + (e ^ a ^ b) + (x >> 27) & mask
        e = y >> 2 & mask
        y = c * twice
        b = b + w3 + (d ^ e ^ a) + (y >> 27) & mask
        d = x >> 2 & mask
        x = b * twice
        a = a + w4 + (c ^ d ^ e) + (x >> 27) & mask
        c = y >> 2 & mask
        y = x
    return a, b, c, d, e


def _majority(a: int, b: int, c: int, d: int, e: int, words: Words) -> Five:
    """Twenty rounds of Maj(b, c, d), the value that two of three bits have."""
    mask, twice = _MASK, _TWICE
    y = b * twice
    fives = [iter(words)] * 5
    for w0, w1, w2, w3, w4 in zip(*fives, strict=True):
        x = a * twice
        e = e + w0 + (b & c | d & (b | c)) + (x >> 27) & mask
        b = y >> 2 & mask
        y = e * twice
        d = d + w1 + (a & b | c & (a | b)) + (y >> 27) & mask
        a = x >> 2 & mask
        x = d * twice
        c = c + w2 + (e & a | b & (e | a)) + (x >> 27) & mask
        e = y >> 2 & mask
        y = c * twice
        b = b + w3 + (d & e | a & (d | e)) + (y >> 27) & mask
        d = x >> 2 & mask
        x = b * twice
        a = a + w4 + (c & d | e & (c | d)) + (x >> 27) & mask
        c = y >> 2 & mask
        y = x
    return a, b, c, d, e
