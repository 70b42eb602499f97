"""Reading the console of a booted kernel: stages, and every line that means trouble."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_STAMP = re.compile(r"^(?:\[\s*\d+\.\d+\]\s?)+(?:\[[ TC]*\d+\]\s?)?")
_MARK = re.compile(r"^@(?P<what>stage|fail|over|\|)(?: (?P<text>.*))?$")

TROUBLE: tuple[tuple[str, str], ...] = (
    ("engine model", r"engine-model: complaint (?P<reason>.*)"),
    ("engine test", r"engine-test: failed: (?P<reason>.*)"),
    ("self-test", r"alg: (?P<reason>.*(?:test failed|failed on|failed \(|unexpectedly|Failed to "
                  r"load transform|failed to allocate|mismatch).*)"),
    ("DMA-API", r".*DMA-API: (?P<reason>(?!preallocated|debugging enabled|"
                r"dma_debug_entry pool).*)"),
    ("KASAN", r".*(?P<reason>KASAN: .*)"),
    ("UBSAN", r".*(?P<reason>UBSAN: .*)"),
    ("sleeping while atomic",
     r".*(?P<reason>BUG: (?:sleeping function called|scheduling while atomic).*)"),
    ("lockdep", r".*(?P<reason>WARNING: (?:possible |inconsistent |suspicious RCU|bad unlock|"
                r"HARDIRQ|SOFTIRQ|Nested lock|lock held).*)"),
    ("lockdep", r".*(?P<reason>INFO: trying to register non-static key.*)"),
    ("lockdep", r".*(?P<reason>BUG: (?:spinlock|rwlock|workqueue leaked lock|MAX_LOCK).*)"),
    ("memory", r".*(?P<reason>BUG: (?:KFENCE|Bad page|Bad rss).*|BUG \S+ \(.*"
               r"(?:Poison|Redzone|Object|Left|Right|padding).*)"),
    ("debug objects", r".*(?P<reason>ODEBUG: .*)"),
    ("oops", r".*(?P<reason>(?:Unable to handle kernel|BUG: unable to handle|Oops|"
             r"Internal error:|Data bus error|CPU \d+ Unable to handle).*)"),
    ("oops", r".*(?P<reason>Kernel panic - not syncing.*)"),
    ("hang", r".*(?P<reason>INFO: task .* blocked for more than.*)"),
    ("hang", r".*(?P<reason>rcu: INFO: .*(?:stall|detected).*)"),
    ("hang", r".*(?P<reason>watchdog: BUG: soft lockup.*)"),
    ("list corruption", r".*(?P<reason>list_(?:add|del) corruption.*)"),
    ("refcount", r".*(?P<reason>refcount_t: .*)"),
    ("memory leak", r".*(?P<reason>unreferenced object .*)"),
    ("warning", r".*(?P<reason>WARNING: (?:CPU: .*|.* at .*))"),
    ("warning", r".*(?P<reason>genirq: Flags mismatch.*|irq \d+: nobody cared.*)"),
    ("module", r".*(?P<reason>(?:Unknown symbol|disagrees about version of symbol).*)"),
    ("bug", r".*(?P<reason>(?:kernel )?BUG(?: at|:) .*)"),
)
"""Kind and pattern, most telling first; the group ``reason`` is what a report quotes."""

_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in TROUBLE)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A line that no healthy run prints."""

    kind: str
    reason: str
    stage: str | None
    line: int
    """Line of the console log, from 1."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}" + (f" (stage {self.stage})" if self.stage else "")


@dataclass(frozen=True, slots=True)
class StageLog:
    """What one stage printed: lines without time stamps, and how it went."""

    name: str
    lines: tuple[str, ...]
    shown: tuple[str, ...]
    """Lines of files that the plan had printed."""
    failures: tuple[str, ...]
    """Commands that failed, with their error."""
    troubles: tuple[Trouble, ...]

    @property
    def ok(self) -> bool:
        """Whether every command worked and no line meant trouble."""
        return not self.failures and not self.troubles


@dataclass(frozen=True, slots=True)
class Console:
    """A whole boot."""

    stages: tuple[StageLog, ...]
    finished: bool
    """Whether the plan was followed to its end."""

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """All trouble, in the order of the lines."""
        return tuple(t for stage in self.stages for t in stage.troubles)

    def stage(self, name: str) -> StageLog | None:
        """The stage of a name, None when the boot did not come that far."""
        return next((s for s in self.stages if s.name == name), None)


def plain(line: str) -> str:
    """A console line without its time stamp, and without the processor some kernels print."""
    return _STAMP.sub("", line)


def trouble_in(line: str) -> tuple[str, str] | None:
    """Kind and reason of trouble that a line (without time stamp) speaks of."""
    for kind, pattern in _COMPILED:
        match = pattern.match(line)
        if match:
            return kind, match["reason"].strip()
    return None


def read_console(lines: Iterable[str]) -> Console:
    """Split a log into stages. What comes before the first one is the stage ``boot``."""
    stages = [_Open("boot")]
    finished = False
    for number, raw in enumerate(lines, 1):
        line = plain(raw)
        mark = _MARK.match(line)
        if mark is None:
            stages[-1].take(line, number)
        elif mark["what"] == "stage":
            stages.append(_Open(mark["text"] or "?"))
        elif mark["what"] == "over":
            finished = True
        elif mark["what"] == "fail":
            stages[-1].failures.append(mark["text"] or "")
        else:
            stages[-1].show(mark["text"] or "", number)
    return Console(tuple(stage.closed() for stage in stages), finished)


class _Open:
    """A stage that is still being read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: list[str] = []
        self.shown: list[str] = []
        self.failures: list[str] = []
        self.troubles: list[Trouble] = []

    def take(self, line: str, number: int) -> None:
        self.lines.append(line)
        self._look(line, number)

    def show(self, line: str, number: int) -> None:
        self.shown.append(line)
        if line.startswith("unreferenced object"):
            self._look(line, number)

    def _look(self, line: str, number: int) -> None:
        found = trouble_in(line)
        if found is not None:
            self.troubles.append(Trouble(*found, self.name, number))

    def closed(self) -> StageLog:
        return StageLog(self.name, tuple(self.lines), tuple(self.shown), tuple(self.failures),
                        tuple(self.troubles))
