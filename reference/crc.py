"""CRC-32, CRC-32C and CRC-T10DIF: bit by bit, by table, and by folding.

The parameters are those of Ross Williams, "A painless guide to CRC error detection
algorithms" (1993). CRC-32 is IEEE 802.3 section 3.2.9, CRC-32C is RFC 3720 section 12.1,
CRC-T10DIF is SBC-3 section 4.22.4 (the guard field of protection information).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, Self

from reference import gf2


@dataclass(frozen=True, slots=True)
class Parameters:
    """A CRC: width in bits, generator without its top term, start, bit order, final xor."""

    name: str
    width: int
    polynomial: int
    start: int
    reflected: bool
    final_xor: int

    @property
    def generator(self) -> int:
        """The generator polynomial with its top term, bit i for x^i."""
        return 1 << self.width | self.polynomial

    @property
    def mask(self) -> int:
        """The register with all bits set."""
        return (1 << self.width) - 1


PARAMETERS_CRC32 = Parameters("crc32", 32, 0x04C11DB7, 0xFFFFFFFF, True, 0xFFFFFFFF)
PARAMETERS_CRC32C = Parameters("crc32c", 32, 0x1EDC6F41, 0xFFFFFFFF, True, 0xFFFFFFFF)
PARAMETERS_CRC_T10DIF = Parameters("crct10dif", 16, 0x8BB7, 0, False, 0)

SHORTEST_FOLD = 256
"""Bytes from which on folding is faster than the table."""


def register_bit_by_bit(p: Parameters, register: int, data: bytes) -> int:
    """The register after `data`, one bit of the message at a time: the definition."""
    top = 1 << (p.width - 1)
    if p.reflected:
        polynomial = gf2.reverse(p.polynomial, p.width)
        for byte in data:
            register ^= byte
            for _ in range(8):
                register = register >> 1 ^ (polynomial if register & 1 else 0)
        return register
    for byte in data:
        register ^= byte << (p.width - 8)
        for _ in range(8):
            register = (register << 1 & p.mask) ^ (p.polynomial if register & top else 0)
    return register


@lru_cache(maxsize=16)
def table(p: Parameters) -> tuple[int, ...]:
    """The register after each byte value from an empty register: 256 entries."""
    return tuple(register_bit_by_bit(p, 0, bytes([b])) for b in range(256))


def register_by_table(p: Parameters, register: int, data: bytes) -> int:
    """The register after `data`, one byte at a time."""
    entries = table(p)
    if p.reflected:
        for byte in data:
            register = entries[(register ^ byte) & 0xFF] ^ register >> 8
        return register
    shift, mask = p.width - 8, p.mask
    for byte in data:
        register = entries[register >> shift ^ byte] ^ register << 8 & mask
    return register


def register_by_folding(p: Parameters, register: int, data: bytes) -> int:
    """The register after `data`, by folding the front half of the message onto the rest.

    A message A * x^n + B leaves the same remainder as A * (x^n mod generator) + B, which is
    half as long. This is what carry-less multiply instructions are used for.
    """
    size = max(len(data), p.width // 8)
    if p.reflected:
        data, register = data.translate(gf2.REVERSED_BITS), gf2.reverse(register, p.width)
    message = int.from_bytes(data, "big") << p.width
    message ^= register << 8 * len(data)
    bits = 8 * size + p.width
    while bits > 8 * SHORTEST_FOLD:
        lower = bits // 2
        front, message = message >> lower, message & ((1 << lower) - 1)
        factor = gf2.power_of_x(lower, p.generator)
        message ^= gf2.clmul(front, factor)
        bits = max(lower, bits - lower + p.width)
    left = message.to_bytes(-(-bits // 8), "big")
    register = _plain_remainder(p, left)
    return gf2.reverse(register, p.width) if p.reflected else register


def _plain_remainder(p: Parameters, message: bytes) -> int:
    """The message polynomial modulo the generator, by a table of unreflected bytes."""
    entries = table(Parameters(p.name, p.width, p.polynomial, 0, False, 0))
    shift, mask = p.width - 8, p.mask
    register = 0
    for byte in message:
        register = entries[register >> shift] ^ (register << 8 & mask | byte)
    return register


class CRC:
    """A streaming CRC: `update` any bytes, then `final` or `value`."""

    parameters: ClassVar[Parameters]

    __slots__ = ("register",)

    def __init__(self, data: bytes = b"", register: int | None = None) -> None:
        self.register = self.parameters.start if register is None else register
        if data:
            self.update(data)

    def update(self, data: bytes) -> None:
        """Take the next bytes of the message."""
        long = len(data) >= SHORTEST_FOLD
        step = register_by_folding if long else register_by_table
        self.register = step(self.parameters, self.register, data)

    @property
    def value(self) -> int:
        """The CRC of all bytes so far as a number."""
        return self.register ^ self.parameters.final_xor

    def final(self) -> bytes:
        """The CRC of all bytes so far, least significant byte first (as Ethernet sends it)."""
        return self.value.to_bytes(self.parameters.width // 8, "little")

    def copy(self) -> Self:
        """An object in the same state."""
        return type(self)(register=self.register)

    def export_state(self, byteorder: Literal["little", "big"] = "little") -> bytes:
        """The register as the kernel's descriptor context holds it: one native word."""
        return self.register.to_bytes(self.parameters.width // 8, byteorder)

    @classmethod
    def import_state(cls, state: bytes, byteorder: Literal["little", "big"] = "little") -> Self:
        """The object whose `export_state` gave `state`; ValueError for a wrong length."""
        if len(state) != cls.parameters.width // 8:
            raise ValueError(f"a {cls.parameters.name} state has {cls.parameters.width // 8} bytes")
        return cls(register=int.from_bytes(state, byteorder))


class CRC32(CRC):
    """CRC-32 of IEEE 802.3, zlib and the kernel's crc32_le (which leaves out both xors)."""

    parameters = PARAMETERS_CRC32
    __slots__ = ()


class CRC32C(CRC):
    """CRC-32C (Castagnoli) of RFC 3720 and the kernel's crc32c."""

    parameters = PARAMETERS_CRC32C
    __slots__ = ()


class CRCT10DIF(CRC):
    """CRC-T10DIF: `final` gives its 16 bits, most significant byte first (SBC-3)."""

    parameters = PARAMETERS_CRC_T10DIF
    __slots__ = ()

    def final(self) -> bytes:
        """The CRC of all bytes so far, most significant byte first."""
        return self.value.to_bytes(2, "big")
