"""Silencing findings with a reason: ``[tool.patchgen]`` in pyproject.toml.

    [[tool.patchgen.silence]]
    check = "series-length"
    path = "drivers/crypto/**"     # optional
    message = "20 patches"         # optional, part of the message
    reason = "agreed with the maintainer: <URL>"

C files have ``/* patchgen: ignore CHECK-ID: reason */`` comments as well.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from patchgen.errors import InputError
from patchgen.findings import Finding

_KEYS = frozenset({"check", "path", "message", "reason"})


@dataclass(frozen=True, slots=True)
class Silence:
    """One entry: which findings it takes away, and why."""

    check: str
    reason: str
    path: str | None = None
    message: str | None = None

    def covers(self, finding: Finding) -> bool:
        """Whether the entry means this finding."""
        if finding.check != self.check:
            return False
        if self.path is not None and not fnmatchcase(finding.file or "", self.path):
            return False
        return self.message is None or self.message in finding.message


def find_config(start: Path) -> Path | None:
    """The nearest pyproject.toml with a [tool.patchgen] table, from a folder upwards."""
    for folder in (start.resolve(), *start.resolve().parents):
        candidate = folder / "pyproject.toml"
        if candidate.is_file() and b"[tool.patchgen" in candidate.read_bytes().replace(
            b"[[", b"["
        ):
            return candidate
    return None


def load_silences(config: Path) -> tuple[Silence, ...]:
    """The entries of a configuration; raises ``InputError`` for an unknown key or no reason."""
    try:
        document = tomllib.loads(config.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise InputError(f"cannot be read: {error}", path=config) from error
    entries = document.get("tool", {}).get("patchgen", {}).get("silence", [])
    if not isinstance(entries, list):
        raise InputError("tool.patchgen.silence is a list of tables", path=config)
    return tuple(_entry(config, number, entry) for number, entry in enumerate(entries, 1))


def _entry(config: Path, number: int, entry: Any) -> Silence:
    where = f"tool.patchgen.silence entry {number}"
    if not isinstance(entry, dict) or not all(isinstance(v, str) for v in entry.values()):
        raise InputError(f"{where} is no table of strings", path=config)
    unknown = sorted(set(entry) - _KEYS)
    if unknown:
        raise InputError(f"{where}: unknown key {unknown[0]!r}", path=config,
                         advice=f"there are: {', '.join(sorted(_KEYS))}")
    if "check" not in entry:
        raise InputError(f"{where} names no check", path=config)
    if not entry.get("reason", "").strip():
        raise InputError(f"{where} gives no reason", path=config,
                         advice="say why the finding may stay")
    from patchgen.checks.registry import get

    get(entry["check"])
    return Silence(entry["check"], entry["reason"].strip(), entry.get("path"),
                   entry.get("message"))


def apply_silences(
    findings: Sequence[Finding], silences: Sequence[Silence]
) -> tuple[list[Finding], list[tuple[Finding, Silence]]]:
    """Findings that stay, and those taken away with the entry that did it."""
    kept: list[Finding] = []
    taken: list[tuple[Finding, Silence]] = []
    for finding in findings:
        entry = next((s for s in silences if s.covers(finding)), None)
        if entry is None:
            kept.append(finding)
        else:
            taken.append((finding, entry))
    return kept, taken
