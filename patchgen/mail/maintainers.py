"""MAINTAINERS: its entries, and which of them a path belongs to.

The format is described at the head of the file itself; the matching follows
scripts/get_maintainer.pl without its use of git history.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from patchgen.mail.address import parse_address

_FIELD = re.compile(r"(?P<key>[A-Z]):[ \t]*(?P<value>.*)$")


@dataclass(frozen=True)
class Section:
    """One entry: title, line of its title (from 1), and ``(key, value)`` fields in order."""

    title: str
    line: int
    fields: tuple[tuple[str, str], ...]

    def values(self, key: str) -> tuple[str, ...]:
        """Every value of a field."""
        return tuple(value for name, value in self.fields if name == key)

    @cached_property
    def lists(self) -> frozenset[str]:
        """Mailing lists (subscribers-only ones excepted), lower case."""
        return frozenset(
            value.split()[0].lower()
            for value in self.values("L")
            if value.split() and "subscribers-only" not in value
        )

    @cached_property
    def people(self) -> frozenset[str]:
        """Addresses of maintainers, lower case."""
        found = (parse_address(value) for value in self.values("M"))
        return frozenset(a.mail.lower() for a in found if a is not None)

    @cached_property
    def _matchers(self) -> tuple[list[re.Pattern[str]], list[re.Pattern[str]]]:
        wanted = [_glob(value) for value in self.values("F")]
        wanted += [pattern for value in self.values("N") if (pattern := _regex(value))]
        return wanted, [_glob(value) for value in self.values("X")]

    def matches(self, path: str) -> bool:
        """Whether the entry covers a path."""
        wanted, excluded = self._matchers
        return any(p.search(path) for p in wanted) and not any(p.search(path) for p in excluded)

    def matching(self, path: str) -> tuple[str, ...]:
        """The F patterns that cover a path."""
        return tuple(value for value in self.values("F") if _glob(value).search(path))

    @property
    def is_catch_all(self) -> bool:
        """``THE REST``: the entry for everything."""
        return "*" in self.values("F") and "*/" in self.values("F")


def _glob(pattern: str) -> re.Pattern[str]:
    """A file pattern: a final ``/`` means everything below, ``*`` and ``?`` stay in a folder."""
    pattern = pattern.strip()
    body = re.escape(pattern).replace(r"\*", "[^/]*").replace(r"\?", "[^/]")
    if pattern.endswith("/"):
        return re.compile(f"^{body}")
    return re.compile(f"^{body}(?:/|$)" if "*" not in pattern else f"^{body}$")


def _regex(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern)
    except re.error:
        return None


@dataclass(frozen=True)
class Maintainers:
    """The whole file."""

    sections: tuple[Section, ...]

    def sections_for(self, paths: Iterable[str]) -> tuple[Section, ...]:
        """The entries that cover any of the paths, without the one for everything."""
        wanted = list(paths)
        return tuple(
            s for s in self.sections if not s.is_catch_all and any(s.matches(p) for p in wanted)
        )


@lru_cache(maxsize=4)
def read_maintainers(text: str) -> Maintainers:
    """Parse the file; anything that is no entry is left out."""
    return Maintainers(tuple(_sections(text.split("\n"))))


def _sections(lines: list[str]) -> Iterator[Section]:
    title, start, fields = "", 0, []  # type: str, int, list[tuple[str, str]]
    for number, line in enumerate(lines, 1):
        match = _FIELD.match(line)
        if match and title:
            fields.append((match["key"], match["value"].strip()))
        elif line.strip() and line[:1] not in " \t":
            if fields:
                yield Section(title, start, tuple(fields))
            title, start, fields = line.strip(), number, []
        elif not line.strip():
            if fields:
                yield Section(title, start, tuple(fields))
            title, fields = "", []
    if title and fields:
        yield Section(title, start, tuple(fields))
