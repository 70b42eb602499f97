"""GHASH (SP 800-38D section 6.4): bit by bit, by products, by per-key tables, by folding.

A block is a number whose most significant bit is the coefficient of x^0. Short inputs take
a carry-less product a block. Tables hold the multiples of H that each byte of a block
contributes, so that one block costs sixteen lookups.
Long inputs fold: blocks are lanes of a big integer, and the front half times a power of H
is added to the rest until one lane is left.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, Self

from reference.gf2 import REVERSED_BITS, clmul

BLOCK_SIZE = 16
R = 0xE1 << 120
"""x^128 reduced: the constant of section 6.3."""

FEWEST_BLOCKS_FOR_TABLES = 24
"""The tables of a key cost as much as so many products."""

FEWEST_BLOCKS_TO_FOLD = 96


def multiply(x: int, y: int) -> int:
    """The product X . Y of two blocks, one bit of X at a time (section 6.3, Algorithm 1)."""
    z, v = 0, y
    for i in range(127, -1, -1):
        if x >> i & 1:
            z ^= v
        v = v >> 1 ^ R if v & 1 else v >> 1
    return z


@lru_cache(maxsize=8)
def key_tables(h: int) -> tuple[tuple[int, ...], ...]:
    """Sixteen tables of 256 products: byte value times its place in a block times H."""
    powers = [h]
    for _ in range(127):
        v = powers[-1]
        powers.append(v >> 1 ^ R if v & 1 else v >> 1)
    tables = []
    for place in range(16):
        entries = [0] * 256
        for bit in range(8):
            entries[0x80 >> bit] = powers[8 * place + bit]
        for b in range(1, 256):
            lowest = b & -b
            if b != lowest:
                entries[b] = entries[b ^ lowest] ^ entries[lowest]
        tables.append(tuple(entries))
    return tuple(tables)


def hash_by_tables(h: int, y: int, blocks: bytes) -> int:
    """Y after whole blocks (section 6.4, Algorithm 2), by the tables of this key."""
    t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, ta, tb, tc, td, te, tf = key_tables(h)
    for i in range(0, len(blocks), BLOCK_SIZE):
        x = y ^ int.from_bytes(blocks[i : i + BLOCK_SIZE], "big")
        b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, ba, bb, bc, bd, be, bf = x.to_bytes(16, "big")
        y = (
            t0[b0] ^ t1[b1] ^ t2[b2] ^ t3[b3] ^ t4[b4] ^ t5[b5] ^ t6[b6] ^ t7[b7]
            ^ t8[b8] ^ t9[b9] ^ ta[ba] ^ tb[bb] ^ tc[bc] ^ td[bd] ^ te[be] ^ tf[bf]
        )
    return y


def hash_by_products(h: int, y: int, blocks: bytes) -> int:
    """Y after whole blocks, by a carry-less product and a reduction each."""
    factor, y = _turned(h), _turned(y)
    for i in range(0, len(blocks), BLOCK_SIZE):
        block = blocks[i : i + BLOCK_SIZE].translate(REVERSED_BITS)
        y = _reduce(clmul(y ^ int.from_bytes(block, "little"), factor))
    return _turned(y)


_LOW = (1 << 128) - 1


def _reduce(x: int) -> int:
    """A product of two 128-bit polynomials modulo x^128 + x^7 + x^2 + x + 1."""
    for _ in range(2):
        high = x >> 128
        x = x & _LOW ^ high ^ high << 1 ^ high << 2 ^ high << 7
    return x


@lru_cache(maxsize=256)
def _power(h: int, exponent: int) -> int:
    if exponent == 1:
        return h
    root = _power(h, exponent // 2)
    square = _reduce(clmul(root, root))
    return _reduce(clmul(square, h)) if exponent % 2 else square


@lru_cache(maxsize=64)
def _lane_mask(lanes: int) -> int:
    """The lower half of each 256-bit lane."""
    return ((1 << 256 * lanes) - 1) // ((1 << 256) - 1) * _LOW


_WINDOW = 4


@lru_cache(maxsize=256)
def _windows(factor: int) -> tuple[tuple[int, int], ...]:
    """A factor as steps from its top: shift what there is, add an odd multiple below 16.

    A sliding window: runs of zeros cost nothing but a longer shift.
    """
    steps = []
    digits = f"{factor:b}"
    while "1" in digits:
        zeros = digits.index("1")
        window = digits[zeros : zeros + _WINDOW].rstrip("0")
        steps.append((zeros + len(window), int(window, 2)))
        digits = digits[zeros + len(window) :]
    return (*steps, (len(digits), 0))


def _multiply_lanes(x: int, factor: int, lanes: int) -> int:
    """Each 256-bit lane (128 bits used) times one factor, reduced.

    What reduction lifts above x^127 a second time is added to the high half beforehand.
    """
    low = _lane_mask(lanes)
    odd = [0] * 16
    odd[1], double, four, eight = x, x << 1, x << 2, x << 3
    odd[3], odd[5], odd[9] = x ^ double, x ^ four, x ^ eight
    odd[7], odd[11], odd[13] = odd[3] ^ four, odd[3] ^ eight, odd[5] ^ eight
    odd[15] = odd[7] ^ eight
    product = 0
    for shift, multiple in _windows(factor):
        product = product << shift ^ odd[multiple]
    high = product >> 128 & low
    high = (high ^ high >> 121 ^ high >> 126) & low
    return (product ^ high ^ high << 1 ^ high << 2 ^ high << 7) & low


def hash_by_folding(h: int, y: int, blocks: bytes) -> int:
    """Y after whole blocks, halving their number with powers of H until one is left.

    Blocks become little-endian numbers with bit i for x^i; pairs share a lane first, since
    a product needs 256 bits.
    """
    count = len(blocks) // BLOCK_SIZE
    factor = _turned(h)
    x = int.from_bytes(blocks.translate(REVERSED_BITS), "little") ^ _turned(y)
    if count % 2:
        x, count = x << 128, count + 1
    lanes = count // 2
    low = _lane_mask(lanes)
    x = _multiply_lanes(x & low, factor, lanes) ^ x >> 128 & low
    while lanes > 1:
        if lanes % 2:
            x, lanes = x << 256, lanes + 1
        lanes //= 2
        front = x & (1 << 256 * lanes) - 1
        x = _multiply_lanes(front, _power(factor, 2 * lanes), lanes) ^ x >> 256 * lanes
    return _turned(_reduce(clmul(x, factor)))


def _turned(x: int) -> int:
    """A block between the order of the standard and bit i for x^i (its own inverse)."""
    return int.from_bytes(x.to_bytes(16, "big").translate(REVERSED_BITS), "little")


class GHASH:
    """Streaming GHASH: `update` any bytes; `final` fills the last block with zeros.

    `h` is the hash subkey of 16 bytes (ValueError for another length).
    """

    __slots__ = ("_h", "_rest", "_seen", "_y")

    def __init__(self, h: bytes, data: bytes = b"") -> None:
        if len(h) != BLOCK_SIZE:
            raise ValueError(f"a GHASH key has 16 bytes, not {len(h)}")
        self._h = int.from_bytes(h, "big")
        self._y = 0
        self._rest = b""
        self._seen = 0
        if data:
            self.update(data)

    def update(self, data: bytes) -> None:
        """Take the next bytes of the message."""
        data = self._rest + data
        whole = len(data) - len(data) % BLOCK_SIZE
        self._rest = data[whole:]
        self._y = self._hash(data[:whole])

    def pad(self) -> None:
        """Fill the block that has been started with zeros, if there is one."""
        self.update(bytes(-len(self._rest) % BLOCK_SIZE))

    def final(self) -> bytes:
        """The 16 bytes of GHASH over all bytes so far, filled up with zeros."""
        y = self._hash(self._rest.ljust(BLOCK_SIZE, b"\0")) if self._rest else self._y
        return y.to_bytes(BLOCK_SIZE, "big")

    def copy(self) -> Self:
        """An object in the same state."""
        twin = type(self)(self._h.to_bytes(BLOCK_SIZE, "big"))
        twin._y, twin._rest, twin._seen = self._y, self._rest, self._seen
        return twin

    def export_state(self, byteorder: Literal["little", "big"] = "little") -> bytes:
        """The kernel's struct ghash_desc_ctx: Y with the rest added, and missing bytes (u32)."""
        y = self._y ^ int.from_bytes(self._rest.ljust(BLOCK_SIZE, b"\0"), "big")
        missing = -len(self._rest) % BLOCK_SIZE
        return y.to_bytes(BLOCK_SIZE, "big") + missing.to_bytes(4, byteorder)

    def import_state(self, state: bytes, byteorder: Literal["little", "big"] = "little") -> None:
        """Go on from what `export_state` gave; ValueError for a wrong length."""
        if len(state) != BLOCK_SIZE + 4:
            raise ValueError(f"a GHASH state has 20 bytes, not {len(state)}")
        self._y = int.from_bytes(state[:BLOCK_SIZE], "big")
        missing = int.from_bytes(state[BLOCK_SIZE:], byteorder)
        self._rest = bytes(-missing % BLOCK_SIZE)

    def _hash(self, blocks: bytes) -> int:
        self._seen += len(blocks)
        if self._seen < FEWEST_BLOCKS_FOR_TABLES * BLOCK_SIZE:
            return hash_by_products(self._h, self._y, blocks)
        if len(blocks) >= FEWEST_BLOCKS_TO_FOLD * BLOCK_SIZE:
            return hash_by_folding(self._h, self._y, blocks)
        return hash_by_tables(self._h, self._y, blocks)


def ghash(h: bytes, data: bytes) -> bytes:
    """GHASH of a whole message under the hash subkey `h`: 16 bytes."""
    return GHASH(h, data).final()
