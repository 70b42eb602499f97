"""Cases for the ChaCha routines: every size, both in place and not, counters that wrap."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from patchgen.emulator.machine import Buffer, Int32
from patchgen.emulator.suite import Bench, Case, Routine
from patchgen.emulator.units import Unit
from reference.chacha import ChaCha, hchacha

UNIT = Unit("chacha-neon-core.S")
BLOCK = 64
FEW_SIZES = (65, 79, 127, 128, 191, 200, 255, 256, 257, 300, 319, 320)
WRAPS = (None, 2**32 - 1, 2**32 - 3, 2**32 - 4, 2**32 - 5)


@dataclass(frozen=True, slots=True)
class Message:
    """One call: how many bytes, rounds, the first counter (None: any), and the target."""

    size: int
    rounds: int
    counter: int | None
    in_place: bool

    def __str__(self) -> str:
        where = "in place" if self.in_place else "to another buffer"
        start = "any counter" if self.counter is None else f"counter {self.counter:#x}"
        return f"{self.size} bytes {where}, {self.rounds} rounds, {start}"


def _setup(bench: Bench, message: Message) -> tuple[Buffer, bytes, bytes]:
    """State, data, and what has to become of the data."""
    key, nonce = bench.random.randbytes(32), bench.random.randbytes(12)
    counter = message.counter
    if counter is None:
        counter = bench.random.getrandbits(31)
    data = bench.random.randbytes(message.size)
    wanted = b"".join(
        _block(key, nonce, counter + number, message.rounds, data[at : at + BLOCK])
        for number, at in enumerate(range(0, len(data), BLOCK)))
    words = ChaCha(key, nonce, counter, message.rounds).state_words()
    return bench.buffer(struct.pack("<16I", *words), "state", align=4), data, wanted


def _block(key: bytes, nonce: bytes, counter: int, rounds: int, data: bytes) -> bytes:
    """One block; the counter is 32 bits and wraps without touching the nonce."""
    return ChaCha(key, nonce, counter % 2**32, rounds).update(data)


def _crypt(bench: Bench, *, symbol: str, message: Message) -> None:
    state, data, wanted = _setup(bench, message)
    before = bench.read(state)
    source = bench.buffer(data, "input")
    target = source if message.in_place else bench.buffer(len(data), "output")
    size = (Int32(message.size),) if symbol == "chacha_4block_xor_neon" else ()
    bench.call(symbol, state, target, source, Int32(message.rounds), *size)
    bench.expect("output", bench.read(target), wanted)
    bench.expect("state", bench.read(state), before)


def _hchacha(bench: Bench, *, rounds: int) -> None:
    key, nonce = bench.random.randbytes(32), bench.random.randbytes(16)
    words = struct.pack("<4I", 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574) + key + nonce
    out = bench.buffer(32, "output", align=4)
    bench.call("hchacha_block_neon", bench.buffer(words, "state", align=4), out, Int32(rounds))
    bench.expect("output", bench.read(out), hchacha(key, nonce, rounds))


def _messages(sizes: tuple[int, ...], thorough: bool) -> Iterator[Message]:
    turns = 4 if thorough else 1
    for number, size in enumerate(sizes * turns):
        yield Message(size, (20, 12, 8)[number % 3], WRAPS[number % 5], number % 2 == 1)


def _crypt_cases(symbol: str, thorough: bool) -> Iterator[Case]:
    if symbol == "chacha_block_xor_neon":
        sizes: tuple[int, ...] = (BLOCK,) * 10
    else:
        sizes = tuple(range(65, 321)) if thorough else FEW_SIZES
    for message in _messages(sizes, thorough):
        yield Case(str(message), partial(_crypt, symbol=symbol, message=message))


def _hchacha_cases(thorough: bool) -> Iterator[Case]:
    for rounds in (20, 12, 8) * (20 if thorough else 1):
        yield Case(f"{rounds} rounds", partial(_hchacha, rounds=rounds))


def routines() -> Iterator[Routine]:
    """Every entry point of the ChaCha driver."""
    for symbol in ("chacha_block_xor_neon", "chacha_4block_xor_neon"):
        yield Routine(symbol, UNIT, partial(_crypt_cases, symbol))
    yield Routine("hchacha_block_neon", UNIT, _hchacha_cases)
