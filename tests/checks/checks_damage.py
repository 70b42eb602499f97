"""One damage to a correct driver, and doing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Damage:
    """``edits`` are (file name, old text, new text); ``line`` is the text of the line reported."""

    name: str
    check: str
    line: str
    edits: list[tuple[str, str, str]]

    def apply(self, sources: Mapping[str, str]) -> dict[str, str]:
        """The sources with the damage done; the old text has to be there."""
        damaged = dict(sources)
        for name, old, new in self.edits:
            path = next(p for p in damaged if p.endswith(f"/{name}"))
            assert old in damaged[path], f"{self.name}: {old!r} is not in {name}"
            damaged[path] = damaged[path].replace(old, new, 1)
        return damaged
