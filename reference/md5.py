"""MD5 (RFC 1321), in the words of its section 3.4."""

from __future__ import annotations

import math
import struct

from reference.merkle_damgard import MerkleDamgard

_MASK = 0xFFFFFFFF
T = tuple(math.floor(abs(math.sin(i)) * 2**32) for i in range(1, 65))
"""The table T[1..64] of section 3.4, step 4."""


class MD5(MerkleDamgard):
    """MD5; the exported state is struct md5_state (88 bytes: hash[4], block[16], byte_count)."""

    name = "md5"
    digest_size = 16
    block_size = 64
    word_size = 4
    byteorder = "little"
    initial_state = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)
    state_size = 88
    _buffer_offset = 16
    _count_offset = 80

    __slots__ = ()

    @classmethod
    def _compress(cls, state: tuple[int, ...], blocks: bytes) -> tuple[int, ...]:
        a, b, c, d = state
        for x in struct.iter_unpack("<16L", blocks):
            aa, bb, cc, dd = a, b, c, d
            a, b, c, d = _round_1(a, b, c, d, x)
            a, b, c, d = _round_2(a, b, c, d, x)
            a, b, c, d = _round_3(a, b, c, d, x)
            a, b, c, d = _round_4(a, b, c, d, x)
            a, b = (a + aa) & _MASK, (b + bb) & _MASK
            c, d = (c + cc) & _MASK, (d + dd) & _MASK
        return a, b, c, d


Four = tuple[int, int, int, int]


def _round_1(a: int, b: int, c: int, d: int, x: tuple[int, ...]) -> Four:
    """F(X,Y,Z) = XY v not(X) Z, words in order, shifts 7 12 17 22."""
    for i in range(0, 16, 4):
        a = (a + (d ^ (b & (c ^ d))) + x[i] + T[i]) & _MASK
        a = (b + (a << 7 | a >> 25)) & _MASK
        d = (d + (c ^ (a & (b ^ c))) + x[i + 1] + T[i + 1]) & _MASK
        d = (a + (d << 12 | d >> 20)) & _MASK
        c = (c + (b ^ (d & (a ^ b))) + x[i + 2] + T[i + 2]) & _MASK
        c = (d + (c << 17 | c >> 15)) & _MASK
        b = (b + (a ^ (c & (d ^ a))) + x[i + 3] + T[i + 3]) & _MASK
        b = (c + (b << 22 | b >> 10)) & _MASK
    return a, b, c, d


def _round_2(a: int, b: int, c: int, d: int, x: tuple[int, ...]) -> Four:
    """G(X,Y,Z) = XZ v Y not(Z), every fifth word from 1, shifts 5 9 14 20."""
    for i in range(16, 32, 4):
        k = 5 * i + 1
        a = (a + (c ^ (d & (b ^ c))) + x[k & 15] + T[i]) & _MASK
        a = (b + (a << 5 | a >> 27)) & _MASK
        d = (d + (b ^ (c & (a ^ b))) + x[k + 5 & 15] + T[i + 1]) & _MASK
        d = (a + (d << 9 | d >> 23)) & _MASK
        c = (c + (a ^ (b & (d ^ a))) + x[k + 10 & 15] + T[i + 2]) & _MASK
        c = (d + (c << 14 | c >> 18)) & _MASK
        b = (b + (d ^ (a & (c ^ d))) + x[k + 15 & 15] + T[i + 3]) & _MASK
        b = (c + (b << 20 | b >> 12)) & _MASK
    return a, b, c, d


def _round_3(a: int, b: int, c: int, d: int, x: tuple[int, ...]) -> Four:
    """H(X,Y,Z) = X xor Y xor Z, every third word from 5, shifts 4 11 16 23."""
    for i in range(32, 48, 4):
        k = 3 * i + 5
        a = (a + (b ^ c ^ d) + x[k & 15] + T[i]) & _MASK
        a = (b + (a << 4 | a >> 28)) & _MASK
        d = (d + (a ^ b ^ c) + x[k + 3 & 15] + T[i + 1]) & _MASK
        d = (a + (d << 11 | d >> 21)) & _MASK
        c = (c + (d ^ a ^ b) + x[k + 6 & 15] + T[i + 2]) & _MASK
        c = (d + (c << 16 | c >> 16)) & _MASK
        b = (b + (c ^ d ^ a) + x[k + 9 & 15] + T[i + 3]) & _MASK
        b = (c + (b << 23 | b >> 9)) & _MASK
    return a, b, c, d


def _round_4(a: int, b: int, c: int, d: int, x: tuple[int, ...]) -> Four:
    """I(X,Y,Z) = Y xor (X v not(Z)), every seventh word from 0, shifts 6 10 15 21."""
    for i in range(48, 64, 4):
        k = 7 * i
        a = (a + (c ^ (b | (d ^ _MASK))) + x[k & 15] + T[i]) & _MASK
        a = (b + (a << 6 | a >> 26)) & _MASK
        d = (d + (b ^ (a | (c ^ _MASK))) + x[k + 7 & 15] + T[i + 1]) & _MASK
        d = (a + (d << 10 | d >> 22)) & _MASK
        c = (c + (a ^ (d | (b ^ _MASK))) + x[k + 14 & 15] + T[i + 2]) & _MASK
        c = (d + (c << 15 | c >> 17)) & _MASK
        b = (b + (d ^ (c | (a ^ _MASK))) + x[k + 21 & 15] + T[i + 3]) & _MASK
        b = (c + (b << 21 | b >> 11)) & _MASK
    return a, b, c, d
