"""Memory and hostile input: big mboxes stream, nothing raises, nothing gets out."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchgen.checks.series import check_series
from patchgen.errors import InputError
from patchgen.mail import read_series
from patchgen.report.document import FORMATS, build_report, render

GOOD = Path(__file__).resolve().parents[1] / "series_rules" / "data" / "good"
MEGABYTES = 200 if os.environ.get("PATCHGEN_THOROUGH") else 24

READ = """
import resource, sys, tracemalloc
from patchgen.mail import read_series
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
series = read_series(sys.argv[1])
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(len(series.patches), series.version, after - before)
"""


def filler(number: int, size: int) -> bytes:
    body = b"> quoted text of a long discussion about something else\n" * (size // 56)
    return (b"From nobody Thu Jan  1 00:00:00 1970\nFrom: X <x@example.net>\nSubject: Re: talk %d\n"
            b"Message-ID: <talk.%d@example.net>\n\n" % (number, number)) + body + b"\n"


def test_a_large_mbox_is_streamed(tmp_path: Path) -> None:
    box = tmp_path / "big.mbox"
    size = 256 * 1024
    with box.open("wb") as out:
        count = MEGABYTES * 1024 * 1024 // size
        for number in range(count):
            out.write(filler(number, size))
            if number == count // 2:
                for mail in sorted(GOOD.glob("*.patch")):
                    out.write(mail.read_bytes() + b"\n")
    done = subprocess.run([sys.executable, "-c", READ, str(box)], capture_output=True, text=True,
                          check=True)
    patches, version, kilobytes = (int(word) for word in done.stdout.split())
    assert (patches, version) == (3, 2)
    assert kilobytes < 24 * 1024, f"{kilobytes} kB for {MEGABYTES} MB"


def test_thousands_of_series_in_one_box(tmp_path: Path) -> None:
    """What an archive of a list looks like: found in time, and the first one is taken."""
    import re
    import time

    box = tmp_path / "archive.mbox"
    mails = [m.read_bytes() for m in sorted(GOOD.glob("*.patch"))]
    with box.open("wb") as out:
        for number in range(400):
            for mail in mails[:: 1 + (number % 3 == 2)]:  # every third one is incomplete
                text = re.sub(rb"(<)(?=[\w.]+@example.org>\n)", b"<s%d." % number, mail)
                out.write(text.replace(b"A100", b"A%d" % number) + b"\n")
    start = time.process_time()
    series = read_series(box)
    assert time.process_time() - start < 10
    assert len(series.patches) == 3
    assert series.title == "hwrng: add a driver for the ACME A0"
    assert sum(o.reason == "other-series" for o in series.others) >= 390


def test_one_endless_line_and_one_huge_mail(tmp_path: Path) -> None:
    box = tmp_path / "line.mbox"
    mails = b"".join(m.read_bytes() + b"\n" for m in sorted(GOOD.glob("*.patch")))
    box.write_bytes(b"From nobody Thu Jan  1 00:00:00 1970\nSubject: long\n\n" + b"x" * 6_000_000
                    + b"\n\n" + mails)
    assert len(read_series(box).patches) == 3


PIECES = st.sampled_from([
    b"From nobody Thu Jan  1 00:00:00 1970\n", b"From: A B <a@b.cd>\n",
    b"Subject: [PATCH 1/2] x: y\n",
    b"Subject: =?utf-8?q?=5BPATCH?=\n", b"Subject: [PATCH v9999999999/3]\n", b"\n", b"---\n",
    b"Content-Type: multipart/mixed; boundary=b\n", b"--b\n", b"--b--\n",
    b"Content-Transfer-Encoding: base64\n", b"Content-Type: text/plain; charset=utf-7\n",
    b"Content-Type: text/plain; format=flowed; delsp=yes\n", b"diff --git a/x b/x\n",
    b"--- a/../../../etc/passwd\n", b"+++ b//etc/passwd\n", b"@@ -1,3 +1,4 @@\n",
    b"@@ -999999999,999999999 +999999999,999999999 @@\n", b"@@ -0,0 +1 @@\n", b"+\x1b]0;x\x07\n",
    b" context\n", b"-gone\n", b"+new\n", b"\\ No newline at end of file\n", b"-- \n2.39\n",
    b"GIT binary patch\n", b"literal 5\nMcmZ\n", b"rename from ../a\nrename to /b\n",
    b"new file mode 120000\n", b"index 000..111 100644\n", b"Message-ID: <a@b>\n",
    b"In-Reply-To: <a@b>\n", b"References: <b@a> <a@b>\n", b"Signed-off-by: A B <a@b.cd>\n",
    b"Fixes: 0123456789ab (\"x\")\n", b"Fixes: 12\n", b"Change-Id: I0\n", b"base-commit: 0\n",
    b" 3 files changed, 1 insertion(+)\n", b" a | 3 +\n", b"A B (3):\n  x\n    y\n", b">From x\n",
    b"-- >8 --\n", b"\r\n", b"\xff\xfe\x00\n", b"diff --cc x\n", b"@@@ -1 -1 +1 @@@\n",
    b"diff --git \"a/\\303\\274\" \"b/\\303\\274\"\n", b"To: \"x\" <x\n", b"Cc: ,,,<>@\n",
    b"+++ b/drivers/x/Makefile\n", b"+obj-y += y.o z/\n", b"+++ b/MAINTAINERS\n",
    b"+F:\t../../*\n", b"+M:\tX <x@y>\n", b"*** SUBJECT HERE ***\n", b"\xc2\xa0\xe2\x80\x8b\n",
])
HOSTILE = st.lists(st.one_of(PIECES, st.binary(max_size=40)), max_size=45).map(b"".join)


@given(HOSTILE)
def test_nothing_raises_and_no_escape_gets_through(data: bytes) -> None:
    try:
        series = read_series(data)
    except InputError:
        return
    findings, skips = check_series(series, tree=None)
    report = build_report("validate", series, findings, skips)
    for format in FORMATS:
        text = render(report, format)
        assert "\x1b" not in text
        assert "\x07" not in text
        text.encode("utf-8")


@pytest.mark.parametrize("where", ["subject", "path", "message", "trailer"])
def test_terminal_escapes_and_markup_are_neutral_in_every_format(where: str) -> None:
    evil = "\x1b[31m\u202e<script>alert(1)</script>\x9b2J"
    text = sorted(GOOD.glob("*.patch"))[2].read_bytes().decode()
    text = {
        "subject": text.replace("hwrng: acme - add", f"{evil} - add"),
        "path": text.replace("acme-rng.c", f"acme{evil}.c"),
        "message": text.replace("Partial words", f"{evil} words. Change-Id: I{evil}"),
        "trailer": text.replace("Signed-off-by: Jane Doe", f"Signed-off-by: {evil} Doe"),
    }[where]
    series = read_series(text.encode())
    findings, skips = check_series(series, tree=None)
    assert findings
    report = build_report("validate", series, findings, skips)
    for format in FORMATS:
        shown = render(report, format)
        for bad in ("\x1b", "\x9b", "\u202e"):
            assert bad not in shown
        if format in ("html", "junit"):
            assert "<script>alert" not in shown


def test_memory_is_bounded_for_a_hostile_mail() -> None:
    limit = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + 200 * 1024
    read_series(b"From: a@b.cd\nSubject: [PATCH 1/999999] x: y\n\n---\n"
                + b"diff --git a/x b/x\n--- a/x\n+++ b/x\n" + b"@@ -1,9 +1,9 @@\n" * 20000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < limit
