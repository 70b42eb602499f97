"""One column of a tcrypt log: the heading in force and the tests below it."""

from __future__ import annotations

from patchgen.bench import patterns
from patchgen.bench.model import Case, Metric
from patchgen.bench.patterns import Heading, Spec
from patchgen.bench.store import MOST, Store
from patchgen.bench.tally import Tally

_WRAP = 1 << 32
_MAX_KNOWN = 4096
_HEADING = patterns.HEADING.encode()


class Column:
    """Reads headings and tests of one column; ``label`` names it in side by side logs.

    ``tallies`` maps the text between a test's parentheses to its tally, for the reader's
    inner loop, ``cycles`` does for tests that state cycles; a heading brings its own.
    """

    def __init__(self, store: Store, label: str = "") -> None:
        self.store = store
        self.label = label
        self.heading: Heading | None = None
        self.trouble = "no 'testing speed of' line above it: the algorithm is unknown"
        self.tallies: dict[bytes, Tally] = {}
        self.cycles: dict[bytes, Tally] = {}
        self._known: dict[tuple[str, Heading], tuple[dict[bytes, Tally], dict[bytes, Tally]]] = {}
        self._lines: dict[
            bytes, tuple[Heading, dict[bytes, Tally], dict[bytes, Tally]]] = {}
        self._pending: tuple[int, Spec, str, str] | None = None

    @property
    def waits(self) -> bool:
        """Whether a test waits for its result."""
        return self._pending is not None

    def read_cell(self, cell: str, line: int) -> None:
        """A heading or a test, which starts the cell."""
        test = patterns.TEST.match(cell)
        if test is None:
            self._read_heading(cell[len(patterns.HEADING):].rstrip(), line)
        else:
            self._read_test(cell[test.end():], line, cell)

    def _read_heading(self, text: str, line: int) -> None:
        self.flush()
        heading = patterns.parse_heading(text)
        self.heading = heading
        self.tallies, self.cycles = {}, {}
        if heading is None:
            self.trouble = f"the heading on line {line} is garbled"
            self.store.unread(line, "not a heading that tcrypt prints", text)
        else:
            self._use(heading)

    def _use(self, heading: Heading) -> None:
        if len(self._known) > _MAX_KNOWN:
            self._known.clear()
        self.heading = heading
        self.tallies, self.cycles = self._known.setdefault((self.store.side, heading), ({}, {}))

    def same_heading(self, line: bytes) -> bool:
        """Whether the line is a heading seen before in this section; it is then in force."""
        known = self._lines.get(line.partition(_HEADING)[2])
        if known is None or self._pending is not None:
            return False
        self.heading, self.tallies, self.cycles = known
        return True

    def learn(self, line: bytes) -> None:
        """Remember the heading in force by its line, for ``same_heading``."""
        _, found, rest = line.partition(_HEADING)
        if found and self.heading is not None and len(self._lines) < _MAX_KNOWN:
            self._lines[rest] = (self.heading, self.tallies, self.cycles)

    def quick_cycles(self, line: bytes, number: int) -> bool:
        """Take a line in cycles whose test has been seen before; whether it is one."""
        _, _, rest = line.partition(b" (")
        spec, _, rest = rest.partition(b"): ")
        tally = self.cycles.get(spec)
        if tally is None or line[0] in b"+-<>":
            return False
        start, _, rest = rest.partition(tally.middle)
        figure, _, rest = rest.partition(tally.end)
        if start or rest or not figure.isdigit() or not 0 < int(figure) < MOST:
            return False
        tally.values.append(float(figure))
        tally.lines.append(number)
        return True

    def restart(self) -> None:
        """A new section has begun: figures go to its side from here on."""
        self.flush()
        self._lines.clear()
        if self.heading is not None:
            self._use(self.heading)

    def set_direction(self, direction: str) -> None:
        """Complete a cut heading with the direction of its neighbour."""
        if self.heading is not None:
            old = self.heading
            self._use(Heading(old.algorithm, old.driver, direction, old.variant))

    def _read_test(self, inner: str, line: int, text: str) -> None:
        self.flush()
        inside, closed, rest = inner.partition("):")
        again = patterns.TEST.search(rest)
        if again is not None:
            self.store.unread(line, "the next test starts before its result", text)
            self._read_test(rest[again.end():], line, rest[again.start():])
            return
        spec = patterns.parse_spec(inside) if closed else None
        if spec is None:
            self.store.unread(line, "cut off or garbled between the parentheses", text)
        elif self.heading is None:
            self.store.unread(line, self.trouble, text)
        elif spec.block_bytes == 0:
            self.store.unread(line, "blocks of zero bytes", text)
        elif patterns.suspect(rest) or patterns.failure(rest):
            self._result(spec, inside, rest, line, text)
        else:
            self._pending = (line, spec, inside, text)
            self.tallies, self.cycles = {}, {}

    def read_result(self, text: str, line: int) -> None:
        """A result on a line of its own.

        Kernels that print it without KERN_CONT do so, and any message of another driver
        that comes between a test and its result.
        """
        if self._pending is None:
            self.store.unread(line, "a result without its test", text)
            return
        _, spec, inside, _ = self._pending
        self._resume()
        self._result(spec, inside, text, line, text)

    def flush(self) -> None:
        """List a test that was left without a result."""
        if self._pending is not None:
            line, _, _, text = self._pending
            self._resume()
            self.store.unread(line, "cut off or interrupted: no result follows", text)

    def _resume(self) -> None:
        self._pending = None
        if self.heading is not None:
            self._use(self.heading)

    def _result(self, spec: Spec, inside: str, rest: str, line: int, text: str) -> None:
        for read in (self._operations, self._rates, self._cycles):
            if read(spec, inside, rest, line, text):
                return
        if patterns.FAILURE.search(rest):
            reason = "the test failed"
        elif patterns.OVERLONG.search(rest):
            reason = "a number too large to be a speed"
        else:
            reason = "cut off or garbled result"
        self.store.unread(line, reason, text)

    def _operations(self, spec: Spec, inside: str, rest: str, line: int, text: str) -> bool:
        found = patterns.OPERATIONS.search(rest)
        if found is None or not "seconds".startswith(found["word"]):
            return False
        count, seconds = int(found["count"]), int(found["seconds"])
        end = found["end"] or ""
        if not self._agrees(count * spec.block_bytes, found["bytes"], bool(end), line, text):
            return True
        if seconds == 0:
            self.store.unread(line, "zero seconds give no speed", text)
        elif self._add(spec, "ops", count / seconds, line, text, seconds):
            self._remember(spec, inside, f" operations in {seconds} seconds (", " bytes)", seconds)
            self.store.cut += not end.endswith(")")
        return True

    def _rates(self, spec: Spec, inside: str, rest: str, line: int, text: str) -> bool:
        found = patterns.RATES.search(rest)
        if found is None:
            return False
        count, stated, end = int(found["count"]), found["bytes"] or "", found["end"] or ""
        low = count * spec.block_bytes
        if stated and end and low <= int(stated) < low + spec.block_bytes:
            stated = ""  # both figures are rounded down on their own when a run took seconds
        if self._agrees(low, stated, bool(end), line, text) and self._add(
            spec, "ops", float(count), line, text
        ):
            self._remember(spec, inside, " opers/sec, ", " bytes/sec", 1)
            self.store.cut += not end.endswith("/sec")
        return True

    def _cycles(self, spec: Spec, inside: str, rest: str, line: int, text: str) -> bool:
        found = patterns.CYCLES.search(rest)
        if found is not None:
            end = found["end"] or ""
            if self._agrees(spec.block_bytes, found["bytes"], bool(end), line, text) and self._add(
                spec, "cycles", float(found["count"]), line, text
            ):
                tally = self.store.tally(self._case(spec, "cycles"))
                tally.middle = b"1 operation in "
                tally.end = f" cycles ({spec.block_bytes} bytes)".encode()
                self.cycles[inside.encode()] = tally
                self.store.cut += not end.endswith(")")
            return True
        hashed = patterns.HASH_CYCLES.search(rest)
        if hashed is not None:
            self._add(spec, "cycles", float(hashed["count"]), line, text)
        return hashed is not None

    def _agrees(self, expected: int, stated: str | None, whole: bool, line: int, text: str) -> bool:
        """Whether the bytes a line states are what operations times block size make.

        32-bit kernels print them modulo 2^32; of a cut line the digits that are there count.
        """
        if not stated or stated == "-":
            return True
        if whole and (int(stated) - expected) % _WRAP == 0 and (
            int(stated) == expected or expected >= _WRAP // 2
        ):
            return True
        if not whole and str(expected).startswith(stated):
            return True
        self.store.unread(line, "operations times block size is not the bytes it states", text)
        return False

    def _case(self, spec: Spec, metric: Metric) -> Case:
        heading = self.heading
        assert heading is not None
        side = " ".join(part for part in (self.store.side, self.label) if part)
        return Case(
            side, heading.algorithm, heading.driver, heading.direction, spec.key_bits,
            spec.block_bytes, spec.update_bytes, heading.variant, metric,
        )

    def _add(self, spec: Spec, metric: Metric, value: float, line: int, text: str,
             seconds: float | None = None) -> bool:
        heading = self.heading
        assert heading is not None
        if not heading.direction and spec.key_bits is not None:
            self.store.unread(line, "its heading is cut off before the direction", text)
            return False
        return self.store.add(self._case(spec, metric), value, line, text, seconds)

    def _remember(self, spec: Spec, inside: str, middle: str, end: str, divisor: int) -> None:
        """Let the reader's inner loop take the next line of this form."""
        tally = self.store.tally(self._case(spec, "ops"))
        tally.middle, tally.end, tally.divisor = middle.encode(), end.encode(), divisor
        self.tallies[inside.encode()] = tally
