"""A million lines in under three seconds: measured on a quarter of them, best of three."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from bench_logs import cipher_line, hash_line

from patchgen.bench.reader import read_log

LINES = 250_000
LIMIT = 3.0 * LINES / 1_000_000


@pytest.fixture(scope="module")
def log_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw = random.Random(5)
    lines: list[str] = []
    for turn in range(60):
        lines.append(f"[{turn:5}.000000] tcrypt: testing speed of async ctr(aes) (x) encryption")
        lines += [cipher_line(key, block, draw.randrange(10_000, 6_000_000),
                              prefix=f"[{turn:5}.{block:06}] tcrypt: ")
                  for key in (128, 192, 256) for block in (16, 64, 256, 1024, 8192)]
        lines.append(f"[{turn:5}.900000] tcrypt: testing speed of async ghash (ghash-ce)")
        lines += [hash_line(block, 16, draw.randrange(10_000, 6_000_000),
                            prefix=f"[{turn:5}.{block:06}] tcrypt: ")
                  for block in (16, 64, 256, 1024, 8192)]
    text = "\n".join(lines) + "\n"
    path = tmp_path_factory.mktemp("speed") / "big.log"
    path.write_text(text * (LINES // len(lines) + 1))
    return path


def test_speed(log_path: Path) -> None:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        log = read_log(log_path)
        best = min(best, time.process_time() - start)
        if best < LIMIT:
            break
    assert log.lines >= LINES
    assert log.figures == log.lines * 20 // 22
    assert best < LIMIT * log.lines / LINES
