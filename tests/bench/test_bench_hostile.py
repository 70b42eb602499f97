"""Hostile input gets one clear answer: never a traceback, never a guessed figure."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from bench_logs import cipher_line
from hypothesis import given
from hypothesis import strategies as st

from patchgen.bench.reader import MAX_LINE, read_log, read_stream, read_text
from patchgen.bench.store import MAX_UNREAD
from patchgen.errors import InputError

CTR = "testing speed of async ctr(aes) (ctr-aes-ce) encryption"
GOOD = f"{CTR}\n{cipher_line(128, 16, 1000)}\n"


@pytest.mark.parametrize(("data", "answer"), [
    (b"", "empty"), (b"\n", "no benchmark figures in 1 lines"), (b"hello\nworld", "no benchmark"),
    (b"\0" * 5000, "no benchmark figures"), (b"\xff\xfet\0e\0s\0t\0", "UTF-16"),
    (b"\x1f\x8b\x08rest", "gzip"), (b"\xfd7zXZ\0rest", "xz"), (b"\x28\xb5\x2f\xfdrest", "zstd"),
    (b"\x7fELF\x02", "a program"), (bytes(range(256)) * 40, "no benchmark figures"),
])
def test_nothing_to_read(data: bytes, answer: str) -> None:
    with pytest.raises(InputError, match=answer) as caught:
        read_stream(io.BytesIO(data), "x.log")
    assert str(caught.value).startswith("x.log: ")
    assert "\n" not in str(caught.value)


def test_missing_file_and_folder(tmp_path: object) -> None:
    with pytest.raises(InputError, match="no such log"):
        read_log(f"{tmp_path}/none.log")
    with pytest.raises(InputError, match="directory"):
        read_log(str(tmp_path))


@pytest.mark.parametrize(("line", "reason"), [
    (cipher_line(128, 16, 0), "zero: the test did not finish"),
    (cipher_line(128, 16, 5, seconds=0), "zero seconds"),
    (cipher_line(128, 0, 5), "blocks of zero bytes"),
    (cipher_line(128, 16, 10**15), "too large to be a speed"),
    (cipher_line(128, 16, 10**30), "too large to be a speed"),
    ("tcrypt: test 0 (128 bit key, 16 byte blocks): 5 operations in 1 seconds (81 bytes)",
     "operations times block size"),
    ("tcrypt: test 0 (128 bit key, 16 byte blocks): -5 operations in 1 seconds (-80 bytes)",
     "operations times block size"),
    ("tcrypt: test 0 (128 bit key, 16 byte blocks): 5 operations in 1 sekunden",
     "cut off or garbled"),
    ("tcrypt: test 0 (128 bit key, sixteen byte blocks): 5 operations in 1 seconds (80 bytes)",
     "between the parentheses"),
    ("tcrypt: test 0 (128 bit key, 16 byte blocks): setkey() failed flags=0", "the test failed"),
    ("tcrypt: failed to load transform for gcm(aes): -2", "the kernel reports"),
    ("test 0 (128 bit key, 16 byte blocks): 5 opera\0tions in 1 seconds (80 bytes)", "NUL bytes"),
    ("tcrypt: testing speed of \x07\x08", "not a heading"),
    ("5 operations in 1 seconds (80 bytes)", "a result without its test"),
    (cipher_line(128, 16, 5) + " " * MAX_LINE + "x", "longer than 4096 bytes"),
])
def test_lines_that_cannot_be_read_are_listed(line: str, reason: str) -> None:
    log = read_text(f"{GOOD}{line}\n")
    assert [(m.value, m.runs) for m in log.measurements] == [(1000, 1)]
    assert [each.line for each in log.unread] == [3]
    assert reason in log.unread[0].reason
    assert log.unread[0].text.isprintable()
    assert len(log.unread[0].text) <= 100


def test_figures_without_heading_name_the_first_line() -> None:
    with pytest.raises(InputError, match=r"x:1: no figure can be read; 2 lines.*algorithm is unkn"):
        read_text(f"{cipher_line(128, 16, 5)}\n{cipher_line(128, 64, 5)}\n", "x")


def test_32_bit_kernels_count_bytes_modulo_2_to_32() -> None:
    ops = 600_000
    line = f"test 0 (128 bit key, 8192 byte blocks): {ops} operations in 1 seconds ({{}} bytes)"
    wrapped = (ops * 8192) % 2**32
    for stated in (wrapped, wrapped - 2**32):
        log = read_text(f"{CTR}\n{line.format(stated)}")
        assert log.measurements[0].bytes_per_second == ops * 8192
    with pytest.raises(InputError, match="operations times block size"):
        read_text(f"{CTR}\n{line.format(wrapped + 1)}")


def test_escapes_do_not_reach_the_reader_of_messages() -> None:
    line = ("tcrypt: test 0 (128 bit key, 16 byte\x1b]0;owned\x07 blo\x1b[31mcks): \x9b5 oper\x1b"
            "ations in 1 s")
    log = read_text(GOOD + line)
    assert len(log.unread) == 1
    assert all(each.text.isprintable() for each in log.unread)


def test_crlf_and_missing_last_line_end() -> None:
    text = GOOD.replace("\n", "\r\n") + cipher_line(128, 64, 7) + "\r"
    log = read_stream(io.BytesIO(text.encode()), "x")
    assert [m.value for m in log.measurements] == [1000, 7]


def test_blocks_of_the_stream_do_not_cut_lines() -> None:
    lines = [CTR] + [cipher_line(128, 16, 10_000 + i, prefix=f"[{i:5}.{i % 7}] ")
                     for i in range(9000)]
    log = read_stream(io.BytesIO("\n".join(lines).encode()), "x")
    assert log.figures == 9000
    assert (log.measurements[0].low, log.measurements[0].low_line) == (10_000, 2)
    assert log.measurements[0].value == pytest.approx(10_000 + 8999 / 2, rel=3e-4)


def test_an_endless_line_takes_no_memory() -> None:
    class Endless(io.RawIOBase):
        left = 64

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            return b"x" * size if self.left >= 0 else b""

    tracemalloc.start()
    with pytest.raises(InputError):
        read_stream(Endless(), "x")  # type: ignore[arg-type]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3_000_000


def test_unread_lines_are_capped_and_counted() -> None:
    log = read_text(GOOD + "5 operations in 1 seconds\n" * (MAX_UNREAD + 50))
    assert len(log.unread) == MAX_UNREAD
    assert log.unread_total == MAX_UNREAD + 50


def test_too_many_different_tests_are_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("patchgen.bench.store.MAX_CASES", 50)
    lines = [CTR, *(cipher_line(128, 16 + i, 5) for i in range(51))]
    assert read_text("\n".join(lines[:51])).figures == 50
    with pytest.raises(InputError, match="different tests"):
        read_text("\n".join(lines))


FRAGMENTS = st.sampled_from([
    CTR, cipher_line(128, 16, 1000), "BEFORE", "op/s, software:", "   16 B  64 B", "md5 1 2",
    "---- ---- ----", "limit 512 0", "128 bit 16 bytes 160 320", "test 0 (", "testing speed of ",
    "type 16 bytes", "md5 12.5k", "+R:1:x:0", "+DT:x:1:16", "|", "<", "> ", "\x1b[31m", "\0", "=",
    "1 operation in 5 cycles (16 bytes)", " 99999999999999999999 operations in 1 seconds",
    "Content-Transfer-Encoding: quoted-printable", "aes-cbc 128b 1.5 MiB/s N/A", "e" * 300,
])


@given(st.lists(st.lists(FRAGMENTS | st.text(max_size=20), max_size=3).map("".join), max_size=12))
def test_any_mix_of_fragments_gets_an_answer(lines: list[str]) -> None:
    try:
        log = read_text("\n".join(lines))
    except InputError as error:
        assert "\n" not in str(error)
        return
    assert log.figures == sum(m.runs for m in log.measurements) > 0
    for measurement in log.measurements:
        assert 0 < measurement.low <= measurement.value <= measurement.high < 1e18
        assert 1 <= measurement.line <= log.lines


@given(st.binary(max_size=400))
def test_any_bytes_get_an_answer(data: bytes) -> None:
    log = read_stream(io.BytesIO(GOOD.encode() + data), "x")
    assert log.measurements[0].value == 1000 or log.measurements[0].runs > 1


def test_many_runs_take_constant_memory() -> None:
    chunk = (CTR + "\n" + "".join(
        cipher_line(128, 16, 5_000_000 + i * 7919 % 100_003) + "\n" for i in range(300))).encode()

    class Log(io.RawIOBase):
        def __init__(self, chunks: int) -> None:
            self.chunks = chunks

        def read(self, size: int = -1) -> bytes:
            self.chunks -= 1
            return chunk if self.chunks >= 0 else b""

    def peak(chunks: int) -> int:
        tracemalloc.start()
        log = read_stream(Log(chunks), "x")  # type: ignore[arg-type]
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert log.figures == 300 * chunks
        return top

    assert peak(50) < 1.1 * peak(25)
