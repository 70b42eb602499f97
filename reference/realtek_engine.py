"""The crypto engine of Realtek RTL838x and RTL930x SoCs: registers in, memory out.

Written from the data sheet as a second model, beside the kernel module that tests boot, so
that each checks the other. Addresses and registers are 32-bit numbers, memory is bytes;
descriptors are big endian. Time does not pass here: a reset is over at once, and a poll runs
every request that is ready.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from reference.fips197 import SBOX
from reference.md5 import MD5
from reference.modes import (
    cbc_decrypt,
    cbc_encrypt,
    ctr32_crypt,
    ecb_decrypt,
    ecb_encrypt,
)
from reference.sha1 import SHA1

SOURCE, DESTINATION, COMMAND, CONTROL = 0x0, 0x4, 0x8, 0xC
"""Register offsets."""

SOURCE_UNAVAILABLE, SOURCE_LENGTH, DESTINATION_UNAVAILABLE = 1 << 15, 1 << 14, 1 << 13
DESTINATION_DONE, ADDRESS_ERROR = 1 << 12, 1 << 11
INTERRUPTS = 0b11111 << 11
POLL, RESET = 1 << 1, 1 << 0
CLOCK = 1 << 6

OWN, END_OF_RING, FIRST = 1 << 31, 1 << 30, 1 << 29
LENGTH = 0x3FFF
MUST_BE_ZERO = 1 << 28 | 0b11 << 14
SOURCE_BYTES, DESTINATION_BYTES, DIGEST_OFFSET = 16, 32, 12
MAX_SLOTS = 1024
MAX_DATA_SEGMENTS = 8
MAX_CIPHER_TOTAL = 16368
HASH_PREFIX_LENGTH = 128


class Memory(Protocol):
    """What the engine reaches; both raise ``LookupError`` where there is nothing."""

    def read(self, address: int, length: int) -> bytes:
        """``length`` bytes from an address."""
        ...

    def write(self, address: int, data: bytes) -> None:
        """Store bytes at an address."""
        ...


class SparseMemory:
    """Memory that holds only what was put there: a dict of bytes."""

    def __init__(self) -> None:
        self._bytes: dict[int, int] = {}

    def write(self, address: int, data: bytes) -> None:
        """Store bytes at an address; memory comes into being there."""
        self._bytes.update(zip(range(address, address + len(data)), data, strict=True))

    def read(self, address: int, length: int) -> bytes:
        """``length`` bytes; raises ``LookupError`` where nothing was stored."""
        return bytes(self._bytes[a] for a in range(address, address + length))


class RefusedError(Exception):
    """The engine refuses a request: the status bit it raises, and why."""

    def __init__(self, bit: int, why: str) -> None:
        super().__init__(why)
        self.bit = bit


@dataclass
class Request:
    """A request as fetched from the rings."""

    word0: int
    total: int
    slots: list[tuple[int, int]] = field(default_factory=list)
    """Source slot and its first word, filler included."""
    segments: list[tuple[int, int]] = field(default_factory=list)
    """Address and length of every block, first descriptor included."""
    next_slot: int = 0

    @property
    def is_hash(self) -> bool:
        """Mode 01: hash."""
        return self.word0 >> 26 & 3 == 1

    @property
    def key_length(self) -> int:
        """Bytes of the AES key."""
        return 8 + 8 * (self.word0 >> 21 & 3)

    @property
    def decrypts(self) -> bool:
        """Key application 000."""
        return self.word0 >> 23 & 7 == 0


def user_key(tail: bytes) -> bytes:
    """The AES key of which the engine was given the end of the expansion (section 1.7).

    ``tail`` has 16, 24 or 32 bytes: the last round key, then the words just before it.
    """
    words = len(tail) // 4
    total = 4 * (words + 7)
    number = [int.from_bytes(tail[i:i + 4], "big") for i in range(0, len(tail), 4)]
    window = dict(enumerate(number[4:] + number[:4], start=total - words))
    for i in range(total - 1, words - 1, -1):
        window[i - words] = window[i] ^ _mixed(window[i - 1], i, words)
    return b"".join(window[i].to_bytes(4, "big") for i in range(words))


def _mixed(previous: int, index: int, words: int) -> int:
    """What word ``index`` of a key expansion adds to the word a key length before it."""
    if index % words == 0:
        rotated = (previous << 8 | previous >> 24) & 0xFFFFFFFF
        power = index // words
        constant = 1 << power - 1 if power <= 8 else 0x1B << power - 9
        return _substituted(rotated) ^ constant << 24
    if words > 6 and index % words == 4:
        return _substituted(previous)
    return previous


def _substituted(word: int) -> int:
    return int.from_bytes(bytes(SBOX[b] for b in word.to_bytes(4, "big")), "big")


class RealtekEngine:
    """Four registers, two rings."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.refusals: list[str] = []
        """Why requests were refused, oldest first."""
        self._reset()

    def _reset(self) -> None:
        self.status = self.control = 0
        self.source_base = self.destination_base = 0
        self.source_index = self.destination_index = 0
        self.bases_set: set[int] = set()
        self.stalled = False

    @property
    def interrupt(self) -> bool:
        """The interrupt line: an enabled status bit is pending."""
        return bool(self.status & self.control & INTERRUPTS)

    def read(self, register: int) -> int:
        """A register; ring registers give the address of the descriptor the engine is at."""
        if register == SOURCE:
            return self.source_base + SOURCE_BYTES * self.source_index
        if register == DESTINATION:
            return self.destination_base + DESTINATION_BYTES * self.destination_index
        return self.status if register == COMMAND else self.control

    def write(self, register: int, value: int) -> None:
        """Write a register; setting the poll bit runs everything that is ready."""
        if register == SOURCE:
            self.source_base, self.source_index = value, 0
            self.bases_set.add(register)
        elif register == DESTINATION:
            self.destination_base, self.destination_index = value, 0
            self.bases_set.add(register)
        elif register == CONTROL:
            self.control = value
        elif value & RESET:
            self._reset()
        else:
            self.status &= ~(value & INTERRUPTS)
            if value & POLL:
                self._run()

    def _run(self) -> None:
        while self.control & CLOCK and len(self.bases_set) == 2 and not self.stalled:
            try:
                request = self._fetch()
                if request is None:
                    return
                self._finish(request)
            except RefusedError as refused:
                self._stall(refused.bit, str(refused))
            except LookupError as error:
                self._stall(ADDRESS_ERROR, f"no memory at {error}")

    def _stall(self, bit: int, why: str) -> None:
        self.refusals.append(why)
        self.status |= bit
        self.stalled = True

    def _descriptor(self, slot: int) -> tuple[int, int, int, int]:
        data = self.memory.read(self.source_base + SOURCE_BYTES * slot, SOURCE_BYTES)
        words = [int.from_bytes(data[i:i + 4], "big") for i in range(0, SOURCE_BYTES, 4)]
        return words[0], words[1], words[2], words[3]

    def _put_word(self, address: int, word: int) -> None:
        self.memory.write(address, word.to_bytes(4, "big"))

    def _after(self, slot: int, word0: int) -> int:
        if word0 & END_OF_RING:
            return 0
        if slot + 1 == MAX_SLOTS:
            raise RefusedError(SOURCE_LENGTH, "the ring has no end")
        return slot + 1

    def _fetch(self) -> Request | None:
        """The next request, skipping descriptors that begin none; None: there is none."""
        for _ in range(MAX_SLOTS):
            word0, total, _, address = self._descriptor(self.source_index)
            if not word0 & OWN:
                return None
            if word0 & FIRST:
                break
            self._put_word(self.source_base + SOURCE_BYTES * self.source_index, word0 & ~OWN)
            self.source_index = self._after(self.source_index, word0)
        else:
            return None
        if self.source_index % 2:
            raise RefusedError(SOURCE_LENGTH, "a request begins in the middle of a cache line")
        request = Request(word0, total)
        _check_first(request)
        request.slots.append((self.source_index, word0))
        request.segments.append((address, word0 & LENGTH))
        request.next_slot = self._after(self.source_index, word0)
        self._fetch_rest(request)
        return request

    def _fetch_rest(self, request: Request) -> None:
        used = 0
        first_data = 1 if request.is_hash else 2
        while len(request.segments) < first_data or used < request.total:
            word0, total, padding, address = self._descriptor(request.next_slot)
            _check_next(request, word0, total, padding)
            length = word0 & LENGTH
            if len(request.segments) < first_data:
                if length != 16:
                    raise RefusedError(SOURCE_LENGTH, "an IV has 16 bytes")
            elif not length:
                raise RefusedError(SOURCE_LENGTH, "an empty block within the data")
            elif len(request.segments) - first_data == MAX_DATA_SEGMENTS:
                raise RefusedError(SOURCE_LENGTH, "more than 8 data segments")
            else:
                used += length
            if used > request.total:
                raise RefusedError(SOURCE_LENGTH, "more data than the total says")
            self._take(request, word0)
            request.segments.append((address, length))
        if len(request.slots) % 2:
            word0, total, _, _ = self._descriptor(request.next_slot)
            if word0 & (OWN | FIRST | LENGTH) != OWN or total != request.total:
                raise RefusedError(SOURCE_UNAVAILABLE, "no filler behind an odd number")
            self._take(request, word0)

    def _take(self, request: Request, word0: int) -> None:
        request.slots.append((request.next_slot, word0))
        request.next_slot = self._after(request.next_slot, word0)

    def _finish(self, request: Request) -> None:
        place = self.destination_base + DESTINATION_BYTES * self.destination_index
        word0 = int.from_bytes(self.memory.read(place, 4), "big")
        address = int.from_bytes(self.memory.read(place + 4, 4), "big")
        if not word0 & OWN:
            raise RefusedError(DESTINATION_UNAVAILABLE, "no destination is handed over")
        room = word0 & LENGTH
        if room < (0 if request.is_hash else request.total) or (request.is_hash and room):
            raise RefusedError(DESTINATION_UNAVAILABLE, "wrong destination length")
        parts = [b"" if request.is_hash and not i else self.memory.read(*segment)
                 for i, segment in enumerate(request.segments)]
        if request.is_hash:
            self.memory.write(place + DIGEST_OFFSET, _digest(request, b"".join(parts[1:])))
        else:
            self.memory.write(address, _crypt(request, parts[0], parts[1], b"".join(parts[2:])))
        for slot, word in request.slots:
            self._put_word(self.source_base + SOURCE_BYTES * slot, word & ~OWN)
        self._put_word(place, word0 & ~OWN)
        self.source_index = request.next_slot
        self.destination_index = 0 if word0 & END_OF_RING else self.destination_index + 1
        self.status |= DESTINATION_DONE


