"""Vector files by others: Wycheproof JSON and NIST CAVP `.rsp`, told apart by their start."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from patchgen.errors import InputError
from patchgen.vectors.model import Vector

LARGEST_FILE = 64 << 20
"""Bytes; the largest file of either kind that is published has a quarter of it."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file holds: vectors that can be computed, and others with the reason why not."""

    format: str
    vectors: tuple[Vector, ...]
    skipped: tuple[tuple[str, str], ...]


def read_file(path: Path) -> Imported:
    """Read a vector file; raises `InputError` with file and line for a malformed one."""
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise InputError(
                f"{size >> 20} MiB is too large for a vector file",
                path=path, advice=f"split it into files below {LARGEST_FILE >> 20} MiB",
            )
        data = path.read_bytes()
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("not a text file", path=path, line=line,
                         advice="give a Wycheproof .json or a CAVP .rsp file") from None
    if not text.strip():
        raise InputError("the file is empty", path=path)
    if text.lstrip()[0] in "{[":
        from patchgen.vectors.wycheproof import read_wycheproof

        imported = read_wycheproof(text, path)
    else:
        from patchgen.vectors.cavp import read_cavp

        imported = read_cavp(text, path)
    if not imported.vectors:
        count = len(imported.skipped)
        reason = imported.skipped[0][1] if count else "there is none"
        raise InputError(f"none of its {count} tests can be checked: {reason}", path=path)
    return imported


def unhex(digits: str, what: str, path: Path, line: int | None) -> bytes:
    """Bytes of hex digits; raises `InputError` for an odd number of them or other letters."""
    digits = digits.strip()
    if len(digits) % 2:
        raise InputError(f"{what}: {len(digits)} hex digits are an odd number",
                         path=path, line=line, advice="is the line cut off?")
    try:
        return bytes.fromhex(digits)
    except ValueError:
        bad = next(c for c in digits if c not in "0123456789abcdefABCDEF")
        raise InputError(f"{what}: {bad!r} is not a hex digit", path=path, line=line) from None
