"""Cases for the SHA-1 and SHA-2 routines: chaining values, padding, splits and yields.

The state structures are those of the kernel's <crypto/sha1.h> and <crypto/sha2.h>; the
``finalize`` word behind them belongs to the glue code of the drivers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from patchgen.emulator.machine import Int32
from patchgen.emulator.suite import Bench, Case, Routine
from patchgen.emulator.units import Unit
from reference.merkle_damgard import MerkleDamgard
from reference.sha1 import SHA1
from reference.sha256 import SHA224, SHA256

BLOCK = 64
COUNTS = (*range(18), 31, 32, 33)
FEW_COUNTS = (0, 1, 2, 6, 9)
LONG_LENGTHS = (1 << 29, (1 << 61) - 1, 0x0123_4567_89AB_CDEF >> 3)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a driver's state has the length of the message and the wish for padding."""

    words: int
    count: int
    finalize: int

    def pack(self, chaining: bytes, length: int, finalize: bool) -> bytes:
        """The structure with the words of the big-endian chaining value."""
        words = struct.unpack(f">{self.words}I", chaining)
        state = bytearray(b"\xa5" * (self.finalize + 8))
        struct.pack_into(f"<{self.words}I", state, 0, *words)
        struct.pack_into("<Q", state, self.count, length)
        struct.pack_into("<I", state, self.finalize, finalize)
        return bytes(state)

    def chaining(self, state: bytes) -> bytes:
        """The big-endian chaining value of a structure."""
        return struct.pack(f">{self.words}I", *struct.unpack_from(f"<{self.words}I", state))


SHA1_LAYOUT = Layout(5, 24, 96)
SHA256_LAYOUT = Layout(8, 32, 104)


@dataclass(frozen=True, slots=True)
class Extensions:
    """A routine that may pad: its hash, the layout of its state, its yield feature."""

    symbol: str
    unit: Unit
    layout: Layout
    hashes: tuple[type[MerkleDamgard], ...]
    feature: str


EXTENSIONS = (
    Extensions("sha1_ce_transform", Unit("sha1-ce-core.S"),
               SHA1_LAYOUT, (SHA1,), "arm64.sha1_yield"),
    Extensions("sha2_ce_transform", Unit("sha2-ce-core.S"),
               SHA256_LAYOUT, (SHA256, SHA224), "arm64.sha2_yield"),
)


def _chaining_value(kind: type[MerkleDamgard], bench: Bench, blocks: int) -> MerkleDamgard:
    return kind(bench.random.randbytes(BLOCK * blocks))


def _update(bench: Bench, blocks: int, *, routine: Extensions, finalize: bool) -> None:
    kind = bench.random.choice(routine.hashes)
    earlier = 0 if finalize else bench.random.randint(0, 3)
    hasher = _chaining_value(kind, bench, earlier)
    data = bench.random.randbytes(BLOCK * blocks)
    # Data of a message that is padded here is all of it, but the length may be a lie: then
    # only the length block differs.
    length = BLOCK * blocks if finalize else bench.random.getrandbits(40)
    before = routine.layout.pack(hasher.chaining_value(), length, finalize)
    state = bench.buffer(before, "state", align=8)
    bench.call(routine.symbol, state, bench.buffer(data, "data"), Int32(blocks))
    bench.expect_yields(routine.feature, max(0, blocks - 1) // 4)
    hasher.update(data)
    if finalize:
        hasher.update(kind.padding(length))
    after = bench.read(state)
    bench.expect("chaining value", routine.layout.chaining(after), hasher.chaining_value())
    bench.expect("rest of the state", after[4 * routine.layout.words :],
                 before[4 * routine.layout.words :])


def _long_message(bench: Bench, length: int, *, routine: Extensions) -> None:
    """Padding for a length that is not that of the data: all 64 bits of it must arrive."""
    hasher = routine.hashes[0]()
    data = bench.random.randbytes(BLOCK)
    state = bench.buffer(routine.layout.pack(hasher.chaining_value(), length, True), align=8)
    bench.call(routine.symbol, state, bench.buffer(data), Int32(1))
    hasher.update(data)
    hasher.update(b"\x80" + bytes(55) + ((length << 3) & (2**64 - 1)).to_bytes(8, "big"))
    bench.expect("chaining value", routine.layout.chaining(bench.read(state)),
                 hasher.chaining_value())


def _cases(routine: Extensions, thorough: bool) -> Iterator[Case]:
    for blocks in COUNTS if thorough else FEW_COUNTS:
        for finalize in (False, True):
            what = "with padding" if finalize else "without padding"
            check = partial(_update, blocks=blocks, routine=routine, finalize=finalize)
            for turn in range(3 if thorough else 1):
                yield Case(f"{blocks} blocks {what}, {turn}", check)
    for length in LONG_LENGTHS:
        yield Case(f"a length of {length:#x}",
                   partial(_long_message, length=length, routine=routine))


SHA256_UNIT = Unit("sha256-core.S")


def _blocks(bench: Bench, *, symbol: str, blocks: int) -> None:
    hasher = SHA256(bench.random.randbytes(BLOCK * bench.random.randint(0, 2)))
    data = bench.random.randbytes(BLOCK * blocks)
    words = struct.unpack(">8I", hasher.chaining_value())
    digest = bench.buffer(struct.pack("<8I", *words), "digest", align=4)
    bench.call(symbol, digest, bench.buffer(data, "data"), Int32(blocks))
    hasher.update(data)
    after = struct.pack(">8I", *struct.unpack("<8I", bench.read(digest)))
    bench.expect("digest", after, hasher.chaining_value())


def _block_cases(symbol: str, thorough: bool) -> Iterator[Case]:
    for turn in range(8 if thorough else 1):
        for blocks in COUNTS if thorough else FEW_COUNTS:
            yield Case(f"{blocks} blocks, {turn}", partial(_blocks, symbol=symbol, blocks=blocks))


def routines() -> Iterator[Routine]:
    """Every entry point of the SHA-1 and SHA-2 drivers."""
    for routine in EXTENSIONS:
        yield Routine(routine.symbol, routine.unit, partial(_cases, routine))
    for symbol in ("sha256_block_data_order", "sha256_block_neon"):
        yield Routine(symbol, SHA256_UNIT, partial(_block_cases, symbol))
