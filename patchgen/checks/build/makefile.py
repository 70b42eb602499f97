"""Kbuild makefiles: which objects a symbol builds, and from which sources.

Source of the language: Documentation/kbuild/makefiles.rst.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ASSIGN = re.compile(r"\s*([\w.$()/-]+?)\s*(\+=|:=|\?=|=)\s*(.*)")
_SYMBOL = re.compile(r"\$\(CONFIG_(\w+)\)")


@dataclass(frozen=True, slots=True)
class Line:
    """One assignment of objects: ``target`` ``obj`` or a module's name."""

    target: str
    symbol: str | None
    objects: tuple[str, ...]
    line: int


def parse_makefile(text: str) -> list[Line]:
    """The lines that name objects, folders or a module's parts."""
    result: list[Line] = []
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        number = index + 1
        line = lines[index]
        index += 1
        while line.endswith("\\") and index < len(lines):
            line = line[:-1] + " " + lines[index]
            index += 1
        match = _ASSIGN.match(line.split("#", 1)[0])
        if match is None or line.startswith("\t"):
            continue
        left, _, right = match.groups()
        symbol = _SYMBOL.search(left)
        name = _target(left)
        if name is not None:
            words = tuple(w for w in right.split() if w.endswith((".o", "/")))
            result.append(Line(name, symbol[1] if symbol else None, words, number))
    return result


def _target(left: str) -> str | None:
    """``obj`` for obj-…, the module for ``module-y``/``-objs``; None for flags and others."""
    plain = re.sub(r"-\$\([^)]*\)$", "-y", left)
    match = re.fullmatch(r"(.+)-(y|m|objs|n)", plain)
    if match is None or left.startswith(("CFLAGS", "AFLAGS", "ccflags", "asflags", "ldflags",
                                         "always", "targets", "subdir", "clean", "hostprogs")):
        return None
    return match[1]
