"""AES on many blocks at once: bit planes held in big integers (FIPS 197, bit-sliced).

Plane p of a message is one integer; its bit i is bit p (0 is the most significant) of
byte i. One exclusive or of two planes then works on every byte of every block, so a round
costs about 380 integer operations whatever the number of blocks. Within a block bit
`r + 4*c` of a plane belongs to row r of column c, as in FIPS 197 section 3.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reference.sbox_circuit import AFFINE_CONSTANT, Planes, inv_sub_bytes, sub_bytes


def _bits(rows: Sequence[int], columns: Sequence[int]) -> int:
    """The 16-bit pattern with the bits of these rows and columns set."""
    return sum(1 << (r + 4 * c) for r in rows for c in columns)


@dataclass(frozen=True, slots=True)
class _Masks:
    """The masks for `count` blocks: each 16-bit pattern repeated once for every block."""

    count: int
    unit: int
    all_but_row_3: int
    row_3: int
    rows_0_1: int
    rows_2_3: int
    rows_2_3_left: int
    rows_0_2: int
    odd_rows_but_last: int
    odd_rows_last: int
    odd_rows_but_first: int
    odd_rows_first: int
    transpose_7: int
    transpose_14: int
    transpose_28: int


@lru_cache(maxsize=64)
def _masks(count: int) -> _Masks:
    unit = ((1 << 16 * count) - 1) // 0xFFFF
    eight_bytes = ((1 << 128 * count) - 1) // 0xFFFFFFFFFFFFFFFF
    every = range(4)
    return _Masks(
        count=count,
        unit=unit,
        all_but_row_3=unit * _bits((0, 1, 2), every),
        row_3=unit * _bits((3,), every),
        rows_0_1=unit * _bits((0, 1), every),
        rows_2_3=unit * _bits((2, 3), every),
        rows_2_3_left=unit * _bits((2, 3), (0, 1)),
        rows_0_2=unit * _bits((0, 2), every),
        odd_rows_but_last=unit * _bits((1, 3), (0, 1, 2)),
        odd_rows_last=unit * _bits((1, 3), (3,)),
        odd_rows_but_first=unit * _bits((1, 3), (1, 2, 3)),
        odd_rows_first=unit * _bits((1, 3), (0,)),
        transpose_7=eight_bytes * 0x00AA00AA00AA00AA,
        transpose_14=eight_bytes * 0x0000CCCC0000CCCC,
        transpose_28=eight_bytes * 0x00000000F0F0F0F0,
    )


def _transpose(x: int, m: _Masks) -> int:
    """Transpose each group of eight bytes as an 8 by 8 matrix of bits."""
    t = (x ^ (x >> 7)) & m.transpose_7
    x ^= t ^ (t << 7)
    t = (x ^ (x >> 14)) & m.transpose_14
    x ^= t ^ (t << 14)
    t = (x ^ (x >> 28)) & m.transpose_28
    return x ^ t ^ (t << 28)


def _to_planes(data: bytes, m: _Masks) -> Planes:
    size = len(data)
    x = _transpose(int.from_bytes(data, "little"), m).to_bytes(size, "little")
    return [int.from_bytes(x[7 - p :: 8], "little") for p in range(8)]


def _from_planes(planes: Planes, m: _Masks) -> bytes:
    size = 16 * m.count
    x = bytearray(size)
    for p, plane in enumerate(planes):
        x[7 - p :: 8] = plane.to_bytes(size // 8, "little")
    return _transpose(int.from_bytes(x, "little"), m).to_bytes(size, "little")


def _key_planes(round_key: bytes, constant: int, m: _Masks) -> Planes:
    """A round key exclusive or a byte constant, repeated for every block."""
    key = bytes(byte ^ constant for byte in round_key)
    return [plane * m.unit for plane in _to_planes(key, _masks(1))]


def _all_key_planes(round_keys: Sequence[bytes], m: _Masks) -> list[Planes]:
    """The schedule with the constant of SubBytes taken into all keys but the first.

    MixColumns and InvMixColumns leave a state of equal bytes as it is, so the constant can
    wait until the round key, in both directions.
    """
    constants = (0, *(AFFINE_CONSTANT for _ in round_keys[1:]))
    return [_key_planes(k, c, m) for k, c in zip(round_keys, constants, strict=True)]


def _add(a: Planes, b: Planes) -> Planes:
    return [x ^ y for x, y in zip(a, b, strict=True)]


def _shift_rows(s: Planes, m: _Masks) -> Planes:
    """ShiftRows: rows 2 and 3 change halves, then rows 1 and 3 move left by one column."""
    left, still = m.rows_2_3_left, m.rows_0_2
    but_last, last = m.odd_rows_but_last, m.odd_rows_last
    moved = []
    for x in s:
        t = (x ^ (x >> 8)) & left
        x = x ^ t ^ (t << 8)
        moved.append(x & still | x >> 4 & but_last | x << 12 & last)
    return moved


def _inv_shift_rows(s: Planes, m: _Masks) -> Planes:
    """InvShiftRows: rows 2 and 3 change halves, then rows 1 and 3 move right by one."""
    left, still = m.rows_2_3_left, m.rows_0_2
    but_first, first = m.odd_rows_but_first, m.odd_rows_first
    moved = []
    for x in s:
        t = (x ^ (x >> 8)) & left
        x = x ^ t ^ (t << 8)
        moved.append(x & still | x << 4 & but_first | x >> 12 & first)
    return moved


def _xtime(s: Planes) -> Planes:
    x0, x1, x2, x3, x4, x5, x6, x7 = s
    return [x1, x2, x3, x4 ^ x0, x5 ^ x0, x6, x7 ^ x0, x0]


def _mix_columns(s: Planes, m: _Masks) -> Planes:
    """MixColumns as 2(a + b) + b + (c + d), with b, c, d the next three rows of a."""
    but_3, row_3, low, high = m.all_but_row_3, m.row_3, m.rows_0_1, m.rows_2_3
    b = [x >> 1 & but_3 | x << 3 & row_3 for x in s]
    a_b = _add(s, b)
    c_d = [x >> 2 & low | x << 2 & high for x in a_b]
    return [x ^ y ^ z for x, y, z in zip(_xtime(a_b), b, c_d, strict=True)]


def _inv_mix_columns(s: Planes, m: _Masks) -> Planes:
    """InvMixColumns as MixColumns of 5a + 4c, since 0e0b0d09 = 02030101 * 05000400."""
    low, high = m.rows_0_1, m.rows_2_3
    a_c = [x ^ (x >> 2 & low | x << 2 & high) for x in s]
    return _mix_columns(_add(s, _xtime(_xtime(a_c))), m)


def encrypt(round_keys: Sequence[bytes], blocks: bytes) -> bytes:
    """Cipher on every block of 16 bytes (FIPS 197 section 5.1); `round_keys` is w."""
    m = _masks(len(blocks) // 16)
    first, *middle, last = _all_key_planes(round_keys, m)
    state = _add(_to_planes(blocks, m), first)
    for key in middle:
        state = _add(_mix_columns(_shift_rows(sub_bytes(state), m), m), key)
    state = _add(_shift_rows(sub_bytes(state), m), last)
    return _from_planes(state, m)


def decrypt(round_keys: Sequence[bytes], blocks: bytes) -> bytes:
    """InvCipher on every block of 16 bytes (FIPS 197 section 5.3); `round_keys` is w."""
    m = _masks(len(blocks) // 16)
    first, *middle, last = _all_key_planes(round_keys, m)
    state = _add(_to_planes(blocks, m), last)
    for key in reversed(middle):
        state = _add(inv_sub_bytes(_inv_shift_rows(state, m)), key)
        state = _inv_mix_columns(state, m)
    state = _add(inv_sub_bytes(_inv_shift_rows(state, m)), first)
    return _from_planes(state, m)
