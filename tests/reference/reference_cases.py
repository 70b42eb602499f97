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
    max_examples=10_000 if THOROUGH else 20,
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


@st.composite
def cases(draw: st.DrawFn, step: int = 1, shortest: int = 0) -> RandomCase:
    """Messages of 0 to 5000 bytes (multiples of `step`), split at up to four points."""
    low, high = -(-shortest // step), LONGEST // step
    short = min(200 // step, high)
    units = draw(st.one_of(st.integers(low, max(short, low)), st.integers(low, high)))
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    message = rng.randbytes(units * step)
    cuts = sorted(draw(st.lists(st.integers(0, len(message)), max_size=4)))
    ends = [0, *cuts, len(message)]
    chunks = tuple(message[a:b] for a, b in itertools.pairwise(ends))
    return RandomCase(chunks, rng)
