"""A binding as text: its keys, blocks and example with the lines they stand on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_KEY = re.compile(r"^( *)(?:- )?(['\"]?)([$#A-Za-z][\w#,.$@^{}\[\]*+?|()-]*)\2:(?: +(.*))?$")


@dataclass(frozen=True, slots=True)
class Key:
    """One ``key: value`` line; ``path`` holds the keys around it, outermost first."""

    path: tuple[str, ...]
    name: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Example:
    """One example: its text without the indentation, and the line on which it starts."""

    text: str
    line: int


@dataclass(slots=True)
class Document:
    """What the lint reads of a binding."""

    path: str
    text: str
    keys: list[Key] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    items: dict[tuple[str, ...], list[tuple[str, int]]] = field(default_factory=dict)

    def key(self, *path: str) -> Key | None:
        """The key at a path from the top."""
        return next((k for k in self.keys if (*k.path, k.name) == path), None)


def read_document(path: str, text: str) -> Document:
    """Read a binding line by line; block scalars are no keys."""
    document = Document(path, text)
    stack: list[tuple[int, str]] = []
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        while stack and indent <= stack[-1][0] and not (
            indent == stack[-1][0] and bare.startswith("- ")
        ):
            stack.pop()
        where = tuple(name for _, name in stack)
        if bare.startswith("- ") or bare == "-":
            value = bare[2:].strip()
            document.items.setdefault(where, []).append((value, index))
            if re.fullmatch(r"[|>][+-]?\d?", value):
                block, index = _block(lines, index, indent)
                if where == ("examples",):
                    document.examples.append(block)
                continue
        match = _KEY.match(line)
        if match is not None:
            name, value = match[3], (match[4] or "").strip()
            document.keys.append(Key(where, name, value, index))
            offset = 2 if bare.startswith("- ") else 0
            stack.append((indent + offset, name))
            if re.fullmatch(r"[|>][+-]?\d?", value):
                _, index = _block(lines, index, indent)
    return document


def _block(lines: list[str], index: int, indent: int) -> tuple[Example, int]:
    start = index
    while index < len(lines):
        line = lines[index]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        index += 1
    body = lines[start:index]
    margin = min((len(b) - len(b.lstrip()) for b in body if b.strip()), default=0)
    return Example("\n".join(b[margin:] for b in body), start + 1), index
