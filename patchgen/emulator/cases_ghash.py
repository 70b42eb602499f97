"""Cases for the GHASH routines of ghash-ce-core.S: tables of powers, heads, sums, yields."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from patchgen.emulator.machine import Int32
from patchgen.emulator.suite import Bench, Case, Routine
from patchgen.emulator.units import Unit
from reference.ghash import hash_by_tables, multiply

BLOCK = 16
UNIT = Unit("ghash-ce-core.S")
FEATURE = "arm64.ghash_yield"
COUNTS = (*range(18), 23, 24, 25, 31, 33, 63, 64, 65, 71, 72, 73, 127, 128, 129, 200)
FEW_COUNTS = (0, 1, 3, 5, 8, 15, 73, 137)
MASK = 2**64 - 1
Halves = tuple[int, int]


def powers(h: bytes, number: int) -> list[Halves]:
    """Upper and lower halves of a key's powers from 1 on, as the routines multiply them.

    A block is read as a big-endian number, whose top bit is the coefficient of x^0; the
    routines need the power times x, which in that order is a shift to the left.
    """
    key = value = int.from_bytes(h, "big")
    found = []
    for _ in range(number):
        shifted = (value << 1) & (2**128 - 1)
        if value >> 127:
            shifted ^= 0xC2 << 120 | 1
        found.append((shifted >> 64, shifted & MASK))
        value = multiply(value, key)
    return found


def table_p64(h: bytes) -> bytes:
    """The eighth power down to the first, then the sums of their halves."""
    eight = powers(h, 8)[::-1]
    words = [*itertools.chain(*eight), *(upper ^ lower for upper, lower in eight)]
    return struct.pack("<24Q", *words)


def table_p8(h: bytes) -> bytes:
    """The fourth power down to the first: it, then its sum, rotated by 0 to 4 bytes."""
    words: list[int] = []
    for upper, lower in powers(h, 4)[::-1]:
        rotations = [(_rotate(upper, k), _rotate(lower, k)) for k in range(5)]
        words += [*itertools.chain(*rotations), *(a ^ b for a, b in rotations), 0]
    return struct.pack("<64Q", *words)


def _rotate(word: int, count: int) -> int:
    return (word >> 8 * count | word << (64 - 8 * count)) & MASK


def state_of(value: int) -> bytes:
    """dg[]: the lower half of the hash as a number, then the upper one."""
    return struct.pack("<QQ", value & MASK, value >> 64)


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the two routines: its table, and how often it offers a yield."""

    symbol: str
    table: Callable[[bytes], bytes]
    chances: Callable[[int, bool], int]


def chances_p64(blocks: int, _head: bool) -> int:
    """After turns of eight strides of eight blocks; the head is none of them."""
    return max(0, blocks // 8 - 1) // 8


def chances_p8(blocks: int, head: bool) -> int:
    """Between groups of four; the head is a group of its own."""
    return max(0, -(-blocks // 4) + head - 1)


KINDS = (
    Kind("pmull_ghash_update_p64", table_p64, chances_p64),
    Kind("pmull_ghash_update_p8", table_p8, chances_p8),
)
KEYS = (None, bytes(16), b"\x80" + bytes(15), b"\xff" * 16, bytes(15) + b"\1")


def _update(bench: Bench, kind: Kind, blocks: int, head: bool, key: bytes | None) -> None:
    h = bench.random.randbytes(BLOCK) if key is None else key
    before = bench.random.getrandbits(128)
    data = bench.random.randbytes(BLOCK * blocks)
    first = bench.random.randbytes(BLOCK) if head else b""
    dg = bench.buffer(state_of(before), "dg", align=8)
    bench.call(kind.symbol, Int32(blocks), dg, bench.buffer(data, "data"),
               bench.buffer(kind.table(h), "table", align=8),
               bench.buffer(first, "head") if head else None)
    wanted = hash_by_tables(int.from_bytes(h, "big"), before, first + data)
    bench.expect("hash", bench.read(dg), state_of(wanted))
    bench.expect_yields(FEATURE, kind.chances(blocks, head))


def _cases(thorough: bool, *, kind: Kind) -> Iterator[Case]:
    tried: Iterable[tuple[int, bool, bytes | None]]
    if thorough:
        tried = itertools.product(COUNTS, (False, True), KEYS)
    else:
        tried = ((blocks, n % 2 == 1, KEYS[n % len(KEYS)])
                 for n, blocks in enumerate((*FEW_COUNTS, 17, 4)))
    for blocks, head, key in tried:
        name = "any key" if key is None else f"key {key.hex()}"
        yield Case(f"{blocks} blocks{' after a head' if head else ''}, {name}",
                   partial(_update, kind=kind, blocks=blocks, head=head, key=key))


def routines() -> Iterator[Routine]:
    """Both GHASH routines."""
    for kind in KINDS:
        yield Routine(kind.symbol, UNIT, partial(_cases, kind=kind))
