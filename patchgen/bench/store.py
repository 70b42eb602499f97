"""What the readers of one log fill: tallies, unreadable lines, remarks."""

from __future__ import annotations

from patchgen.bench.model import BenchLog, Case, Metric, Unread
from patchgen.bench.patterns import ANSI
from patchgen.bench.tally import BATCH, Tally
from patchgen.errors import InputError

MAX_CASES = 20_000
"""Different tests a log may hold; all of tcrypt has some thousand."""

MAX_UNREAD = 200
"""Unreadable lines that are listed one by one; more are counted."""

MOST = 10**15
"""What no figure of a benchmark reaches, in operations or bytes a second."""

_SHOWN = 100


class Store:
    """Everything found in one log so far.

    ``side`` is the label of the section the reader is in. ``tallies`` holds one entry per
    case, in the order of the log. With ``keep_runs`` every run is kept, not only statistics.
    """

    def __init__(self, source: str, *, keep_runs: bool = False) -> None:
        self.source = source
        self.keep_runs = keep_runs
        self.side = ""
        self.tallies: dict[Case, Tally] = {}
        self.cut = 0
        self._unread: list[Unread] = []
        self._unread_total = 0
        self._notes: dict[str, None] = {}

    def tally(self, case: Case) -> Tally:
        """The tally of a case; raises ``InputError`` when there are too many to be a log."""
        tally = self.tallies.get(case)
        if tally is None:
            if len(self.tallies) >= MAX_CASES:
                raise InputError(
                    f"more than {MAX_CASES} different tests", path=self.source,
                    advice="this is no benchmark log; give the tcrypt lines only",
                )
            tally = self.tallies[case] = Tally(case, keep=self.keep_runs)
        return tally

    def add(self, case: Case, value: float, line: int, text: str,
            seconds: float | None = None) -> bool:
        """One figure of one case; a figure that cannot be a speed is listed as unread."""
        if value <= 0:
            self.unread(line, "zero: the test did not finish one operation", text)
            return False
        if value >= MOST:
            self.unread(line, "too large to be a speed", text)
            return False
        self.tally(case).add(value, line, seconds)
        return True

    def fold(self) -> None:
        """Give back the memory of runs that only statistics are kept of."""
        for tally in self.tallies.values():
            if len(tally.values) >= BATCH:
                tally.fold()

    def unread(self, line: int, reason: str, text: str) -> None:
        """List a line that looks like a figure and cannot be read."""
        self._unread_total += 1
        if len(self._unread) < MAX_UNREAD:
            self._unread.append(Unread(line, reason, printable(text)))

    def note(self, text: str) -> None:
        """A remark about how the log was understood; said once."""
        self._notes[text] = None

    def log(self, lines: int) -> BenchLog:
        """The finished log of ``lines`` lines, unread lines in their order."""
        measurements = []
        figures = 0
        for tally in self.tallies.values():
            if tally.runs or tally.values:
                result = tally.result(self.source)
                figures += result.runs
                measurements += tally.each(self.source) if self.keep_runs else [result]
        if self.keep_runs:
            measurements.sort(key=lambda measurement: measurement.line)
        return BenchLog(
            self.source, lines, figures, self.cut, tuple(measurements),
            tuple(sorted(self._unread, key=lambda unread: unread.line)), self._unread_total,
            tuple(self._notes),
        )


def case(
    store: Store, algorithm: str, metric: Metric, *, driver: str = "", direction: str = "",
    key_bits: int | None = None, block_bytes: int | None = None, update_bytes: int | None = None,
    variant: str = "", side: str | None = None,
) -> Case:
    """A case on the store's present side, unless ``side`` says another one."""
    return Case(
        store.side if side is None else side, algorithm, driver, direction, key_bits,
        block_bytes, update_bytes, variant, metric,
    )


def printable(text: str) -> str:
    """Text of a log that is safe to show: no control characters, at most 100 characters."""
    clean = "".join(c if c.isprintable() else "?" for c in ANSI.sub("", text).strip())
    return clean if len(clean) <= _SHOWN else clean[: _SHOWN - 1] + "…"
