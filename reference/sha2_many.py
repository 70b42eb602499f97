"""SHA-2 over many messages at once: one lane of a big integer for each (FIPS 180-4).

One stream of SHA-2 has nothing to do in parallel, but a set of test vectors is many
streams. Messages that have the same number of blocks share every operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reference import lanes, sha256, sha512
from reference.sha256 import SHA256
from reference.sha512 import SHA512


@dataclass(frozen=True, slots=True)
class _Rotations:
    """Distances of section 4.1: Sigma0, Sigma1, sigma0 and sigma1 (the last one shifts)."""

    big0: tuple[int, int, int]
    big1: tuple[int, int, int]
    small0: tuple[int, int, int]
    small1: tuple[int, int, int]


_SHA256 = _Rotations((2, 13, 22), (6, 11, 25), (7, 18, 3), (17, 19, 10))
_SHA512 = _Rotations((28, 34, 39), (14, 18, 41), (1, 8, 7), (19, 61, 6))

_MOST_MESSAGES = 256


def digests(algorithm: type[SHA256] | type[SHA512], messages: Sequence[bytes]) -> list[bytes]:
    """The digest of each message under one algorithm of the SHA-2 family."""
    by_blocks: dict[int, list[int]] = {}
    for number, message in enumerate(messages):
        blocks = (len(message) + len(algorithm.padding(len(message)))) // algorithm.block_size
        by_blocks.setdefault(blocks, []).append(number)
    found: list[bytes] = [b""] * len(messages)
    for numbers in by_blocks.values():
        for start in range(0, len(numbers), _MOST_MESSAGES):
            some = numbers[start : start + _MOST_MESSAGES]
            padded = [messages[n] + algorithm.padding(len(messages[n])) for n in some]
            for number, digest in zip(some, _same_length(algorithm, padded), strict=True):
                found[number] = digest
    return found


def _same_length(algorithm: type[SHA256] | type[SHA512], padded: list[bytes]) -> list[bytes]:
    size, count = algorithm.word_size, len(padded)
    state = [lanes.repeat(word, size, count) for word in algorithm.initial_state]
    for start in range(0, len(padded[0]), algorithm.block_size):
        blocks = b"".join(message[start : start + algorithm.block_size] for message in padded)
        state = _compress(state, blocks, size, count)
    words = lanes.merge(state, size, count)
    return [
        b"".join(word.to_bytes(size, "big") for word in row)[: algorithm.digest_size]
        for row in words
    ]


def _compress(state: list[int], blocks: bytes, size: int, count: int) -> list[int]:
    """One block of every message (sections 6.2.2 and 6.4.2)."""
    rotations, constants = (_SHA256, sha256.K) if size == 4 else (_SHA512, sha512.K)
    bits = 8 * size
    mask = lanes.repeat((1 << bits) - 1, size, count)
    w = _schedule(lanes.split(blocks, size), rotations.small0, rotations.small1, mask, bits,
                  len(constants))
    (p0, p1, p2), (q0, q1, q2) = rotations.big0, rotations.big1
    a, b, c, d, e, f, g, h = state
    for word, constant in zip(w, lanes.repeat_all(constants, size, count), strict=True):
        ee = e | e << bits
        big1 = (ee >> q0 ^ ee >> q1 ^ ee >> q2) & mask
        t1 = (h + big1 + (g ^ e & (f ^ g)) + constant & mask) + word & mask
        aa = a | a << bits
        big0 = (aa >> p0 ^ aa >> p1 ^ aa >> p2) & mask
        t2 = big0 + ((a ^ b) & (b ^ c) ^ b)
        h, g, f, e, d, c, b, a = g, f, e, d + t1 & mask, c, b, a, t1 + t2 & mask
    return [x + y & mask for x, y in zip(state, (a, b, c, d, e, f, g, h), strict=True)]


def _schedule(
    w: list[int], small0: tuple[int, int, int], small1: tuple[int, int, int], mask: int,
    bits: int, rounds: int,
) -> list[int]:
    (r0, r1, r2), (s0, s1, s2) = small0, small1
    for t in range(16, rounds):
        x, y = w[t - 15], w[t - 2]
        xx, yy = x | x << bits, y | y << bits
        sigma0 = (xx >> r0 ^ xx >> r1 ^ x >> r2) & mask
        sigma1 = (yy >> s0 ^ yy >> s1 ^ y >> s2) & mask
        w.append(sigma1 + w[t - 7] + sigma0 + w[t - 16] & mask)
    return w
