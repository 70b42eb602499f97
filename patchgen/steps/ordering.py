"""Where a new entry belongs in a list that people keep only roughly in order."""

from __future__ import annotations

from collections.abc import Sequence

WINDOW = 8
"""How many neighbours on each side have a say."""


def gap_for(keys: Sequence[str], new: str) -> int:
    """Index at which ``new`` is to be inserted among ``keys`` (0 … len(keys)).

    Kernel lists are sorted in stretches, not as a whole. A gap fits when its two direct
    neighbours are in order with ``new``; among those the one wins whose neighbourhood
    agrees most, then the one with the closest predecessor. The end, when none fits.
    """
    fitting = [
        gap
        for gap in range(len(keys) + 1)
        if (gap == 0 or keys[gap - 1] < new) and (gap == len(keys) or keys[gap] > new)
    ]
    if not fitting:
        return len(keys)

    def agreement(gap: int) -> tuple[int, str]:
        before = keys[max(0, gap - WINDOW) : gap]
        after = keys[gap : gap + WINDOW]
        votes = sum(1 if key < new else -1 for key in before)
        votes += sum(1 if key > new else -1 for key in after)
        return votes, keys[gap - 1] if gap else ""

    return max(fitting, key=agreement)
