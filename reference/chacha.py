"""ChaCha20, ChaCha12 and XChaCha on many blocks at once (RFC 8439).

Each row of the state is one big integer: word c of block i lies in lane `c * blocks + i`,
64 bits wide so that sums stay inside. A column round is then one quarter round on whole
rows, and turning a row by a column is a rotation of the integer.
"""

from __future__ import annotations

import struct
from functools import lru_cache

from reference.bulk import xor
from reference.chacha_definition import CONSTANTS

BLOCK_SIZE = 64
_MASK = 0xFFFFFFFF
_MOST_BLOCKS = 128

Rows = tuple[int, int, int, int]


@lru_cache(maxsize=64)
def _every_lane(lanes: int) -> int:
    """The integer with a one in each lane of 64 bits."""
    return ((1 << 64 * lanes) - 1) // ((1 << 64) - 1)


def _row(words: tuple[int, ...], blocks: int) -> int:
    ones = _every_lane(blocks)
    row = 0
    for c, word in enumerate(words):
        row |= word * ones << 64 * blocks * c
    return row


def _rounds(rows: Rows, rounds: int, blocks: int) -> Rows:
    """Columns and diagonals in turn (section 2.3); row r turns by r columns in between."""
    a, b, c, d = rows
    mask = _every_lane(4 * blocks) * _MASK
    one, two, three = 64 * blocks, 128 * blocks, 192 * blocks
    whole = (1 << 256 * blocks) - 1
    for half in range(rounds):
        a = a + b & mask
        d ^= a
        d = (d << 16 | d >> 16) & mask
        c = c + d & mask
        b ^= c
        b = (b << 12 | b >> 20) & mask
        a = a + b & mask
        d ^= a
        d = (d << 8 | d >> 24) & mask
        c = c + d & mask
        b ^= c
        b = (b << 7 | b >> 25) & mask
        left, right = (three, one) if half % 2 else (one, three)
        b = b >> left | b << right & whole
        c = c >> two | c << two & whole
        d = d >> right | d << left & whole
    return a, b, c, d


def _serialise(rows: Rows, blocks: int) -> bytes:
    """The words of each block one after the other, least significant byte first."""
    stream = bytearray(BLOCK_SIZE * blocks)
    size = 8 * blocks
    for r, row in enumerate(rows):
        lanes = row.to_bytes(4 * size, "little")
        for c in range(4):
            place = 16 * r + 4 * c
            for byte in range(4):
                stream[place + byte :: BLOCK_SIZE] = lanes[c * size + byte : (c + 1) * size : 8]
    return bytes(stream)


class ChaCha:
    """ChaCha with a 32-bit counter: `update` any bytes, encrypting or decrypting.

    `key` has 32 bytes, `nonce` 12; `counter` is the next block's and wraps at 2^32, as the
    kernel's does (RFC 8439 section 2.4 forbids going that far).
    """

    def __init__(self, key: bytes, nonce: bytes, counter: int = 0, rounds: int = 20) -> None:
        if len(key) != 32:
            raise ValueError(f"a ChaCha key has 32 bytes, not {len(key)}")
        if len(nonce) != 12:
            raise ValueError(f"a ChaCha nonce has 12 bytes, not {len(nonce)}")
        self.counter = counter & _MASK
        self._rounds = rounds
        self._key = struct.unpack("<8L", key)
        self._nonce = struct.unpack("<3L", nonce)
        self._keystream = b""

    def update(self, data: bytes) -> bytes:
        """Take any number of bytes and return as many."""
        parts = [self._keystream]
        missing = len(data) - len(self._keystream)
        while missing > 0:
            blocks = min(-(-missing // BLOCK_SIZE), _MOST_BLOCKS)
            parts.append(self._blocks(blocks))
            missing -= BLOCK_SIZE * blocks
        stream = b"".join(parts)
        self._keystream = stream[len(data) :]
        return xor(data, stream[: len(data)])

    def final(self) -> bytes:
        """End the message; nothing is left to give."""
        return b""

    def state_words(self) -> tuple[int, ...]:
        """The 16 words of the state at the next block, as the kernel's `u32 state[16]`."""
        return (*CONSTANTS, *self._key, self.counter, *self._nonce)

    def _blocks(self, blocks: int) -> bytes:
        counters = 0
        for i in range(blocks):
            counters |= (self.counter + i & _MASK) << 64 * i
        self.counter = self.counter + blocks & _MASK
        start = (
            _row(CONSTANTS, blocks),
            _row(self._key[:4], blocks),
            _row(self._key[4:], blocks),
            counters | _row(self._nonce, blocks) << 64 * blocks,
        )
        a, b, c, d = _rounds(start, self._rounds, blocks)
        return _serialise((a + start[0], b + start[1], c + start[2], d + start[3]), blocks)


def hchacha(key: bytes, nonce: bytes, rounds: int = 20) -> bytes:
    """HChaCha: 32 bytes from a key of 32 and a nonce of 16 (draft-irtf-cfrg-xchacha, 2.2)."""
    words = struct.unpack("<8L", key)
    rows = (
        _row(CONSTANTS, 1), _row(words[:4], 1), _row(words[4:], 1),
        _row(struct.unpack("<4L", nonce), 1),
    )
    first, _, _, last = _rounds(rows, rounds, 1)
    parts = [row >> 64 * c & _MASK for row in (first, last) for c in range(4)]
    return struct.pack("<8L", *parts)


class XChaCha(ChaCha):
    """XChaCha: a nonce of 24 bytes, of which HChaCha turns 16 into a key."""

    def __init__(self, key: bytes, nonce: bytes, counter: int = 0, rounds: int = 20) -> None:
        if len(nonce) != 24:
            raise ValueError(f"an XChaCha nonce has 24 bytes, not {len(nonce)}")
        subkey = hchacha(key, nonce[:16], rounds)
        super().__init__(subkey, bytes(4) + nonce[16:], counter, rounds)


def chacha20_crypt(key: bytes, counter: int, nonce: bytes, data: bytes) -> bytes:
    """ChaCha20 over `data` of any length (RFC 8439 section 2.4)."""
    return ChaCha(key, nonce, counter).update(data)


def chacha12_crypt(key: bytes, counter: int, nonce: bytes, data: bytes) -> bytes:
    """ChaCha with 12 rounds over `data` of any length."""
    return ChaCha(key, nonce, counter, rounds=12).update(data)


def xchacha20_crypt(key: bytes, counter: int, nonce: bytes, data: bytes) -> bytes:
    """XChaCha20 over `data` of any length (draft-irtf-cfrg-xchacha section 2.3)."""
    return XChaCha(key, nonce, counter).update(data)
