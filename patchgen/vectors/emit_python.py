"""Vectors as a Python module."""

from __future__ import annotations

from collections.abc import Iterable

from patchgen.vectors.model import FIELDS, Vector

_DIGITS_A_LINE = 64


def python_module(vectors: Iterable[Vector]) -> str:
    """A module with `VECTORS`, a tuple of dicts with the fields that are not empty."""
    lines = ['"""Test vectors written by patchgen."""', "", "VECTORS = ("]
    for vector in vectors:
        lines += _dict(vector)
    return "\n".join([*lines, ")", ""])


def _dict(vector: Vector) -> list[str]:
    lines = ["    {"]
    lines += [f"        {field!r}: {getattr(vector, field)!r},"
              for field in ("name", "algorithm", "source", "agreed")]
    for field in FIELDS:
        value: bytes = getattr(vector, field)
        if value or field in ("input", "output"):
            lines += _bytes(field, value.hex())
    return [*lines, "    },"]


def _bytes(field: str, digits: str) -> list[str]:
    if len(digits) <= _DIGITS_A_LINE:
        return [f'        {field!r}: bytes.fromhex("{digits}"),']
    rows = [digits[i : i + _DIGITS_A_LINE] for i in range(0, len(digits), _DIGITS_A_LINE)]
    return [f"        {field!r}: bytes.fromhex(", *(f'            "{row}"' for row in rows),
            "        ),"]
