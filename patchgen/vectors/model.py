"""A test vector, what is wrong with one, and what a check says about one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

FIELDS = ("key", "iv", "aad", "input", "output", "tag")
"""The byte strings of a vector, in the order they are sealed and printed."""

_LONGEST_SHOWN = 32


@dataclass(frozen=True, slots=True)
class Vector:
    """One known answer.

    `name` is unique (`sp800-38a/cbc-aes/F.2.1`), `algorithm` a name of
    `patchgen.vectors.algorithms`, `source` the document and section it is from or
    "generated, seed N". For hashes and MACs `output` is the digest; for AEADs `tag` is apart
    from `output`. `valid` is False for a vector that must be refused. `seal` is the SHA-256
    digest of all fields where the vector is stored as a digest only. `agreed` names the
    implementations that computed the same, once a check has run.
    """

    name: str
    algorithm: str
    source: str
    key: bytes = b""
    iv: bytes = b""
    aad: bytes = b""
    input: bytes = b""
    output: bytes = b""
    tag: bytes = b""
    valid: bool = True
    seal: bytes = b""
    agreed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """The vectors of one algorithm from one document; `digest` covers all of them."""

    name: str
    algorithm: str
    document: str
    vectors: tuple[Vector, ...]
    digest: bytes


@dataclass(frozen=True, slots=True)
class Problem:
    """Two values that ought to be one, or a reason why a vector could not be checked.

    `offset` is the first differing byte, counted from 0; None where values cannot differ
    by one (a refused vector, no second implementation).
    """

    field: str
    first_name: str
    first: bytes | None
    second_name: str
    second: bytes | None
    offset: int | None
    note: str = ""

    def __str__(self) -> str:
        if self.offset is None or self.first is None or self.second is None:
            return f"{self.field}: {self.note}"
        return (
            f"{self.field}: {self.first_name} says {_excerpt(self.first, self.offset)}, "
            f"{self.second_name} says {_excerpt(self.second, self.offset)}; "
            f"first differing byte {self.offset}"
        )


@dataclass(frozen=True, slots=True)
class VectorResult:
    """A checked vector (with `agreed` filled in) and what is wrong with it."""

    vector: Vector
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether at least two implementations agree with the vector and none differs."""
        return not self.problems

    def messages(self) -> tuple[str, ...]:
        """One line a problem, each naming the vector."""
        return tuple(f"{self.vector.name}: {problem}" for problem in self.problems)


def difference(
    field: str, first_name: str, first: bytes, second_name: str, second: bytes
) -> Problem | None:
    """The problem that two values of a field are not equal, or None when they are."""
    if first == second:
        return None
    shorter = min(len(first), len(second))
    both = int.from_bytes(first[:shorter], "big") ^ int.from_bytes(second[:shorter], "big")
    offset = shorter - (both.bit_length() + 7) // 8
    return Problem(field, first_name, first, second_name, second, offset)


def obstacle(field: str, note: str) -> Problem:
    """A problem that is not a difference of two values."""
    return Problem(field, "", None, "", None, None, note)


def seal(vector: Vector) -> bytes:
    """SHA-256 over the algorithm and all fields, each after its length (32 bytes)."""
    digest = hashlib.sha256(vector.algorithm.encode())
    for field in FIELDS:
        value: bytes = getattr(vector, field)
        digest.update(len(value).to_bytes(8, "big") + value)
    return digest.digest()


def consolidated(vectors: Iterable[Vector]) -> bytes:
    """SHA-256 over names, sources and seals of vectors in their order (32 bytes)."""
    digest = hashlib.sha256()
    for vector in vectors:
        label = f"{vector.name}\0{vector.source}\0{vector.valid}\0"
        digest.update(label.encode() + seal(vector))
    return digest.digest()


def _excerpt(value: bytes, offset: int) -> str:
    """The value in hex, or a window around `offset` when it is long."""
    if not value:
        return "nothing"
    if len(value) <= _LONGEST_SHOWN:
        return value.hex()
    start = max(min(offset - _LONGEST_SHOWN // 2, len(value) - _LONGEST_SHOWN), 0)
    end = start + _LONGEST_SHOWN
    before = "..." if start else ""
    after = "..." if end < len(value) else ""
    return f"{before}{value[start:end].hex()}{after} (bytes {start}..{min(end, len(value)) - 1})"
