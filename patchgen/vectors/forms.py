"""What an implementation of an algorithm looks like to a check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from patchgen.vectors.model import Vector

Encrypt = Callable[[Vector], tuple[bytes, bytes]]
"""From key, IV, associated data, input and the length of the tag to output and tag."""

Decrypt = Callable[[Vector], bytes | None]
"""From key, IV, associated data, output and tag back to input; None for a wrong tag."""


def always(vector: Vector) -> bool:
    """The condition of an implementation that can do every vector of its algorithm."""
    del vector
    return True


@dataclass(frozen=True, slots=True)
class Form:
    """One implementation: its name, both directions, and which vectors it can do."""

    name: str
    encrypt: Encrypt
    decrypt: Decrypt | None = None
    can_do: Callable[[Vector], bool] = always
