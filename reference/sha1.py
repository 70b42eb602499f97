"""SHA-1 (FIPS 180-4 sections 4.1.1, 5.3.1 and 6.1)."""

from __future__ import annotations

import struct

from reference.merkle_damgard import MerkleDamgard

_MASK = 0xFFFFFFFF


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
        for message in struct.iter_unpack(">16L", blocks):
            w = list(message)
            for t in range(16, 80):
                word = w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]
                w.append((word << 1 | word >> 31) & _MASK)
            state = _rounds(state, w)
        return state


def _rounds(state: tuple[int, ...], w: list[int]) -> tuple[int, ...]:
    a, b, c, d, e = state
    for word in w[:20]:
        f = d ^ (b & (c ^ d))
        a, b, c, d, e = (
            ((a << 5 | a >> 27) + f + e + 0x5A827999 + word) & _MASK,
            a, (b << 30 | b >> 2) & _MASK, c, d,
        )
    for word in w[20:40]:
        a, b, c, d, e = (
            ((a << 5 | a >> 27) + (b ^ c ^ d) + e + 0x6ED9EBA1 + word) & _MASK,
            a, (b << 30 | b >> 2) & _MASK, c, d,
        )
    for word in w[40:60]:
        f = (b & c) | (d & (b | c))
        a, b, c, d, e = (
            ((a << 5 | a >> 27) + f + e + 0x8F1BBCDC + word) & _MASK,
            a, (b << 30 | b >> 2) & _MASK, c, d,
        )
    for word in w[60:]:
        a, b, c, d, e = (
            ((a << 5 | a >> 27) + (b ^ c ^ d) + e + 0xCA62C1D6 + word) & _MASK,
            a, (b << 30 | b >> 2) & _MASK, c, d,
        )
    return tuple((old + new) & _MASK for old, new in zip(state, (a, b, c, d, e), strict=True))
