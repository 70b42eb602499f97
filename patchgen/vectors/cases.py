"""The generated edge cases: which lengths and IVs each algorithm is tried with.

Every length from 0 to 3 blocks; the borders of assembly that works on 4, 5 or 8 blocks at
a time; 4096 and its neighbours; counters that wrap at 2^32, 2^64 and 2^128; every form of
IV. Inputs, keys and IVs come from `generator`, seeded by the length of the input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from patchgen.vectors.first_counter import iv_for_first_counter
from patchgen.vectors.generator import AAD, INPUT, IV, KEY, generate
from patchgen.vectors.model import Vector

STRIDES = (4, 5, 8)
PAGE = 4096


@dataclass(frozen=True, slots=True)
class Case:
    """One generated vector before it is computed; sizes in bytes, `iv` replaces the seeded."""

    label: str
    size: int
    key_size: int = 0
    iv_size: int = 0
    aad_size: int = 0
    tag_size: int = 0
    output_size: int = 0
    iv: bytes | None = None

    def vector(self, group: str, algorithm: str) -> Vector:
        """The vector without output (zeros of the right size stand for it)."""
        seed = self.size << 2
        iv = generate(self.iv_size, seed + IV) if self.iv is None else self.iv
        return Vector(
            name=f"{group}/{self.label}",
            algorithm=algorithm,
            source=f"generated, seed {seed}",
            key=generate(self.key_size, seed + KEY),
            iv=iv,
            aad=generate(self.aad_size, seed + AAD),
            input=generate(self.size, seed + INPUT),
            output=bytes(self.output_size or self.size),
            tag=bytes(self.tag_size),
        )


def _around(block: int, step: int) -> list[int]:
    """Lengths around the stride borders and a page, `step` apart."""
    borders = [block * stride for stride in STRIDES] + [PAGE]
    return [border + delta for border in borders for delta in (-step, 0, step)]


def whole_blocks() -> list[int]:
    """Lengths for modes that take whole blocks of 16 bytes."""
    return sorted({0, 16, 32, 48, *_around(16, 16)})


def any_length(block: int, shortest: int = 0) -> list[int]:
    """Every length up to three blocks, then around the borders."""
    return sorted({*range(shortest, 3 * block + 1), *_around(block, 1)})


def _few(lengths: list[int]) -> list[int]:
    """A handful of lengths for the longer keys: ends, and one odd one in between."""
    return sorted({lengths[0], lengths[1], 64, 80, 128, lengths[-1]})


def _keyed(
    lengths: list[int], key_sizes: tuple[int, ...], *, iv_size: int = 0, output_size: int = 0
) -> Iterator[Case]:
    for key_size in key_sizes:
        for size in lengths if key_size == key_sizes[0] else _few(lengths):
            yield Case(f"k{8 * key_size}-n{size}", size, key_size, iv_size,
                       output_size=output_size)


_ONES, _ZEROS = b"\xff" * 16, bytes(16)


def _counters() -> Iterator[Case]:
    """Counter blocks that wrap inside the message, near its start and past a stride."""
    wraps = {
        "wrap32": generate(12, 32) + b"\xff\xff\xff\xfe",
        "wrap64": generate(8, 64) + b"\xff" * 7 + b"\xfd",
        "wrap128": b"\xff" * 15 + b"\xfc",
        "ones": _ONES,
        "zeros": _ZEROS,
    }
    for label, iv in wraps.items():
        for size in (16, 33, 80, 129):
            yield Case(f"k128-n{size}-{label}", size, 16, iv=iv)
    for stride in (*STRIDES, 16):
        iv = generate(12, stride) + (0x1_0000_0000 - stride).to_bytes(4, "big")
        yield Case(f"k128-n{16 * stride + 17}-wrap32-after-{stride}", 16 * stride + 17, 16, iv=iv)


def _extreme_ivs(key_size: int, size: int) -> Iterator[Case]:
    for label, iv in (("ones", _ONES), ("zeros", _ZEROS)):
        yield Case(f"k{8 * key_size}-n{size}-iv-{label}", size, key_size, iv=iv)


def _sectors() -> Iterator[Case]:
    """XTS tweaks as sector numbers, and the highest bit of the tweak set."""
    for sector in (0, 1, 0xFF, 0xFFFFFFFF, 0x1_0000_0000):
        yield Case(f"k256-n512-sector-{sector:x}", 512, 32, iv=sector.to_bytes(16, "little"))
    yield from _extreme_ivs(64, 513)


def _chacha(iv_size: int) -> Iterator[Case]:
    for size in any_length(64):
        yield Case(f"n{size}", size, 32, iv_size)
    for size, start in ((64, 0xFFFFFFFF), (129, 0xFFFFFFFE), (321, 0xFFFFFFFD), (577, 0)):
        counter = start.to_bytes(4, "little")
        nonce = generate(12, size)
        iv = counter + nonce if iv_size == 16 else generate(24, size) + counter + bytes(4)
        yield Case(f"n{size}-counter-{start:x}", size, 32, iv=iv)


def _gcm() -> Iterator[Case]:
    for key_size in (16, 24, 32):
        lengths = any_length(16)
        for size in lengths if key_size == 16 else _few(lengths):
            yield Case(f"k{8 * key_size}-n{size}", size, key_size, 12, size % 33, 16)
    for iv_size in (8, 13, 16, 17, 60, 128):
        yield Case(f"k128-n49-iv{iv_size}", 49, 16, iv_size, 20, 16)
    for tag_size in (4, 8, 12, 13, 14, 15):
        yield Case(f"k128-n33-tag{tag_size}", 33, 16, 12, 13, tag_size)
    for stride in (1, 2, 5):
        size = 16 * stride + 17
        key = generate(16, (size << 2) + KEY)
        first = generate(12, size) + (0x1_0000_0000 - stride).to_bytes(4, "big")
        iv = iv_for_first_counter(key, first)
        yield Case(f"k128-n{size}-wrap32-after-{stride}", size, 16, 0, 16, 16, iv=iv)
    for aad_size in (0, 1, 15, 16, 17, 255, 4097):
        yield Case(f"k256-n31-aad{aad_size}", 31, 32, 12, aad_size, 16)


def _ccm() -> Iterator[Case]:
    for key_size in (16, 24, 32):
        lengths = any_length(16)
        for size in lengths if key_size == 16 else _few(lengths):
            yield Case(f"k{8 * key_size}-n{size}", size, key_size, 11, size % 33, 16)
    for iv_size in range(7, 14):
        yield Case(f"k128-n49-iv{iv_size}", 49, 16, iv_size, 20, 8)
    for tag_size in (4, 6, 8, 10, 12, 14):
        yield Case(f"k128-n33-tag{tag_size}", 33, 16, 13, 13, tag_size)
    for aad_size in (0, 1, 13, 14, 15, 30, 65279, 65280):
        yield Case(f"k256-n31-aad{aad_size}", 31, 32, 12, aad_size, 16)


def _ipsec(salt: int) -> Iterator[Case]:
    for key_size in (16, 24, 32):
        for size in (0, 1, 15, 16, 17, 64, 79, 80, 81, 128, 1500):
            for aad_size in (8, 12):
                yield Case(f"k{8 * key_size}-n{size}-aad{aad_size}", size, key_size + salt, 8,
                           aad_size, 16 if size % 2 else 12)


def _crc(output_size: int, key_sizes: tuple[int, ...]) -> Iterator[Case]:
    lengths = sorted({*any_length(16), 63, 64, 65, 255, 256, 257, 319, 512})
    for key_size in key_sizes:
        for size in lengths if key_size == key_sizes[0] else _few(lengths):
            label = f"k{8 * key_size}-n{size}" if key_size else f"n{size}"
            yield Case(label, size, key_size, output_size=output_size)


def _hash(block: int, output_size: int) -> Iterator[Case]:
    for size in any_length(block):
        yield Case(f"n{size}", size, output_size=output_size)


def _chained() -> Iterator[Case]:
    yield from _keyed(whole_blocks(), _AES, iv_size=16)
    yield from _extreme_ivs(16, 80)


_AES = (16, 24, 32)

_GROUPS: dict[str, tuple[str, Callable[[], Iterable[Case]]]] = {
    "ecb-aes": ("ecb(aes)", lambda: _keyed(whole_blocks(), _AES)),
    "cbc-aes": ("cbc(aes)", lambda: _chained()),
    "cts-cbc-aes": (
        "cts(cbc(aes))",
        lambda: (*_keyed(any_length(16, 16), _AES, iv_size=16), *_extreme_ivs(32, 47)),
    ),
    "ctr-aes": (
        "ctr(aes)", lambda: (*_keyed(any_length(16), _AES, iv_size=16), *_counters()),
    ),
    "ctr32-aes": (
        "ctr32(aes)", lambda: (*_keyed(_few(any_length(16)), _AES, iv_size=16), *_counters()),
    ),
    "xts-aes": (
        "xts(aes)",
        lambda: (*_keyed(any_length(16, 16), (32, 48, 64), iv_size=16), *_sectors()),
    ),
    "essiv-cbc-aes": ("essiv(cbc(aes),sha256)", lambda: _chained()),
    "chacha20": ("chacha20", lambda: _chacha(16)),
    "chacha12": ("chacha12", lambda: _chacha(16)),
    "xchacha20": ("xchacha20", lambda: _chacha(32)),
    "xchacha12": ("xchacha12", lambda: _chacha(32)),
    "cbcmac-aes": ("cbcmac(aes)", lambda: _keyed(any_length(16), _AES, output_size=16)),
    "cmac-aes": ("cmac(aes)", lambda: _keyed(any_length(16), _AES, output_size=16)),
    "xcbc-aes": ("xcbc(aes)", lambda: _keyed(any_length(16), (16,), output_size=16)),
    "ghash": ("ghash", lambda: _keyed(any_length(16), (16,), output_size=16)),
    "crc32": ("crc32", lambda: _crc(4, (0, 4))),
    "crc32c": ("crc32c", lambda: _crc(4, (0, 4))),
    "crct10dif": ("crct10dif", lambda: _crc(2, (0,))),
    "crct10dif-folding": ("crct10dif", lambda: (Case("n2048", 2048, output_size=2),)),
    "md5": ("md5", lambda: _hash(64, 16)),
    "sha1": ("sha1", lambda: _hash(64, 20)),
    "sha224": ("sha224", lambda: _hash(64, 28)),
    "sha256": ("sha256", lambda: _hash(64, 32)),
    "sha384": ("sha384", lambda: _hash(128, 48)),
    "sha512": ("sha512", lambda: _hash(128, 64)),
    "gcm-aes": ("gcm(aes)", _gcm),
    "ccm-aes": ("ccm(aes)", _ccm),
    "rfc4106-gcm-aes": ("rfc4106(gcm(aes))", lambda: _ipsec(4)),
    "rfc4309-ccm-aes": ("rfc4309(ccm(aes))", lambda: _ipsec(3)),
}

GROUPS: dict[str, str] = {name: algorithm for name, (algorithm, _) in _GROUPS.items()}
"""Name of each generated group to its algorithm."""


@cache
def cases_of(group: str) -> tuple[Case, ...]:
    """The cases of a generated group; KeyError for a name that is not in `GROUPS`."""
    return tuple(_GROUPS[group][1]())
