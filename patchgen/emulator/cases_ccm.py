"""Cases for the routines of aes-ce-ccm-core.S: splits, partial blocks, counters, yields."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import partial

from patchgen.emulator.cases_aes import BLOCK, KEY_SIZES, rounds, schedule
from patchgen.emulator.machine import Int32
from patchgen.emulator.suite import Bench, Case, Routine
from patchgen.emulator.units import Unit
from reference.aes import AES

UNIT = Unit("aes-ce-ccm-core.S")
FEATURE = "arm64.ccm_yield"
STRIDE = 16
COUNTS = (*range(19), 31, 32, 33, 49)
FEW_SIZES = (0, 1, 15, 16, 17, 256, 257, 272, 529)
COUNTERS = (None, 0, 2**24 - 2, 2**32 - 2, 2**64 - 1, 2**64 - 5)


def chances(size: int) -> int:
    """Every sixteenth whole block from the last one, as long as there are some to come."""
    return max(0, size // BLOCK - 1) // STRIDE


def xor(a: bytes, b: bytes) -> bytes:
    """As long as the shorter one."""
    return bytes(x ^ y for x, y in zip(a, b, strict=False))


def absorb(cipher: AES, mac: bytes, data: bytes, filled: int = 0) -> tuple[bytes, int]:
    """The MAC and the bytes in its open block after more data.

    The cipher goes first: a full block stays as it is until there is more.
    """
    for byte in data:
        if not filled:
            mac = cipher.encrypt_block(mac)
        mac = mac[:filled] + bytes([mac[filled] ^ byte]) + mac[filled + 1 :]
        filled = (filled + 1) % BLOCK
    return mac, filled


def keystream(cipher: AES, counter: bytes, size: int) -> bytes:
    """From the counter block after this one; only 64 bits of it count."""
    number = int.from_bytes(counter[8:], "big")
    return b"".join(
        cipher.encrypt_block(counter[:8] + ((number + i + 1) % 2**64).to_bytes(8, "big"))
        for i in range(-(-size // BLOCK)))[:size]


def _auth(bench: Bench, key_size: int, size: int, filled: int) -> None:
    key, before = bench.random.randbytes(key_size), bench.random.randbytes(BLOCK)
    data = bench.random.randbytes(size)
    mac = bench.buffer(before, "mac")
    bench.call("ce_aes_ccm_auth_data", mac, bench.buffer(data, "data"), Int32(size),
               Int32(filled), schedule(bench, key), rounds(key))
    wanted, now_filled = absorb(AES(key), before, data, filled)
    bench.expect("mac", bench.read(mac), wanted)
    bench.expect("macp", bytes([bench.result.w0 & 0xFF, bench.result.w0 >> 8 & 0xFF]),
                 bytes([now_filled, 0]))
    rest = size if not filled else max(0, size - (BLOCK - filled))
    bench.expect_yields(FEATURE, chances(rest))


def _auth_pieces(bench: Bench, pieces: tuple[int, ...]) -> None:
    """One piece of data after another, as scattered associated data comes."""
    key, mac_now = bench.random.randbytes(16), bench.random.randbytes(BLOCK)
    mac, filled, cipher = bench.buffer(mac_now, "mac"), 0, AES(key)
    for size in pieces:
        data = bench.random.randbytes(size)
        bench.call("ce_aes_ccm_auth_data", mac, bench.buffer(data, "data"), Int32(size),
                   Int32(filled), schedule(bench, key), rounds(key))
        mac_now, filled = absorb(cipher, mac_now, data, filled)
        bench.expect("mac", bench.read(mac), mac_now)
        bench.expect("macp", bytes([bench.result.w0 & 0xFF]), bytes([filled]))


def _auth_cases(thorough: bool) -> Iterator[Case]:
    tried: Iterable[tuple[int, int, int]]
    if thorough:
        sizes = sorted({max(0, BLOCK * n + end) for n in COUNTS for end in (-1, 0, 1, 6)})
        tried = itertools.product(KEY_SIZES, sizes, (0, 1, 10, 15))
    else:
        tried = ((KEY_SIZES[n % 3], size, (0, 10, 0, 15)[n % 4])
                 for n, size in enumerate((*FEW_SIZES, 6, 6)))
    for key_size, size, filled in tried:
        yield Case(f"{8 * key_size}-bit key, {size} bytes, {filled} there",
                   partial(_auth, key_size=key_size, size=size, filled=filled))
    yield Case("exactly the missing bytes", partial(_auth, key_size=16, size=6, filled=10))
    yield Case("fewer than the missing bytes", partial(_auth, key_size=24, size=3, filled=10))
    for pieces in ((2, 14, 16), (6, 1, 9, 5, 40), (1,) * 17, (10, 6, 0, 3), (15, 33, 130)):
        yield Case(f"pieces of {pieces}", partial(_auth_pieces, pieces=pieces))


def _crypt(bench: Bench, key_size: int, size: int, start: int | None, *, decrypt: bool) -> None:
    key, before = bench.random.randbytes(key_size), bench.random.randbytes(BLOCK)
    upper = bench.random.randbytes(8)
    low = bench.random.getrandbits(64) if start is None else start
    first = upper + low.to_bytes(8, "big")
    data, cipher = bench.random.randbytes(size), AES(key)
    in_place = bench.random.random() < 0.5
    source = bench.buffer(data, "input")
    target = source if in_place else bench.buffer(size, "output")
    mac, ctr = bench.buffer(before, "mac"), bench.buffer(first, "ctr", align=8)
    # Any whole number of blocks may come in a call of its own.
    split = BLOCK * bench.random.randint(0, size // BLOCK) if size % 3 == 1 else 0
    round_keys, done = schedule(bench, key), 0
    for part in (split, size - split):
        bench.call(f"ce_aes_ccm_{'decrypt' if decrypt else 'encrypt'}", target.address + done,
                   source.address + done, Int32(part), round_keys, rounds(key), mac, ctr)
        bench.expect_yields(FEATURE, chances(part))
        done += part
    output = xor(data, keystream(cipher, first, size))
    bench.expect("output", bench.read(target), output)
    if not in_place:
        bench.expect("input", bench.read(source), data)
    bench.expect("mac", bench.read(mac),
                 absorb(cipher, before, output if decrypt else data)[0])
    counter = (low + size // BLOCK) % 2**64
    bench.expect("counter", bench.read(ctr), upper + counter.to_bytes(8, "big"))


def _crypt_cases(thorough: bool, *, decrypt: bool) -> Iterator[Case]:
    tried: Iterable[tuple[int, int, int | None]]
    if thorough:
        ends = (-1, 0, 1, 7)
        sizes = sorted({max(0, BLOCK * n + end) for n in COUNTS for end in ends} | {*range(16)})
        starts = itertools.cycle(COUNTERS)
        tried = ((key_size, size, next(starts))
                 for key_size, size, _ in itertools.product(KEY_SIZES, sizes, range(2)))
    else:
        tried = ((KEY_SIZES[n % 3], size, COUNTERS[n % len(COUNTERS)])
                 for n, size in enumerate(FEW_SIZES))
    for key_size, size, start in tried:
        name = "any counter" if start is None else f"counter {start:#x}"
        yield Case(f"{8 * key_size}-bit key, {size} bytes, {name}",
                   partial(_crypt, key_size=key_size, size=size, start=start, decrypt=decrypt))


def _final(bench: Bench, key_size: int) -> None:
    key, before = bench.random.randbytes(key_size), bench.random.randbytes(BLOCK)
    first = bench.random.randbytes(BLOCK)
    mac, ctr, cipher = bench.buffer(before, "mac"), bench.buffer(first, "ctr"), AES(key)
    bench.call("ce_aes_ccm_final", mac, ctr, schedule(bench, key), rounds(key))
    bench.expect("tag", bench.read(mac),
                 xor(cipher.encrypt_block(before), cipher.encrypt_block(first)))
    bench.expect("counter", bench.read(ctr), first)
    bench.expect_yields(FEATURE, 0)


def _final_cases(thorough: bool) -> Iterator[Case]:
    for key_size, turn in itertools.product(KEY_SIZES, range(4 if thorough else 1)):
        yield Case(f"{8 * key_size}-bit key, {turn}", partial(_final, key_size=key_size))


def routines() -> Iterator[Routine]:
    """Every entry point of the CCM driver."""
    yield Routine("ce_aes_ccm_auth_data", UNIT, _auth_cases)
    for decrypt in (False, True):
        yield Routine(f"ce_aes_ccm_{'decrypt' if decrypt else 'encrypt'}", UNIT,
                      partial(_crypt_cases, decrypt=decrypt))
    yield Routine("ce_aes_ccm_final", UNIT, _final_cases)
