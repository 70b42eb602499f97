"""From a boot's console to results: one for each stage, with the reason of a failure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from patchgen.kernel.boot import Booted
from patchgen.kernel.console import StageLog
from patchgen.kernel.evidence import Result
from patchgen.kernel.plans import Stage
from patchgen.kernel.proc_crypto import Algorithm, read_proc_crypto

_TEST_LINE = re.compile(
    r"engine-test: (?P<name>[\w-]+): (?P<verdict>passed|FAILED), (?P<requests>\d+) requests, "
    r"(?P<errors>\d+) errors, (?P<wrong>\d+) wrong, engine did (?P<runs>\d+) runs and "
    r"(?P<resets>\d+) resets")
_NO_RESETS = frozenset({"threads", "jitter", "burst", "softirq", "shapes", "counter", "stray-iv",
                        "record"})
"""Stages in which nothing goes wrong, so an engine that had to be reset is a failure."""
_SPEED_LINE = re.compile(r"testing speed of (?:async |sync )?(?:multibuffer )?"
                         r"(?P<name>\S+) \((?P<driver>[^)]+)\)(?: (?P<way>\w+))?")
_QUOTED = 8


def judge_boot(
    where: str, booted: Booted, stages: Sequence[Stage], algorithms: Sequence[str], *,
    with_model: bool,
) -> tuple[Result, ...]:
    """One result a stage; stages that the boot did not reach have failed."""
    results = [_boot_result(where, booted)]
    for stage in stages:
        log = booted.console.stage(stage.name)
        if log is None:
            results.append(Result("boot", where, "failed", "not reached", stage=stage.name))
            continue
        problems = _problems(stage, log, booted)
        detail = stage.shows
        if stage.name == "self-tests":
            problems += missing_algorithms(log, algorithms, with_model=with_model)
            detail = _self_test_detail(log, algorithms)
        elif _tests(log):
            detail = "; ".join(_tests(log))
        if stage.name == "speed":
            problems += _speed_problems(log)
            detail = f"{_operations(log)} speed measurements ran to the end"
        results.append(Result(
            "boot", where, "failed" if problems else "passed",
            problems[0] if problems else detail, stage=stage.name, log=tuple(problems[:_QUOTED])))
    return tuple(results)


def _boot_result(where: str, booted: Booted) -> Result:
    first = booted.console.stages[0]
    problems = [str(t) for t in first.troubles]
    if booted.ended != "over":
        problems.insert(0, f"the boot ended with: {booted.ended}")
        problems += list(booted.log[-_QUOTED:])
    return Result("boot", where, "failed" if problems else "passed",
                  problems[0] if problems else f"ran to its end in {booted.seconds:.0f} s",
                  stage="boot", seconds=booted.seconds, log=tuple(problems[:2 * _QUOTED]))


def _problems(stage: Stage, log: StageLog, booted: Booted) -> list[str]:
    """The most telling line first: what the kernel says, then what the plan met."""
    found = [str(t) for t in log.troubles]
    found += [f"command failed: {failure}" for failure in log.failures]
    last = booted.console.stages[-1]
    if booted.ended != "over" and last.name == stage.name:
        found.append(f"the boot ended here with: {booted.ended}")
    if stage.name in _NO_RESETS:
        for line in log.lines:
            match = _TEST_LINE.match(line)
            if match and int(match["resets"]):
                found.append(f"{match['name']}: the engine had to be reset {match['resets']} "
                             "times though nothing was wrong with it")
    return found


def _tests(log: StageLog) -> list[str]:
    return [
        f"{m['name']}: {m['requests']} requests, {m['errors']} errors, {m['runs']} runs"
        for m in map(_TEST_LINE.match, log.lines) if m
    ]


def _self_test_detail(log: StageLog, algorithms: Sequence[str]) -> str:
    passed = [a.driver for a in read_proc_crypto(log.shown)
              if a.driver in algorithms and a.selftest == "passed"]
    runs = next((line for line in reversed(log.shown) if line.isdigit()), None)
    return (f"selftest passed: {', '.join(passed)}"
            + (f"; the engine did {runs} runs meanwhile" if runs else ""))


def missing_algorithms(
    log: StageLog, algorithms: Sequence[str], *, with_model: bool
) -> list[str]:
    """What /proc/crypto, and the engine's own count, say against the algorithms."""
    there: dict[str, Algorithm] = {a.driver: a for a in read_proc_crypto(log.shown)}
    problems = []
    for driver in algorithms:
        found = there.get(driver)
        if found is None:
            problems.append(f"{driver} is not in /proc/crypto")
        elif found.selftest != "passed":
            problems.append(f"{driver}: selftest is {found.selftest}")
    if with_model and not problems:
        runs = next((int(line) for line in reversed(log.shown) if line.isdigit()), 0)
        if runs == 0:
            problems.append("the self-tests passed without a single request to the engine")
    return problems


def _operations(log: StageLog) -> int:
    return sum(1 for line in log.lines if re.match(r"(?:tcrypt: )?test\s*\d+ \(", line))


def _speed_problems(log: StageLog) -> list[str]:
    seen = {m["driver"] for m in map(_SPEED_LINE.search, log.lines) if m}
    problems = []
    if not seen:
        problems.append("tcrypt printed no measurement")
    if any("one or more tests failed" in line for line in log.lines):
        problems.append("tcrypt: one or more tests failed")
    return problems
