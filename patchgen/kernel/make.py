"""Calls of the kernel's make: progress by line, warnings as data, time taken."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from patchgen import process
from patchgen.kernel.arches import Arch
from patchgen.kernel.farm import SourceFarm
from patchgen.kernel.kconfig import make_words

BUILD_SECONDS = 3600.0
Progress = Callable[[str], None]

_REMARK = re.compile(
    r"(?P<file>[^\s:]+\.[chS]):(?P<line>\d+)(?::(?P<column>\d+))?: "
    r"(?P<level>warning|error|fatal error): (?P<text>.*)$"
)
_STEP = re.compile(r"\s+(?P<what>[A-Z][A-Z0-9_]*(?: \[M\])?)\s{2,}(?P<file>\S+)$")
_FAILURE = re.compile(r"(?:make.*\*\*\*|ERROR: modpost|ld: |.*undefined reference)")


@dataclass(frozen=True, slots=True)
class Remark:
    """One warning or error of a compiler or of sparse."""

    file: str
    """Path in the kernel tree, where it lies in it."""
    line: int
    level: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.level}: {self.text}"


@dataclass(frozen=True, slots=True)
class Built:
    """What one call of make did."""

    targets: tuple[str, ...]
    ok: bool
    seconds: float
    remarks: tuple[Remark, ...]
    failures: tuple[str, ...]
    """Lines that say why make failed; empty when it did not."""

    def ours(self, paths: Sequence[str]) -> tuple[Remark, ...]:
        """The remarks on files of the series: given paths, or below given folders (``x/``)."""
        return tuple(
            r for r in self.remarks
            if any(r.file == p or (p.endswith("/") and r.file.startswith(p)) for p in paths)
        )


class Kernel:
    """One build folder of one source tree."""

    def __init__(
        self, farm: SourceFarm, folder: Path, arch: Arch, *, jobs: int,
        progress: Progress = lambda _: None, cancel: threading.Event | None = None,
    ) -> None:
        self.farm = farm
        self.folder = folder
        self.arch = arch
        self._jobs = jobs
        self._progress = progress
        self._cancel = cancel

    def make(self, *targets: str, variables: Sequence[str] = (), keep_going: bool = False) -> Built:
        """Build targets; a failing build is data, not an exception."""
        words = make_words(self.farm, self.folder, self.arch)
        words.remove("-s")
        words += [f"-j{self._jobs}", *(["-k"] if keep_going else []), *variables, *targets]
        reader = _Reader(self.farm.folder, self.folder, self._progress)
        started = time.monotonic()
        status = process.stream(words, timeout=BUILD_SECONDS, on_line=reader.take,
                                cancel=self._cancel, env={"LC_ALL": "C"})
        return Built(tuple(targets), status == 0, time.monotonic() - started,
                     tuple(dict.fromkeys(reader.remarks)),
                     () if status == 0 else tuple(reader.failures[:20]) or
                     (f"make ended with status {status}",))

    def path(self, *parts: str) -> Path:
        """A file of the build folder."""
        return self.folder.joinpath(*parts)


class _Reader:
    """Reads make's output line by line."""

    def __init__(self, source: Path, folder: Path, progress: Progress) -> None:
        self._roots = (f"{source}/", f"{folder}/", "./")
        self._progress = progress
        self.remarks: list[Remark] = []
        self.failures: list[str] = []

    def take(self, line: str) -> bool:
        step = _STEP.match(line)
        if step:
            self._progress(self._short(step["file"]))
            return True
        remark = _REMARK.match(line)
        if remark:
            self.remarks.append(Remark(self._short(remark["file"]), int(remark["line"]),
                                       remark["level"], remark["text"]))
            if remark["level"] != "warning":
                self.failures.append(str(self.remarks[-1]))
        elif _FAILURE.match(line):
            self.failures.append(line.strip())
        return True

    def _short(self, path: str) -> str:
        for root in self._roots:
            path = path.removeprefix(root)
        return path
