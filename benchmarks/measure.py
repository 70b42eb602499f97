"""Time whole commands side by side: the same machine, the same run, medians."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """Medians of one command: wall and user seconds, peak memory in MB (largest process)."""

    wall: float
    user: float
    peak_mb: float
    runs: int


def once(argv: Sequence[str], cwd: str | None = None) -> tuple[float, float, float]:
    """One run: wall seconds, user seconds, peak MB; the command may fail, its time counts."""
    start = time.perf_counter()
    child = subprocess.Popen(argv, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    wall = time.perf_counter() - start
    return wall, usage.ru_utime, usage.ru_maxrss / 1024


def compare(
    commands: Sequence[tuple[str, Sequence[str]]], *, runs: int = 7, cwd: str | None = None
) -> dict[str, Figure]:
    """Run the commands in turn (A B A B …) after one warm-up each; medians by name."""
    samples: dict[str, list[tuple[float, float, float]]] = {name: [] for name, _ in commands}
    for round_ in range(runs + 1):
        for name, argv in commands:
            sample = once(argv, cwd)
            if round_:
                samples[name].append(sample)
    return {
        name: Figure(*(statistics.median(column) for column in zip(*rows, strict=True)), runs)
        for name, rows in samples.items()
    }


def table(figures: dict[str, Figure]) -> str:
    """The figures as lines of text."""
    width = max(map(len, figures))
    lines = [f"{'':{width}}  wall s  user s  peak MB"]
    lines += [f"{name:{width}}  {f.wall:6.3f}  {f.user:6.3f}  {f.peak_mb:7.1f}"
              for name, f in figures.items()]
    return "\n".join(lines)


def peak_of_self_mb() -> float:
    """Peak memory of this process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


PYTHON = sys.executable
