"""The message words of many blocks side by side in one big integer.

Word t of block i lies in lane i, the first block lowest. A lane is twice as wide as its
word, so that sums and rotations of a word stay inside it until a mask takes them out. The
message schedule does not depend on the chaining value, so all blocks can share its steps.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from functools import lru_cache

WORDS = 16


def split(blocks: bytes, word_size: int) -> list[int]:
    """The 16 big-endian words of each block as 16 integers with one lane per block."""
    stride = WORDS * word_size
    count = len(blocks) // stride
    columns = []
    for t in range(WORDS):
        lanes = bytearray(2 * word_size * count)
        for byte in range(word_size):
            lanes[word_size - 1 - byte :: 2 * word_size] = blocks[t * word_size + byte :: stride]
        columns.append(int.from_bytes(lanes, "little"))
    return columns


def merge(columns: Iterable[int], word_size: int, count: int) -> Iterable[tuple[int, ...]]:
    """For each block the tuple of its words, out of integers with one lane per block."""
    size = 2 * word_size * count
    parts = struct.Struct(f"<{size // 8}Q").unpack
    step = word_size // 4
    return zip(*[parts(c.to_bytes(size, "little"))[::step] for c in columns], strict=True)


@lru_cache(maxsize=64)
def repeat(word: int, word_size: int, count: int) -> int:
    """The integer with `word` in each of `count` lanes."""
    lane = 16 * word_size
    return word * (((1 << lane * count) - 1) // ((1 << lane) - 1))


@lru_cache(maxsize=16)
def repeat_all(words: tuple[int, ...], word_size: int, count: int) -> tuple[int, ...]:
    """`repeat` of each word."""
    return tuple(repeat(word, word_size, count) for word in words)
