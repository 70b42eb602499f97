"""What a verification showed, as data: ``evidence.json`` and the sentences made from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["passed", "failed", "skipped"]
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Result:
    """One thing that was tried: what, on what, and how it came out."""

    what: str
    """Such as ``build``, ``checkpatch``, ``boot``."""
    where: str
    """Such as ``mips-highmem`` or ``malta``."""
    verdict: Verdict
    detail: str
    """What it showed, or why it failed or was skipped."""
    patch: int | None = None
    stage: str | None = None
    seconds: float = 0.0
    log: tuple[str, ...] = ()
    """The lines that say why, when it failed."""

    def as_json(self) -> dict[str, object]:
        """The result with its empty fields left out."""
        full = {"what": self.what, "where": self.where, "patch": self.patch, "stage": self.stage,
                "verdict": self.verdict, "detail": self.detail, "seconds": round(self.seconds, 1),
                "log": list(self.log)}
        return {key: value for key, value in full.items() if value not in (None, [])}


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything about one run of verify."""

    series: str
    version: int
    kernel: str
    """``6.12.74``."""
    base: str
    patches: tuple[str, ...]
    """Subjects, in order."""
    fingerprint: str
    """What the patches change, see ``patchgen.series.evidence``."""
    tools: Mapping[str, str]
    """Program to version."""
    configs: Mapping[str, tuple[str, ...]]
    """Name of a build to the configuration lines it asked for."""
    results: tuple[Result, ...]
    commands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Name of a boot to the command that started QEMU."""
    algorithms: tuple[str, ...] = ()
    """Drivers whose self-tests passed on every board that was booted."""
    has_model: bool = False
    seconds: float = 0.0
    boards: tuple[str, ...] = field(default=())

    @property
    def passed(self) -> bool:
        """Whether nothing failed (a skip is not a failure, and is reported)."""
        return all(result.verdict != "failed" for result in self.results)

    @property
    def failures(self) -> tuple[Result, ...]:
        """The results that failed, in order."""
        return tuple(r for r in self.results if r.verdict == "failed")

    def as_json(self) -> dict[str, object]:
        """``evidence.json``."""
        return {
            "format": FORMAT,
            "series": self.series, "version": self.version,
            "kernel": self.kernel, "base": self.base,
            "verdict": "passed" if self.passed else "failed",
            "seconds": round(self.seconds, 1),
            "patches": list(self.patches),
            "fingerprint": self.fingerprint,
            "tools": dict(sorted(self.tools.items())),
            "configs": {name: list(lines) for name, lines in sorted(self.configs.items())},
            "commands": {name: list(words) for name, words in sorted(self.commands.items())},
            "algorithms": list(self.algorithms),
            "boards": list(self.boards),
            "sentences": list(sentences(self)),
            "results": [result.as_json() for result in self.results],
        }


def sentences(evidence: Evidence) -> tuple[str, ...]:
    """What a cover letter may say, and no more than what the results show."""
    if not evidence.passed:
        return ()
    said = []
    built = _names(r.where for r in evidence.results
                   if r.what == "build" and r.verdict == "passed")
    if built:
        each = any(r.patch is not None and r.what == "build" for r in evidence.results)
        said.append(f"{'Every patch built' if each else 'Built'} on Linux {evidence.kernel} "
                    f"({built}) without a warning.")
    if evidence.boards and evidence.algorithms:
        under = (" under an engine model, not on hardware" if evidence.has_model
                 else " in an emulator, not on hardware")
        said.append(f"The self-tests of {_names(evidence.algorithms)} passed in QEMU "
                    f"({_names(evidence.boards)}){under}.")
    return tuple(said)


def _names(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))
