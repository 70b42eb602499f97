"""Cases for the AES block modes: every entry point of aes-ce.S and aes-neon.S.

Prototypes are those of the comments in aes-modes.S; results come from ``reference``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from patchgen.emulator.machine import Buffer, Int32
from patchgen.emulator.suite import Bench, Case, Routine
from patchgen.emulator.units import Unit
from reference import fips197
from reference.aes import AES
from reference.key_layouts import crypto_aes_ctx
from reference.modes import CTR, CBCDecryption, CBCEncryption, ecb_decrypt, ecb_encrypt
from reference.stealing import cts_decrypt, cts_encrypt, xts_decrypt, xts_encrypt

BLOCK = 16
FEATURE = "arm64.blk_yield"
COUNTS = (*range(18), 23, 24, 25, 31, 32, 33, 40, 63, 64, 65)
FEW_COUNTS = (0, 1, 3, 8, 9, 17)
KEY_SIZES = (16, 24, 32)

SBOXES = (("crypto_aes_sbox", fips197.SBOX), ("crypto_aes_inv_sbox", fips197.INVERSE_SBOX))


@dataclass(frozen=True, slots=True)
class Core:
    """One of the two ciphers that the modes are built on; ``wide`` blocks are a stride."""

    prefix: str
    unit: Unit
    wide: int


CORES = (
    Core("ce", Unit("aes-ce.S", ("aes-modes.S",)), 8),
    Core("neon", Unit("aes-neon.S", ("aes-modes.S",), SBOXES), 4),
)


@dataclass(frozen=True, slots=True)
class Message:
    """What one case is about: key size and data size in bytes, and where the output goes."""

    key_size: int
    size: int
    in_place: bool

    def __str__(self) -> str:
        where = "in place" if self.in_place else "to another buffer"
        return f"{8 * self.key_size}-bit key, {self.size} bytes {where}"


def rounds(key: bytes) -> Int32:
    """The number of rounds, as the routines take it."""
    return Int32(6 + len(key) // 4)


def schedule(bench: Bench, key: bytes, *, decrypt: bool = False) -> Buffer:
    """key_enc or key_dec of struct crypto_aes_ctx, as long as the key needs it."""
    start = 240 if decrypt else 0
    size = BLOCK * (7 + len(key) // 4)
    return bench.buffer(crypto_aes_ctx(key)[start : start + size], "key", align=8)


def chances(blocks: int, stride: int) -> int:
    """How often a loop over whole strides has more to do after one of them."""
    return max(0, -(-blocks // stride) - 1)


def input_and_output(bench: Bench, message: Message) -> tuple[Buffer, Buffer, bytes]:
    """Source, target (the same if in place) and the data."""
    data = bench.random.randbytes(message.size)
    source = bench.buffer(data, "input")
    return source, source if message.in_place else bench.buffer(message.size, "output"), data


def messages(sizes: Iterable[int], thorough: bool, *, few: Iterable[int]) -> Iterator[Message]:
    """Each size with each key size, both in place and not (alternating if not thorough)."""
    if thorough:
        for key_size, size, in_place in itertools.product(KEY_SIZES, sizes, (False, True)):
            yield Message(key_size, size, in_place)
        return
    for number, size in enumerate(few):
        yield Message(KEY_SIZES[number % 3], size, number % 2 == 1)


def block_sizes(counts: Iterable[int] = COUNTS) -> list[int]:
    """Sizes in bytes of these numbers of blocks."""
    return [BLOCK * count for count in counts]


def ragged_sizes(thorough: bool, least: int) -> list[int]:
    """Sizes with and without a partial block at the end, none below ``least`` bytes."""
    ends = (0, 1, 2, 7, 8, 9, 14, 15) if thorough else (0, 1, 15)
    counts = range(18) if thorough else (0, 1, 4, 7, 8, 9, 16)
    sizes = [BLOCK * count + end for count, end in itertools.product(counts, ends)]
    return [size for size in sizes if size >= least]


def _ecb(bench: Bench, message: Message, *, core: Core, decrypt: bool) -> None:
    key = bench.random.randbytes(message.key_size)
    source, target, data = input_and_output(bench, message)
    symbol = f"{core.prefix}_aes_ecb_{'decrypt' if decrypt else 'encrypt'}"
    blocks = message.size // BLOCK
    bench.call(symbol, target, source, schedule(bench, key, decrypt=decrypt), rounds(key),
               Int32(blocks))
    bench.expect("output", bench.read(target), (ecb_decrypt if decrypt else ecb_encrypt)(key, data))
    bench.expect_yields(FEATURE, chances(blocks, core.wide))


def _cbc(bench: Bench, message: Message, *, core: Core, decrypt: bool) -> None:
    key, iv = bench.random.randbytes(message.key_size), bench.random.randbytes(BLOCK)
    source, target, data = input_and_output(bench, message)
    symbol = f"{core.prefix}_aes_cbc_{'decrypt' if decrypt else 'encrypt'}"
    blocks = message.size // BLOCK
    vector = bench.buffer(iv, "iv")
    expected = (CBCDecryption if decrypt else CBCEncryption)(key, iv)
    round_keys = schedule(bench, key, decrypt=decrypt)
    first = bench.random.randint(0, blocks) if blocks > 12 else blocks
    done = 0
    for count in (first, blocks - first):
        bench.call(symbol, target.address + done, source.address + done, round_keys, rounds(key),
                   Int32(count), vector)
        bench.expect_yields(FEATURE, chances(count, core.wide if decrypt else 4))
        part = data[done : done + BLOCK * count]
        done += BLOCK * count
        bench.expect("output", bench.read(target)[done - len(part) : done],
                     expected.update(part) if part else b"")
        bench.expect("iv", bench.read(vector), expected.iv)


def _cts(bench: Bench, message: Message, *, core: Core, decrypt: bool) -> None:
    key, iv = bench.random.randbytes(message.key_size), bench.random.randbytes(BLOCK)
    source, target, data = input_and_output(bench, message)
    symbol = f"{core.prefix}_aes_cbc_cts_{'decrypt' if decrypt else 'encrypt'}"
    bench.call(symbol, target, source, schedule(bench, key, decrypt=decrypt), rounds(key),
               Int32(message.size), bench.buffer(iv, "iv"))
    wanted = (cts_decrypt if decrypt else cts_encrypt)(key, iv, data)
    bench.expect("output", bench.read(target), wanted)


COUNTER_STARTS = (
    None, 2**32 - 1, 2**32 - 3, 2**64 - 1, 2**64 - 5, 2**64 - 8, 2**128 - 1, 2**128 - 4,
    2**128 - 9, (2**32 - 2) << 64, (2**96 - 1) << 32,
)
"""Counters from which a carry leaves 32, 64 or 128 bits within a few blocks."""


def _ctr(bench: Bench, message: Message, *, core: Core, start: int | None) -> None:
    key = bench.random.randbytes(message.key_size)
    first = bench.random.randbytes(BLOCK) if start is None else start.to_bytes(BLOCK, "big")
    source, target, data = input_and_output(bench, message)
    counter = bench.buffer(first, "counter")
    bench.call(f"{core.prefix}_aes_ctr_encrypt", target, source, schedule(bench, key), rounds(key),
               Int32(message.size), counter)
    expected = CTR(key, first)
    bench.expect("output", bench.read(target), expected.update(data))
    bench.expect("counter", bench.read(counter), expected.counter)
    bench.expect_yields(FEATURE, chances(-(-message.size // BLOCK), core.wide))


def next_tweak(tweak: bytes, steps: int = 1) -> bytes:
    """A tweak times x to the power of ``steps`` (IEEE 1619-2007, 5.2)."""
    number = int.from_bytes(tweak, "little")
    for _ in range(steps):
        number = (number << 1) ^ ((number >> 127) * (1 << 128 | 0x87))
    return number.to_bytes(BLOCK, "little")


def _xts(bench: Bench, message: Message, *, core: Core, decrypt: bool, first: int) -> None:
    key = bench.random.randbytes(2 * message.key_size)
    data_key, tweak_key = key[: message.key_size], key[message.key_size :]
    sector = bench.random.randbytes(BLOCK)
    start = AES(tweak_key).encrypt_block(sector)
    source, target, data = input_and_output(bench, message)
    tweak = bench.buffer(sector if first == 1 else start, "tweak")
    whole = message.size // BLOCK * BLOCK
    ragged = message.size % BLOCK != 0
    # A message may come in pieces of whole blocks; the end needs 16 bytes or more of its own.
    most = (whole // BLOCK - 2 if ragged else whole // BLOCK - 1)
    split = BLOCK * bench.random.randint(0, most) if most > 0 and whole > 10 * BLOCK else 0
    done = 0
    for size in (split, message.size - split) if split else (message.size,):
        bench.call(f"{core.prefix}_aes_xts_{'decrypt' if decrypt else 'encrypt'}",
                   target.address + done, source.address + done,
                   schedule(bench, data_key, decrypt=decrypt), rounds(data_key), Int32(size),
                   schedule(bench, tweak_key), tweak, Int32(0 if done else first))
        in_loop = size // BLOCK - (1 if size % BLOCK else 0)
        bench.expect_yields(FEATURE, chances(in_loop, core.wide))
        done += size
        if size % BLOCK == 0:
            bench.expect("tweak", bench.read(tweak), next_tweak(start, done // BLOCK - 1))
    crypt = xts_decrypt if decrypt else xts_encrypt
    bench.expect("output", bench.read(target), crypt(key, sector, data))


def _mac(bench: Bench, message: Message, *, core: Core, before: int, after: int) -> None:
    key, digest = bench.random.randbytes(message.key_size), bench.random.randbytes(BLOCK)
    data = bench.random.randbytes(message.size)
    blocks = message.size // BLOCK
    state = bench.buffer(digest, "digest")
    result = bench.call(f"{core.prefix}_aes_mac_update", bench.buffer(data, "input"),
                        schedule(bench, key), rounds(key), Int32(blocks), state, Int32(before),
                        Int32(after))
    encrypt = AES(key).encrypt_number
    number = int.from_bytes(digest, "big")
    if before:
        number = encrypt(number)
    for block in range(blocks):
        number ^= int.from_bytes(data[BLOCK * block : BLOCK * (block + 1)], "big")
        if after or block != blocks - 1:
            number = encrypt(number)
    bench.expect("digest", bench.read(state), number.to_bytes(BLOCK, "big"))
    bench.expect("number of blocks left", bytes([result.w0 & 0xFF]), b"\0")
    bench.expect_yields(FEATURE, chances(blocks - (0 if after else 1), 4))


Check = Callable[..., None]


def _block_cases(check: Check, thorough: bool) -> Iterator[Case]:
    few = block_sizes(FEW_COUNTS)
    for message in messages(block_sizes(), thorough, few=few):
        yield Case(str(message), partial(check, message=message))


def _cts_cases(check: Check, thorough: bool) -> Iterator[Case]:
    for message in messages(range(17, 33), thorough, few=(17, 24, 31, 32)):
        yield Case(str(message), partial(check, message=message))


def _ctr_cases(core: Core, thorough: bool) -> Iterator[Case]:
    sizes = ragged_sizes(thorough, 0)
    for message in messages([*sizes, *block_sizes((24, 33, 64))], thorough, few=sizes):
        yield Case(str(message), partial(_ctr, message=message, core=core, start=None))
    for number, start in enumerate(COUNTER_STARTS[1:]):
        for size in block_sizes((1, 4, 7, 8, 12, 17)) if thorough else (200 + BLOCK * number,):
            message = Message(KEY_SIZES[number % 3], size, number % 2 == 0)
            yield Case(f"{message}, from {start:#x}",
                       partial(_ctr, message=message, core=core, start=start))


def _xts_cases(core: Core, decrypt: bool, thorough: bool) -> Iterator[Case]:
    sizes = ragged_sizes(thorough, BLOCK)
    for number, message in enumerate(messages(sizes, thorough, few=sizes)):
        first = (1, 0, 2)[number % 3]
        if first == 0:
            # "The tweak used last" cannot be the first one: it is covered by the splits.
            first = 1
        yield Case(f"{message}, first={first}", partial(
            _xts, message=message, core=core, decrypt=decrypt, first=first))


def _mac_cases(core: Core, thorough: bool) -> Iterator[Case]:
    flags = itertools.cycle(itertools.product((0, 1), (0, 1)))
    for message in messages(block_sizes(), thorough, few=block_sizes(FEW_COUNTS)):
        for before, after in itertools.product((0, 1), (0, 1)) if thorough else (next(flags),):
            yield Case(f"{message}, before={before}, after={after}",
                       partial(_mac, message=message, core=core, before=before, after=after))


def routines() -> Iterator[Routine]:
    """Every entry point of both cores."""
    for core in CORES:
        for decrypt, word in ((False, "encrypt"), (True, "decrypt")):
            for mode, check, cases in (("ecb", _ecb, _block_cases), ("cbc", _cbc, _block_cases),
                                       ("cbc_cts", _cts, _cts_cases)):
                bound = partial(check, core=core, decrypt=decrypt)
                yield Routine(f"{core.prefix}_aes_{mode}_{word}", core.unit,
                              partial(cases, bound))
            yield Routine(f"{core.prefix}_aes_xts_{word}", core.unit,
                          partial(_xts_cases, core, decrypt))
        yield Routine(f"{core.prefix}_aes_ctr_encrypt", core.unit, partial(_ctr_cases, core))
        yield Routine(f"{core.prefix}_aes_mac_update", core.unit, partial(_mac_cases, core))