def _check_first(request: Request) -> None:
    word0, total = request.word0, request.total
    length = word0 & LENGTH
    why = None
    if word0 & MUST_BE_ZERO:
        why = "bits that must be zero are set"
    elif word0 >> 17 & 1:
        why = "HMAC is not modelled"
    elif not 0 < total <= LENGTH:
        why = "total length is zero or over 16383"
    elif request.is_hash:
        if length != HASH_PREFIX_LENGTH:
            why = "the first block of a hash has 128 bytes"
        elif total % 64:
            why = "a hash takes whole blocks"
    elif word0 >> 26 & 3:
        why = "combined modes are not modelled"
    elif not word0 >> 21 & 3:
        why = "DES is not modelled"
    elif word0 >> 18 & 3 == 3:
        why = "both CBC and CTR"
    elif word0 >> 23 & 7 not in ((7,) if word0 >> 18 & 1 else (0, 7)):
        why = "key application is neither encrypt nor decrypt"
    elif length != request.key_length:
        why = "key length and AES size differ"
    elif total % 16 or total > MAX_CIPHER_TOTAL:
        why = "a cipher takes whole blocks up to 16368 bytes"
    if why is not None:
        raise RefusedError(SOURCE_LENGTH, why)


def _check_next(request: Request, word0: int, total: int, padding: int) -> None:
    if not word0 & OWN:
        raise RefusedError(SOURCE_UNAVAILABLE, "a later descriptor is not handed over")
    if word0 & FIRST:
        raise RefusedError(SOURCE_LENGTH, "the next request begins before the total is reached")
    if word0 & MUST_BE_ZERO:
        raise RefusedError(SOURCE_LENGTH, "bits that must be zero are set")
    if total != request.total:
        raise RefusedError(SOURCE_LENGTH, "descriptors of a request disagree on the total")
    if padding >> 16 & 0xFF:
        raise RefusedError(SOURCE_LENGTH, "authentication padding is not modelled")


def _digest(request: Request, blocks: bytes) -> bytes:
    """The chaining value after whole blocks, from the standard's initial value."""
    engine = MD5() if request.word0 >> 16 & 1 else SHA1()
    engine.update(blocks)
    return b"".join(word.to_bytes(4, engine.byteorder) for word in engine.state)


def _crypt(request: Request, key: bytes, iv: bytes, data: bytes) -> bytes:
    if request.decrypts:
        key = user_key(key)
    if request.word0 >> 18 & 1:
        return ctr32_crypt(key, iv, data)
    if request.word0 >> 19 & 1:
        return (cbc_decrypt if request.decrypts else cbc_encrypt)(key, iv, data)
    return (ecb_decrypt if request.decrypts else ecb_encrypt)(key, data)
