"""Evidence kept with a series: what ``patchgen verify`` showed of exactly these patches.

``series/NAME/evidence/*.json`` are ``evidence.json`` files of earlier runs. Each names the
fingerprint of the patches it is about, so a cover letter cannot quote what was shown of
other ones.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from patchgen.errors import InputError
from patchgen.series.plan import Plan, PlannedPatch

FOLDER = "evidence"


class _File(msgspec.Struct, frozen=True):
    """The part of ``evidence.json`` that a letter needs."""

    series: str
    kernel: str
    verdict: str
    fingerprint: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredEvidence:
    """What one run showed of these very patches."""

    kernel: str
    """``6.12.74``."""
    sentences: tuple[str, ...]
    path: Path


def fingerprint(plan: Plan) -> str:
    """A hash of what the patches add and take away (hexadecimal, 64 digits).

    Lines count, their surroundings do not: the same series has the same fingerprint on
    kernels whose MAINTAINERS and Kconfig differ elsewhere. Templates that depend on the
    kernel's version give one fingerprint a version.
    """
    total = hashlib.sha256()
    for patch in plan.patches:
        for path in patch.paths:
            total.update(f"{path}\0{_changes(patch, path)}".encode())
    return total.hexdigest()


def _changes(patch: PlannedPatch, path: str) -> str:
    before, after = (_lines(tree.entry(path)) for tree in (patch.before, patch.after))
    if not before:
        return "\n".join(after)
    old, new = Counter(before), Counter(after)
    return "\n".join([*_signed("+", new - old), *_signed("-", old - new)])


def _lines(entry: object) -> list[str]:
    data = getattr(entry, "data", b"")
    return bytes(data).decode("utf-8", "replace").splitlines()


def _signed(sign: str, lines: Counter[str]) -> Iterable[str]:
    return (f"{sign}{line}" for line in sorted(lines.elements()))


def stored_evidence(folder: Path, prints: Iterable[str]) -> tuple[StoredEvidence, ...]:
    """The evidence in a series' folder for any of these fingerprints, newest kernel first.

    Evidence for other patches, or of a run that failed, is left out. Raises ``InputError``
    for a file that is no evidence.
    """
    wanted = set(prints)
    found = []
    for path in sorted((folder / FOLDER).glob("*.json")):
        try:
            file = msgspec.json.decode(path.read_bytes(), type=_File)
        except msgspec.DecodeError as error:
            raise InputError(f"is no evidence of patchgen verify: {error}", path=path) from error
        if file.verdict == "passed" and file.fingerprint in wanted:
            found.append(StoredEvidence(file.kernel, file.sentences, path))
    return tuple(sorted(found, key=lambda e: [int(n) for n in e.kernel.split(".")], reverse=True))
