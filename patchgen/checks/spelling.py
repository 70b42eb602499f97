"""Misspelt words, by codespell's list (extra ``spell``): only what is surely no word.

Used on prose: commit messages, cover letters, comments. Words that are names elsewhere in the
text (identifiers, paths, anything quoted) are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from patchgen.errors import ToolMissingError

_WORD = re.compile(r"(?<![\w$@#./:\\%'-])[A-Za-z][a-z]{3,}(?!['\w@/\\]|[:.-]\w)")
_NOT_PROSE = re.compile(r"https?://\S+|<[^<>\s]*@[^<>\s]*>|\S+@\S+|`[^`]*`|'[^']*'|\"[^\"]*\"|"
                        r"\S*(?:[_/={}\[\]|\\]|\w\()\S*")


@dataclass(frozen=True, slots=True)
class Misspelling:
    """A wrong word, its column (from 1), and what may have been meant."""

    word: str
    column: int
    meant: str


def available() -> bool:
    """Whether codespell's list is here."""
    from importlib.util import find_spec

    return find_spec("codespell_lib") is not None


@lru_cache(maxsize=1)
def _corrections() -> dict[str, str]:
    """Wrong word to right words; raises ``ToolMissingError`` without the extra."""
    from importlib.util import find_spec

    spec = find_spec("codespell_lib")
    if spec is None or spec.origin is None:
        raise ToolMissingError("codespell", "pip install 'patchgen[spell]'", why="spelling")
    path = Path(spec.origin).parent / "data" / "dictionary.txt"
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        wrong, arrow, right = line.partition("->")
        words = [w.strip() for w in right.split(",")]
        if arrow and wrong.isascii() and (len(words) == 1 or not words[-1]):
            found[wrong] = ", ".join(w for w in words if w)
    return found


def misspellings(text: str, known: Collection[str] = ()) -> Iterator[Misspelling]:
    """The misspelt words of one line of prose; ``known`` are words (lower case) to accept."""
    corrections = _corrections()
    prose = _NOT_PROSE.sub(lambda m: " " * len(m[0]), text)
    for match in _WORD.finditer(prose):
        word = match[0].lower()
        if word in corrections and word not in known:
            yield Misspelling(match[0], match.start() + 1, corrections[word])
