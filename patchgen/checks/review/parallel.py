"""The code rules over many components, on every core when there is enough to do."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from patchgen.findings import Finding, Skip
from patchgen.profiles import KernelProfile

_WORTH_IT = 600_000
"""Bytes of source from which starting processes pays."""


@dataclass(frozen=True)
class Job:
    """One component: path to text, the lines that count (None: all), and what to run."""

    sources: Mapping[str, str]
    lines: Mapping[str, Collection[int]] | None
    kernel: KernelProfile
    select: Collection[str] | None
    ignore: Collection[str] | None


Result = tuple[tuple[Finding, ...], tuple[Skip, ...]]


def check_component(job: Job) -> Result:
    """The code rules on one component."""
    from patchgen.checks.code import check_sources

    report = check_sources(job.sources, kernel=job.kernel, lines=job.lines, select=job.select,
                           ignore=job.ignore)
    return report.findings, report.skips


def check_components(jobs: Sequence[Job]) -> list[Result]:
    """All components, in order. The largest start first, so that no core waits long."""
    cores = len(os.sched_getaffinity(0))
    sizes = [sum(map(len, job.sources.values())) for job in jobs]
    if cores < 2 or len(jobs) < 2 or sum(sizes) < _WORTH_IT:
        return [check_component(job) for job in jobs]
    from patchgen.checks.code.rules import load_rules

    load_rules()  # before the fork, so that every worker has them
    order = sorted(range(len(jobs)), key=lambda n: -sizes[n])
    with ProcessPoolExecutor(
        min(cores, len(jobs)), mp_context=multiprocessing.get_context("fork"),
        initializer=_leave_interrupts_to_the_parent,
    ) as pool:
        done = dict(zip(order, pool.map(check_component, [jobs[n] for n in order]), strict=True))
    return [done[n] for n in range(len(jobs))]


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
