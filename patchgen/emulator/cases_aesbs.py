"""Cases for bit-sliced AES: every entry point of aes-neonbs-core.S."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from patchgen.emulator.cases_aes import (
    BLOCK,
    COUNTER_STARTS,
    COUNTS,
    FEW_COUNTS,
    KEY_SIZES,
    Message,
    block_sizes,
    chances,
    input_and_output,
    messages,
    next_tweak,
    rounds,
)
from patchgen.emulator.machine import Buffer, Int32
from patchgen.emulator.suite import Bench, Case, Routine
from patchgen.emulator.units import Unit
from reference.aes import AES
from reference.bulk import decrypt_blocks, encrypt_blocks, xor
from reference.key_layouts import encryption_schedule
from reference.modes import CTR, CBCDecryption, ecb_decrypt, ecb_encrypt

UNIT = Unit("aes-neonbs-core.S")
FEATURE = "arm64.bs_yield"
STRIDE = 8


def planes_of(round_key: bytes) -> bytes:
    """A round key with 0x63 added: a plane of 16 bytes for each bit, the lowest first.

    Byte ``4 * row + column`` of a plane is all ones where the bit is set in the byte of this
    row and column, which is byte ``row + 4 * column`` of the key.
    """
    key = [round_key[(i >> 2) + 4 * (i & 3)] ^ 0x63 for i in range(BLOCK)]
    return bytes(0xFF if byte >> bit & 1 else 0 for bit in range(8) for byte in key)


def converted(key: bytes) -> bytes:
    """What aesbs_convert_key() makes of a key: 32 + 128 * (rounds - 1) bytes."""
    first, *middle, last = AES(key).round_keys
    return first + b"".join(map(planes_of, middle)) + bytes(byte ^ 0x63 for byte in last)


def _key(bench: Bench, key: bytes) -> Buffer:
    return bench.buffer(converted(key), "key", align=BLOCK)


def _convert(bench: Bench, message: Message) -> None:
    key = bench.random.randbytes(message.key_size)
    wanted = converted(key)
    target = bench.buffer(len(wanted), "planes", align=BLOCK)
    bench.call("aesbs_convert_key", target, bench.buffer(encryption_schedule(key), "key", align=8),
               rounds(key))
    bench.expect("planes", bench.read(target), wanted)


def _ecb(bench: Bench, message: Message, *, decrypt: bool) -> None:
    key = bench.random.randbytes(message.key_size)
    source, target, data = input_and_output(bench, message)
    blocks = message.size // BLOCK
    bench.call(f"aesbs_ecb_{'decrypt' if decrypt else 'encrypt'}", target, source,
               _key(bench, key), rounds(key), Int32(blocks))
    bench.expect("output", bench.read(target), (ecb_decrypt if decrypt else ecb_encrypt)(key, data))
    bench.expect_yields(FEATURE, chances(blocks, STRIDE))


def _cbc(bench: Bench, message: Message) -> None:
    key, iv = bench.random.randbytes(message.key_size), bench.random.randbytes(BLOCK)
    source, target, data = input_and_output(bench, message)
    blocks = message.size // BLOCK
    first = bench.random.randint(0, blocks)
    vector, planes, expected = bench.buffer(iv, "iv"), _key(bench, key), CBCDecryption(key, iv)
    done = 0
    for count in (first, blocks - first):
        bench.call("aesbs_cbc_decrypt", target.address + done, source.address + done, planes,
                   rounds(key), Int32(count), vector)
        bench.expect_yields(FEATURE, chances(count, STRIDE))
        part = data[done : done + BLOCK * count]
        done += len(part)
        bench.expect("output", bench.read(target)[done - len(part) : done],
                     expected.update(part) if part else b"")
        bench.expect("iv", bench.read(vector), expected.iv)


def _ctr(bench: Bench, message: Message, *, start: int | None) -> None:
    key = bench.random.randbytes(message.key_size)
    first = bench.random.randbytes(BLOCK) if start is None else start.to_bytes(BLOCK, "big")
    source, target, data = input_and_output(bench, message)
    counter, blocks = bench.buffer(first, "counter"), message.size // BLOCK
    bench.call("aesbs_ctr_encrypt", target, source, _key(bench, key), rounds(key), Int32(blocks),
               counter)
    expected = CTR(key, first)
    bench.expect("output", bench.read(target), expected.update(data))
    bench.expect("counter", bench.read(counter), expected.counter)
    bench.expect_yields(FEATURE, chances(blocks, STRIDE))


def _xts(bench: Bench, message: Message, *, decrypt: bool) -> None:
    key, start = bench.random.randbytes(message.key_size), bench.random.randbytes(BLOCK)
    source, target, data = input_and_output(bench, message)
    blocks = message.size // BLOCK
    first = STRIDE * bench.random.randint(0, blocks // STRIDE)
    tweak, planes = bench.buffer(start, "tweak"), _key(bench, key)
    for done, count in ((0, first), (first, blocks - first)):
        bench.call(f"aesbs_xts_{'decrypt' if decrypt else 'encrypt'}",
                   target.address + BLOCK * done, source.address + BLOCK * done, planes,
                   rounds(key), Int32(count), tweak)
        bench.expect_yields(FEATURE, chances(count, STRIDE))
        bench.expect("tweak", bench.read(tweak), next_tweak(start, done + count))
    masks = b"".join(next_tweak(start, number) for number in range(blocks))
    crypt = decrypt_blocks if decrypt else encrypt_blocks
    bench.expect("output", bench.read(target), xor(crypt(AES(key), xor(data, masks)), masks))


Check = Callable[..., None]


def _cases(check: Check, counts: tuple[int, ...], few: tuple[int, ...],
           thorough: bool) -> Iterator[Case]:
    for message in messages(block_sizes(counts), thorough, few=block_sizes(few)):
        yield Case(str(message), partial(check, message=message))


def _key_cases(thorough: bool) -> Iterator[Case]:
    for number in range(24 if thorough else 3):
        message = Message(KEY_SIZES[number % 3], 0, False)
        yield Case(f"{8 * message.key_size}-bit key", partial(_convert, message=message))


def _ctr_cases(thorough: bool) -> Iterator[Case]:
    yield from _cases(partial(_ctr, start=None), STRIDES, (0, 8, 24), thorough)
    for number, start in enumerate(COUNTER_STARTS[1:]):
        for count in (8, 16, 24) if thorough else (16,):
            message = Message(KEY_SIZES[number % 3], BLOCK * count, number % 2 == 0)
            yield Case(f"{message}, from {start:#x}", partial(_ctr, message=message, start=start))


STRIDES = tuple(range(0, 73, STRIDE))


def routines() -> Iterator[Routine]:
    """Every entry point."""
    yield Routine("aesbs_convert_key", UNIT, _key_cases)
    for decrypt, word in ((False, "encrypt"), (True, "decrypt")):
        yield Routine(f"aesbs_ecb_{word}", UNIT,
                      partial(_cases, partial(_ecb, decrypt=decrypt), COUNTS, FEW_COUNTS))
        yield Routine(f"aesbs_xts_{word}", UNIT,
                      partial(_cases, partial(_xts, decrypt=decrypt), STRIDES, (0, 8, 24)))
    yield Routine("aesbs_cbc_decrypt", UNIT, partial(_cases, _cbc, COUNTS, FEW_COUNTS))
    yield Routine("aesbs_ctr_encrypt", UNIT, _ctr_cases)
