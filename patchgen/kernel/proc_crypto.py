"""Reading ``/proc/crypto`` (crypto/proc.c): one entry an algorithm."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One entry; ``fields`` holds every line of it, such as ``blocksize``."""

    name: str
    driver: str
    module: str
    priority: int
    selftest: str
    """``passed`` or ``unknown`` (not run, or not over yet)."""
    fields: tuple[tuple[str, str], ...]

    def field(self, name: str) -> str | None:
        """The value of a line, None when the entry does not have it."""
        return dict(self.fields).get(name)


def read_proc_crypto(lines: Iterable[str]) -> tuple[Algorithm, ...]:
    """The entries of the file, in its order; larvals (tests still running) are left out."""
    found: list[Algorithm] = []
    fields: list[tuple[str, str]] = []
    for line in (*lines, ""):
        key, colon, value = line.partition(":")
        if colon:
            fields.append((key.strip(), value.strip()))
            continue
        entry = dict(fields)
        if "driver" in entry and entry.get("type") != "larval":
            found.append(Algorithm(
                entry.get("name", "?"), entry["driver"], entry.get("module", "?"),
                int(entry.get("priority", "0")), entry.get("selftest", "?"), tuple(fields)))
        fields = []
    return tuple(found)
