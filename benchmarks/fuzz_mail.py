"""Fuzz the mail and diff reader: mutate real mails for a while, look for anything that escapes.

    python benchmarks/fuzz_mail.py --seconds 600 --seed 1 FILE…

Prints how many inputs were read, the slowest one and the peak memory. A traceback, an input
that takes more than five seconds or a peak above the limit ends the run with status 1 and
leaves the input in ``fuzz-failure.bin``.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import sys
import time
import traceback
from pathlib import Path

from patchgen.checks.review.results import collect_results
from patchgen.checks.series import check_series
from patchgen.errors import PatchgenError
from patchgen.mail import read_series
from patchgen.mail.apply import apply_series
from patchgen.report.document import build_report, render

SLOWEST = 5.0
TOKENS = (b"From ", b">From ", b"\n\n", b"\r\n", b"---\n", b"-- \n", b"@@ -1,3 +1,4 @@\n",
          b"diff --git a/x b/x\n", b"+++ b/../../x\n", b"rename to /etc/x\n", b"\x1b[2J", b"=\n",
          b"Content-Type: multipart/mixed; boundary=x\n", b"--x\n", b"=?utf-8?b?w6Q=?=",
          b"Content-Transfer-Encoding: base64\n", b"charset=utf-16", b"[PATCH v2 1/9] ",
          b"Fixes: ", b"Signed-off-by: ", b"\\ No newline at end of file\n", b"GIT binary patch\n",
          b"format=flowed", b"99999999999999999999", b"\0", b"\xff\xfe", b" | 3 +\n",
          b" 1 file changed\n", b"Message-ID: <a@b>\n", b"In-Reply-To: <a@b>\n", b"=20=09=3D")


def mutate(data: bytes, corpus: list[bytes], rng: random.Random) -> bytes:
    """A few random edits: bytes, lines, tokens, pieces of other mails."""
    lines = data.split(b"\n")
    for _ in range(rng.randint(1, 12)):
        what = rng.randrange(9)
        at = rng.randrange(len(lines) or 1)
        if not lines:
            lines = [b""]
        if what == 0:
            del lines[at : at + rng.randint(1, 4)]
        elif what == 1:
            lines.insert(at, lines[rng.randrange(len(lines))])
        elif what == 2:
            other = rng.choice(corpus).split(b"\n")
            start = rng.randrange(len(other))
            lines[at:at] = other[start : start + rng.randint(1, 60)]
        elif what == 3 and lines[at]:
            spot = rng.randrange(len(lines[at]))
            lines[at] = lines[at][:spot] + bytes([rng.randrange(256)]) + lines[at][spot + 1 :]
        elif what == 4:
            spot = rng.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:spot] + rng.choice(TOKENS) + lines[at][spot:]
        elif what == 5:
            lines[at] = re.sub(rb"\d+", lambda _: str(rng.choice((0, 1, 7, 10**9 - 1, 10**20)))
                               .encode(), lines[at])
        elif what == 6:
            rng.shuffle(lines[at : at + 10])
            lines[at] = lines[at][1:]
        elif what == 7:
            lines[at] = lines[at] * rng.choice((0, 2, 50))
        else:
            lines = lines[: at + 1] if rng.random() < 0.3 else lines
    return b"\n".join(lines)


def check_one(data: bytes) -> None:
    """Read, apply, check and render one input; raises whatever went wrong."""
    try:
        series = read_series(data)
    except PatchgenError:
        return
    findings, skips = check_series(series, tree=None)
    collect_results(apply_series(series), None)
    report = build_report("validate", series, findings, skips)
    for format in ("text", "json", "html"):
        if "\x1b" in render(report, format):
            raise AssertionError(f"an escape got into {format}")


def main() -> int:
    """Run until the time is over or something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--megabytes", type=int, default=200)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    corpus = [f.read_bytes() for f in args.files if f.stat().st_size < 200_000]
    end = time.monotonic() + args.seconds
    count, slowest = 0, 0.0
    while time.monotonic() < end:
        parts = rng.sample(corpus, rng.choice((1, 1, 1, 2, min(4, len(corpus)))))
        data = mutate(b"\n".join(parts), corpus, rng)
        start = time.process_time()
        try:
            check_one(data)
        except Exception:  # noqa: BLE001 - the point of the exercise
            traceback.print_exc()
            Path("fuzz-failure.bin").write_bytes(data)
            print(f"failed after {count} inputs", file=sys.stderr)
            return 1
        took = time.process_time() - start
        slowest, count = max(slowest, took), count + 1
        if took > SLOWEST:
            Path("fuzz-failure.bin").write_bytes(data)
            print(f"one input took {took:.1f} s", file=sys.stderr)
            return 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{count} inputs, slowest {slowest:.2f} s, peak {peak} MB")
    return int(peak > args.megabytes)


if __name__ == "__main__":
    raise SystemExit(main())
