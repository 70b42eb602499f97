"""What MD5, SHA-1 and SHA-2 share: blocks, padding, streaming, and the state in memory.

A subclass gives the constants and `_compress`. The exported state is the struct that the
kernel's `export` hands out (include/crypto/md5.h, sha1.h, sha2.h): the chaining value as
native words, the byte count, and the buffered rest of a block.
"""

from __future__ import annotations

from typing import ClassVar, Literal, Self

ByteOrder = Literal["little", "big"]


class MerkleDamgard:
    """A streaming hash: `update` any bytes, then `final`."""

    name: ClassVar[str]
    digest_size: ClassVar[int]
    block_size: ClassVar[int]
    word_size: ClassVar[int]
    byteorder: ClassVar[ByteOrder]
    initial_state: ClassVar[tuple[int, ...]]
    _count_offset: ClassVar[int]
    _buffer_offset: ClassVar[int]
    state_size: ClassVar[int]

    __slots__ = ("_buffer", "count", "state")

    def __init__(self, data: bytes = b"") -> None:
        self.state: tuple[int, ...] = self.initial_state
        self.count = 0
        self._buffer = b""
        if data:
            self.update(data)

    def update(self, data: bytes) -> None:
        """Take the next bytes of the message."""
        self.count += len(data)
        data = self._buffer + data
        whole = len(data) - len(data) % self.block_size
        if whole:
            self.state = self._compress(self.state, data[:whole])
        self._buffer = data[whole:]

    def final(self) -> bytes:
        """The digest of all bytes so far; the object may go on taking bytes."""
        state = self._compress(self.state, self._buffer + self.padding(self.count))
        digest = b"".join(word.to_bytes(self.word_size, self.byteorder) for word in state)
        return digest[: self.digest_size]

    @classmethod
    def padding(cls, count: int) -> bytes:
        """What is appended to a message of `count` bytes: {80}, zeros, its length in bits."""
        length_size = 2 * cls.word_size
        zeros = -(count + 1 + length_size) % cls.block_size
        bits = (8 * count) % (1 << 8 * length_size)
        return b"\x80" + bytes(zeros) + bits.to_bytes(length_size, cls.byteorder)

    def copy(self) -> Self:
        """An object in the same state."""
        twin = type(self)()
        twin.state, twin.count, twin._buffer = self.state, self.count, self._buffer
        return twin

    def chaining_value(self) -> bytes:
        """The intermediate state in digest byte order, as engines write it (all words)."""
        return b"".join(word.to_bytes(self.word_size, self.byteorder) for word in self.state)

    def export_state(self, byteorder: ByteOrder = "little") -> bytes:
        """The kernel's state struct as a CPU of that byte order keeps it: `state_size` bytes."""
        struct = bytearray(self.state_size)
        words = b"".join(word.to_bytes(self.word_size, byteorder) for word in self.state)
        struct[: len(words)] = words
        count = self.count.to_bytes(self._count_size(), byteorder)
        if self._count_size() == 16 and byteorder == "big":
            count = count[8:] + count[:8]
        struct[self._count_offset : self._count_offset + len(count)] = count
        struct[self._buffer_offset : self._buffer_offset + len(self._buffer)] = self._buffer
        return bytes(struct)

    @classmethod
    def import_state(cls, struct: bytes, byteorder: ByteOrder = "little") -> Self:
        """The object whose `export_state` gave `struct`; ValueError for a wrong length."""
        if len(struct) != cls.state_size:
            raise ValueError(f"a {cls.name} state has {cls.state_size} bytes, not {len(struct)}")
        size = cls.word_size
        twin = cls()
        twin.state = tuple(
            int.from_bytes(struct[i * size : (i + 1) * size], byteorder)
            for i in range(len(cls.initial_state))
        )
        count = struct[cls._count_offset : cls._count_offset + cls._count_size()]
        if len(count) == 16 and byteorder == "big":
            count = count[8:] + count[:8]
        twin.count = int.from_bytes(count, byteorder)
        rest = twin.count % cls.block_size
        twin._buffer = struct[cls._buffer_offset : cls._buffer_offset + rest]
        return twin

    @classmethod
    def _count_size(cls) -> int:
        return 2 * cls.word_size

    @classmethod
    def _compress(cls, state: tuple[int, ...], blocks: bytes) -> tuple[int, ...]:
        """The chaining value after whole blocks."""
        raise NotImplementedError
