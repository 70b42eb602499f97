"""Cases for the GCM routines of ghash-ce-core.S: splits, tails, counters, tags, yields."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from patchgen.emulator.cases_aes import BLOCK, KEY_SIZES, rounds, schedule
from patchgen.emulator.cases_ghash import FEATURE, UNIT, state_of, table_p64
from patchgen.emulator.machine import Int32
from patchgen.emulator.suite import Bench, Case, Routine
from reference.aes import AES
from reference.bulk import xor
from reference.ghash import hash_by_tables
from reference.modes import CTR32

STRIDE = 128
COUNTS = (*range(18), 23, 24, 25, 31, 32, 33, 39, 40, 41, 64, 65, 73)
FEW_SIZES = (0, 1, 15, 16, 47, 127, 128, 133, 300, 640, 1168)
COUNTERS = (2, 2**32 - 1, 2**32 - 9, 2**32 - 20)
TAG_SIZES = (4, 8, 12, 13, 14, 15, 16)


def chances(size: int) -> int:
    """When a multiple of four strides is to come; the first stride starts the pipeline."""
    return max(0, size // STRIDE - 1) // 4


@dataclass(frozen=True, slots=True)
class Message:
    """Key and data size in bytes, the number of the first counter block."""

    key_size: int
    size: int
    counter: int

    def __str__(self) -> str:
        return f"{8 * self.key_size}-bit key, {self.size} bytes, counter {self.counter:#x}"


class Expected:
    """GCM of one message, from any counter and any hash on (SP 800-38D section 7)."""

    def __init__(self, bench: Bench, message: Message) -> None:
        self.key = bench.random.randbytes(message.key_size)
        self.cipher = AES(self.key)
        self.h = self.cipher.encrypt_block(bytes(BLOCK))
        self.nonce = bench.random.randbytes(12)
        self.counter = message.counter
        self.hash = bench.random.getrandbits(128)

    def counter_block(self) -> bytes:
        """The one for the next block."""
        return self.nonce + self.counter.to_bytes(4, "big")

    def crypt(self, data: bytes, decrypt: bool) -> bytes:
        """The output; counter and hash move on."""
        output = CTR32(self.key, self.counter_block()).update(data) if data else b""
        self.counter = (self.counter + len(data) // BLOCK) % 2**32
        self.absorb(data if decrypt else output)
        return output

    def absorb(self, data: bytes) -> None:
        """Ciphertext into the hash, filled up with zeros."""
        blocks = data + bytes(-len(data) % BLOCK)
        self.hash = hash_by_tables(int.from_bytes(self.h, "big"), self.hash, blocks)

    def tag(self, lengths: bytes) -> bytes:
        """All 16 bytes of it."""
        self.absorb(lengths)
        mask = self.cipher.encrypt_block(self.nonce + bytes(3) + b"\1")
        return xor(self.hash.to_bytes(BLOCK, "big"), mask)


def _crypt(bench: Bench, message: Message, *, decrypt: bool) -> None:
    expected = Expected(bench, message)
    data, lengths = bench.random.randbytes(message.size), bench.random.randbytes(BLOCK)
    source = bench.buffer(data, "input")
    in_place = bench.random.random() < 0.5
    target = source if in_place else bench.buffer(message.size, "output")
    table = bench.buffer(table_p64(expected.h), "table", align=8)
    dg = bench.buffer(state_of(expected.hash), "dg", align=8)
    ctr = bench.buffer(expected.counter_block(), "ctr")
    round_keys = schedule(bench, expected.key)
    symbol = f"pmull_gcm_{'decrypt' if decrypt else 'encrypt'}"
    # Messages of an even size come in two calls.
    whole = 0 if message.size % 2 else message.size // BLOCK
    first = BLOCK * bench.random.randint(0, whole)
    common = (table, dg, ctr, round_keys, rounds(expected.key))

    bench.call(symbol, Int32(first), target, source, *common, None, *([None, 0] * decrypt))
    output = expected.crypt(data[:first], decrypt)
    bench.expect_yields(FEATURE, chances(first))
    bench.expect("output", bench.read(target)[:first], output)
    bench.expect("counter", bench.read(ctr), expected.counter_block())
    bench.expect("hash", bench.read(dg), state_of(expected.hash))

    output += expected.crypt(data[first:], decrypt)
    tag, rest = expected.tag(lengths), Int32(message.size - first)
    addresses = (target.address + first, source.address + first)
    if decrypt:
        size = bench.random.choice(TAG_SIZES)
        given = bench.buffer(tag[:size], "tag")
        bench.call(symbol, rest, *addresses, *common, bench.buffer(lengths, "lengths"), given,
                   size)
        bench.expect("verdict", bench.result.w0.to_bytes(4, "big"), bytes(4))
    else:
        made = bench.buffer(lengths, "tag")
        bench.call(symbol, rest, *addresses, *common, made)
        bench.expect("tag", bench.read(made), tag)
    bench.expect_yields(FEATURE, chances(rest.value))
    bench.expect("output", bench.read(target), output)
    if not in_place:
        bench.expect("input", bench.read(source), data)


def _wrong_tag(bench: Bench, size: int, bit: int) -> None:
    """One bit of a tag of this size is turned over: there must be an error."""
    expected = Expected(bench, Message(16, 0, 2))
    lengths = bench.random.randbytes(BLOCK)
    before = expected.hash
    tag = int.from_bytes(expected.tag(lengths)[:size], "big") ^ 1 << bit
    data = bench.buffer(0, "data")
    ctr = bench.buffer(expected.counter_block(), "ctr")
    bench.call("pmull_gcm_decrypt", Int32(0), data, data,
               bench.buffer(table_p64(expected.h), "table", align=8),
               bench.buffer(state_of(before), "dg", align=8), ctr,
               schedule(bench, expected.key), rounds(expected.key),
               bench.buffer(lengths, "lengths"), bench.buffer(tag.to_bytes(size, "big"), "tag"),
               size)
    bench.expect("verdict", bytes([bench.result.w0 != 0]), b"\1")


def _cases(thorough: bool, *, decrypt: bool) -> Iterator[Case]:
    tried: Iterable[tuple[int, int, int]]
    if thorough:
        sizes = sorted({max(0, BLOCK * n + end) for n in COUNTS for end in (-1, 0, 1, 9)}
                       | {*range(BLOCK)})
        tried = itertools.product(KEY_SIZES, sizes, COUNTERS[:2])
    else:
        tried = ((KEY_SIZES[n % 3], size, COUNTERS[n % len(COUNTERS)])
                 for n, size in enumerate(FEW_SIZES))
    for values in tried:
        message = Message(*values)
        yield Case(str(message), partial(_crypt, message=message, decrypt=decrypt))
    for key_size, counter in zip((*KEY_SIZES, 32), COUNTERS, strict=True):
        message = Message(key_size, 5 * STRIDE + 17, counter)
        yield Case(str(message), partial(_crypt, message=message, decrypt=decrypt))
    if decrypt:
        for size in TAG_SIZES:
            for bit in range(8 * size) if thorough else (0, 8 * size - 1):
                yield Case(f"bit {bit} of a tag of {size} bytes",
                           partial(_wrong_tag, size=size, bit=bit))


def routines() -> Iterator[Routine]:
    """Both GCM routines."""
    for decrypt in (False, True):
        yield Routine(f"pmull_gcm_{'decrypt' if decrypt else 'encrypt'}", UNIT,
                      partial(_cases, decrypt=decrypt))
