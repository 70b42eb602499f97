"""Which line of a TOML file a key stands on; the parser of the standard library forgets it."""

from __future__ import annotations

import re
from collections.abc import Sequence

Key = tuple[str | int, ...]

_HEADER = re.compile(r"\s*(\[\[?)([^\]]+)\]\]?\s*(#.*)?$")
_ASSIGNMENT = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|[\w-]+))*)\s*=""")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|([\w-]+)""")


def key_lines(text: str) -> dict[Key, int]:
    """Line (1-based) of every table header and key of a valid TOML text.

    Keys are full paths; the index of an array of tables is a number:
    ``("patch", 1, "step", 0, "kind")``.
    """
    lines: dict[Key, int] = {}
    counts: dict[Key, int] = {}
    prefix: Key = ()
    quote: str | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if quote is not None:
            if quote in line:
                quote = None
            continue
        header = _HEADER.match(line)
        if header:
            prefix = _resolve(_split(header[2]), counts, array=header[1] == "[[")
            lines.setdefault(prefix, number)
            continue
        assignment = _ASSIGNMENT.match(line)
        if assignment:
            lines.setdefault(prefix + _split(assignment[1]), number)
            value = line[assignment.end() :].strip()
            for mark in ('"""', "'''"):
                if value.startswith(mark) and mark not in value[3:]:
                    quote = mark
    return lines


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """Line of the key, or of the nearest table around it; None when nothing matches."""
    lines = key_lines(text)
    key = tuple(path)
    while key:
        if key in lines:
            return lines[key]
        key = key[:-1]
    return None


def _split(dotted: str) -> Key:
    return tuple(m[1] or m[2] or m[3] for m in _PART.finditer(dotted))


def _resolve(parts: Key, counts: dict[Key, int], *, array: bool) -> Key:
    path: Key = ()
    for position, part in enumerate(parts):
        path += (part,)
        last = position == len(parts) - 1
        if last and array:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path += (counts[path],)
    return path
