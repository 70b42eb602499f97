"""How fast ``patchgen bench`` reads logs, and in how much memory: a million lines of each form.

    python benchmarks/bench_parse.py [LINES]

Prints one line a form: seconds of CPU (best of two), figures, peak resident memory.
"""

from __future__ import annotations

import itertools
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

SIZES = (16, 64, 256, 1024, 8192)
HEADING = "testing speed of async ctr(aes) ({}) encryption"


def dmesg(draw: random.Random) -> Iterator[str]:
    """Ciphers with timestamps and prefix; no two lines are the same."""
    for turn in itertools.count():
        stamp = f"[{turn:12.6f}] tcrypt: "
        yield stamp + HEADING.format("ctr-aes-ce")
        for key in (128, 192, 256):
            for block in SIZES:
                ops = draw.randrange(4_000_000, 6_000_000) * 16 // block
                yield (f"{stamp}test 0 ({key} bit key, {block} byte blocks): {ops} operations in "
                       f"1 seconds ({ops * block} bytes)")


def hashes(draw: random.Random) -> Iterator[str]:
    """Hashes with update sizes."""
    while True:
        yield "tcrypt: testing speed of async ghash (ghash-ce)"
        for block in SIZES:
            ops = draw.randrange(4_000_000, 6_000_000) * 16 // block
            yield (f"tcrypt: test{0:3} ({block:5} byte blocks,{16:5} bytes per update,"
                   f"{block // 16:4} updates): {ops:6} opers/sec, {ops * block:9} bytes/sec")


def cycles(draw: random.Random) -> Iterator[str]:
    """Ciphers in cycles."""
    while True:
        yield "tcrypt: " + HEADING.format("ctr-aes-ce")
        for block in SIZES:
            yield (f"tcrypt: test 0 (128 bit key, {block} byte blocks): 1 operation in "
                   f"{draw.randrange(900, 1100) * block} cycles ({block} bytes)")


def columns(draw: random.Random) -> Iterator[str]:
    """Two columns of ``diff --side-by-side``: two figures a line."""
    for left, right in zip(dmesg(draw), dmesg(draw), strict=True):
        yield f"{left.partition('] ')[2]:<105} |  {right.partition('] ')[2]}"


def table(draw: random.Random) -> Iterator[str]:
    """Summary tables: six figures a line."""
    while True:
        yield "op/s, software:"
        yield "                            16 B    64 B  256 B  1024 B  8192 B"
        for key in (128, 192, 256):
            cells = "  ".join(str(draw.randrange(1000, 9000)) for _ in SIZES)
            yield f"ecb(aes) {key} bit encrypt  {cells}"
        yield ""


def noise(draw: random.Random) -> Iterator[str]:
    """Other messages of a kernel, with a test now and then."""
    for turn in itertools.count():
        if turn % 1000 == 0:
            yield from itertools.islice(dmesg(draw), 16)
        yield f"[{turn:12.6f}] usb 1-{turn % 9}: new high-speed device number {turn % 128}"


FORMS: dict[str, Callable[[random.Random], Iterator[str]]] = {
    "dmesg": dmesg, "hashes": hashes, "cycles": cycles, "side by side": columns, "tables": table,
    "other messages": noise,
}


def measure(path: Path) -> str:
    """Read one log twice; the report of the better run."""
    from patchgen.bench.reader import read_log

    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        log = read_log(path)
        best = min(best, time.process_time() - start)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return f"{log.lines:>9} lines  {log.figures:>9} figures  {best:6.2f} s CPU  {memory:4} MB"


def main() -> None:
    """Write each log, read it in a process of its own, report."""
    if len(sys.argv) == 3 and sys.argv[1] == "--read":
        print(measure(Path(sys.argv[2])))
        return
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        for name, form in FORMS.items():
            path = Path(folder) / "bench.log"
            with path.open("w", encoding="utf-8") as stream:
                for line in itertools.islice(form(random.Random(1)), lines):
                    stream.write(line + "\n")
            done = subprocess.run([sys.executable, __file__, "--read", str(path)], check=True,
                                  capture_output=True, text=True)
            print(f"{name:<16}{done.stdout.strip()}", flush=True)


if __name__ == "__main__":
    main()
