"""Random inputs for the reference room: lengths, keys and points to split a message at."""

from __future__ import annotations

import itertools
import os
import random
from dataclasses import dataclass

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

THOROUGH = bool(os.environ.get("PATCHGEN_THOROUGH"))
LONGEST = 5000

many = settings(
    max_examples=10_000 if THOROUGH else 10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
"""10,000 cases with PATCHGEN_THOROUGH, a few without."""


@dataclass(frozen=True)
class RandomCase:
    """One message, cut into chunks, and a source of keys, IVs and sizes that go with it."""

    chunks: tuple[bytes, ...]
    draw: random.Random

    @property
    def message(self) -> bytes:
        return b"".join(self.chunks)

    def bytes(self, *sizes: int) -> bytes:
        """Random bytes of one of the sizes."""
        return self.draw.randbytes(self.draw.choice(sizes))


def cases(step: int = 1, shortest: int = 0) -> st.SearchStrategy[RandomCase]:
    """Messages of 0 to 5000 bytes (multiples of `step`), split at up to four points.

    Two numbers are drawn and all else follows from them: with 10,000 cases for each of
    thirty implementations, drawing is what takes the time.
    """
    low, high = -(-shortest // step), LONGEST // step
    short = max(min(200 // step, high), low)
    lengths = st.one_of(st.integers(low, short), st.integers(low, high))
    return st.builds(_case, lengths.map(lambda n: n * step), st.integers(0, 2**32 - 1))


def _case(size: int, seed: int) -> RandomCase:
    rng = random.Random(seed)
    message = rng.randbytes(size)
    cuts = sorted(rng.randint(0, size) for _ in range(rng.randint(0, 4)))
    ends = [0, *cuts, size]
    return RandomCase(tuple(message[a:b] for a, b in itertools.pairwise(ends)), rng)
