"""A Kconfig file as blocks, so that an entry can be put where the menu keeps its shape.

Grammar: Documentation/kbuild/kconfig-language.rst. Only the structure is read (which
lines belong to which entry, how entries nest); expressions stay text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_OPENERS = {"if": "endif", "menu": "endmenu", "choice": "endchoice"}
_CLOSERS = frozenset(_OPENERS.values())
_KEYWORD = re.compile(
    r"(config|menuconfig|choice|endchoice|if|endif|menu|endmenu|source|comment|mainmenu)\b\s*(.*)"
)

_INDENTED = re.compile(r"\t(config)\s+([A-Z0-9_]+)\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """One entry: lines ``start`` to ``end`` (0-based, end exclusive, blank lines after it
    included), with its nesting below ``if``, ``menu`` and ``choice``."""

    keyword: str
    argument: str
    start: int
    end: int
    container: tuple[int, ...]
    """Start lines of the blocks around it, outermost first."""
    depends: str

    @property
    def symbol(self) -> str | None:
        """The symbol a ``config`` or ``menuconfig`` defines."""
        return self.argument if self.keyword in ("config", "menuconfig") else None


def parse_blocks(lines: Sequence[str]) -> tuple[Block, ...]:
    """The blocks of a file, in order. Comment lines before an entry belong to it."""
    starts: list[tuple[int, str, str, tuple[int, ...]]] = []
    stack: list[int] = []
    for number, line in enumerate(lines):
        match = _KEYWORD.match(line) or (_INDENTED.match(line) if stack else None)
        if match is None:
            continue
        keyword, argument = match[1], match[2].split("#", 1)[0].strip()
        if keyword in _CLOSERS and stack:
            stack.pop()
        starts.append((number, keyword, argument, tuple(stack)))
        if keyword in _OPENERS:
            stack.append(number)
    heads = [_with_comments(lines, number) for number, *_ in starts]
    blocks = []
    for index, (number, keyword, argument, container) in enumerate(starts):
        end = heads[index + 1] if index + 1 < len(heads) else len(lines)
        body = lines[number + 1 : end]
        depends = " && ".join(m[1] for m in map(_DEPENDS.match, body) if m)
        if keyword == "if":
            depends = argument
        blocks.append(Block(keyword, argument, heads[index], end, container, depends))
    return tuple(blocks)


_DEPENDS = re.compile(r"\s+depends on\s+(.*)")


def _with_comments(lines: Sequence[str], number: int) -> int:
    while number > 0 and lines[number - 1].startswith("#") and "SPDX" not in lines[number - 1]:
        number -= 1
    return number


def _requires(expression: str, symbol: str) -> bool:
    terms = re.split(r"&&", expression)
    return any(term.strip(" ()") == symbol for term in terms)


def is_submenu_child(blocks: Sequence[Block], index: int) -> bool:
    """Whether the block is shown below an earlier symbol it depends on.

    Kconfig nests an entry below the previous one when it depends on it, and goes on doing
    so for the entries that follow (kconfig-language.rst, "Menu structure").
    """
    here = blocks[index]
    for earlier in reversed(blocks[:index]):
        if len(earlier.container) > len(here.container) or earlier.keyword in _CLOSERS:
            continue
        if earlier.container != here.container:
            return False
        if earlier.symbol and _requires(here.depends, earlier.symbol):
            return True
        if not earlier.symbol or not earlier.depends:
            if earlier.keyword in ("if", "choice"):
                continue
            return False
        parents = [b.symbol for b in blocks[:index] if b.symbol]
        if not any(_requires(earlier.depends, p) and _requires(here.depends, p) for p in parents):
            return False
    return False
