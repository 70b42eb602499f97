"""Cases for the CRC routines: every length up to several strides, any start value, yields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from patchgen.emulator.machine import Int32
from patchgen.emulator.suite import Bench, Case, Routine
from patchgen.emulator.units import Unit
from reference.crc import CRC, CRC32, CRC32C, CRCT10DIF

T10DIF_UNIT = Unit("crct10dif-ce-core.S")
T10DIF_FEATURE = "arm64.crct10dif_yield"
STRIDE = 128
PIECE = 1024
LONG = (2048, 2048 + 15, 4096, 4096 + 16, 5000)
FEW_LENGTHS = (16, 17, 18, 31, 32, 47, 255, 256, 257, 271, 383, 1263, 1264, 1391, 1392, *LONG)


@dataclass(frozen=True, slots=True)
class Message:
    """One message: its length in bytes and the register it starts from (None: by chance)."""

    length: int
    start: int | None = None

    def __str__(self) -> str:
        return f"{self.length} bytes, from {'chance' if self.start is None else hex(self.start)}"


def _starting(bench: Bench, message: Message, bits: int) -> int:
    return bench.random.getrandbits(bits) if message.start is None else message.start


def _t10dif(bench: Bench, *, symbol: str, message: Message) -> None:
    start = _starting(bench, message, 16)
    data = bench.random.randbytes(message.length)
    noise = bench.random.getrandbits(16) << 16
    result = bench.call(symbol, Int32(noise | start), bench.buffer(data), message.length)
    wanted = CRCT10DIF(data, start).value
    bench.expect("register", (result.w0 & 0xFFFF).to_bytes(2, "big"), wanted.to_bytes(2, "big"))
    bench.expect_yields(T10DIF_FEATURE, _t10dif_chances(message.length))


def _t10dif_chances(length: int) -> int:
    """A stride is loaded; after each piece of further ones a look, if there are more."""
    strides = (length - length % 16) // STRIDE - 1
    return max(0, -(-strides // (PIECE // STRIDE)) - 1)


def _t10dif_cases(symbol: str, thorough: bool) -> Iterator[Case]:
    lengths = (*range(16, 420), *range(1250, 1300), *LONG) if thorough else FEW_LENGTHS
    messages = [Message(length) for length in lengths]
    messages += [Message(length, start) for length in (16, 17, 33, 300)
                 for start in (0, 1, 0x8000, 0xFFFF)]
    for message in messages:
        yield Case(str(message), partial(_t10dif, symbol=symbol, message=message))


CRC32_UNIT = Unit("crc32-ce-core.S")
CRC32_FEATURE = "arm64.crc32_yield"
CRC32_STRIDE = 64
STARTS = (0, 1, 0x8000_0000, 0xFFFF_FFFF)


def _register(bench: Bench, got: int, wanted: int) -> None:
    bench.expect("register", got.to_bytes(4, "big"), wanted.to_bytes(4, "big"))


def _crc32_pmull(bench: Bench, *, symbol: str, kind: type[CRC], message: Message) -> None:
    start = _starting(bench, message, 32)
    data = bench.random.randbytes(message.length)
    result = bench.call(symbol, bench.buffer(data), message.length, Int32(start))
    looked_at = data[: len(data) & ~15]
    _register(bench, result.w0, kind(looked_at, start).register)
    strides = message.length // CRC32_STRIDE - 1
    bench.expect_yields(CRC32_FEATURE, max(0, -(-strides // (PIECE // CRC32_STRIDE)) - 1))


def _crc32_armv8(bench: Bench, *, symbol: str, kind: type[CRC], message: Message) -> None:
    start = _starting(bench, message, 32)
    data = bench.random.randbytes(message.length)
    result = bench.call(symbol, Int32(start), bench.buffer(data), message.length)
    _register(bench, result.w0, kind(data, start).register)
    bench.expect_yields(CRC32_FEATURE, 0)


def _crc32_pmull_cases(symbol: str, kind: type[CRC], thorough: bool) -> Iterator[Case]:
    lengths = (*range(64, 420), 1087, 1088, 1151, 1152, 2111, 2112, 2176, *LONG) if thorough else (
        64, 65, 79, 80, 112, 127, 128, 192, 255, 1087, 1088, 1151, 1152, 2112, 2176, 4096)
    yield from _messages(_crc32_pmull, symbol, kind, lengths, (64, 100, 200))


def _crc32_armv8_cases(symbol: str, kind: type[CRC], thorough: bool) -> Iterator[Case]:
    lengths = (*range(300), *LONG) if thorough else (*range(18), 31, 63, 64, 95, 127, 128, 255)
    yield from _messages(_crc32_armv8, symbol, kind, lengths, (1, 9, 100))


def _messages(check: Callable[..., None], symbol: str, kind: type[CRC], lengths: Iterable[int],
              with_starts: Iterable[int]) -> Iterator[Case]:
    messages = [Message(length) for length in lengths]
    messages += [Message(length, start) for length in with_starts for start in STARTS]
    for message in messages:
        yield Case(str(message), partial(check, symbol=symbol, kind=kind, message=message))


def routines() -> Iterator[Routine]:
    """Every entry point of the CRC drivers."""
    for name, crc in (("crc32", CRC32), ("crc32c", CRC32C)):
        pmull, armv8 = f"{name}_pmull_le", f"{name}_armv8_le"
        yield Routine(pmull, CRC32_UNIT, partial(_crc32_pmull_cases, pmull, crc))
        yield Routine(armv8, CRC32_UNIT, partial(_crc32_armv8_cases, armv8, crc))
    for kind in ("p64", "p8"):
        symbol = f"crc_t10dif_pmull_{kind}"
        yield Routine(symbol, T10DIF_UNIT, partial(_t10dif_cases, symbol))
