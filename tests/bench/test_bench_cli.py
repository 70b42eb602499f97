"""``patchgen bench``: exit codes, JSON, CSV, pictures; no traceback, nothing half-written."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from bench_logs import MT7622, QCE, REALTEK, cipher_line, ghash_sections

from patchgen.cli.main import main

CTR = "testing speed of async ctr(aes) (ctr-aes-ce) encryption"


def bench(*words: object) -> int:
    return main(["bench", *map(str, words)])


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("show", *MT7622) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "op/s, mt7622-generic:" in out
    assert "1833?" in out
    assert max(map(len, out.split("\n"))) <= 78
    assert bench("show", QCE, "--sides", "--unit", "kB/s", "--block", 512) == 0
    assert "16,701" in capsys.readouterr().out
    assert bench("show", QCE, "--block", 512) == 0
    out = capsys.readouterr().out
    assert "MB/s, aes_sw_max_len=512:" in out
    assert "16.7" in out


def test_show_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("show", MT7622[0], "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["command"] == "bench show"
    assert document["logs"][0]["figures"] == 80
    assert document["logs"][0]["unread"] == []
    record = next(each for each in document["records"] if each["block_bytes"] == 8192
                  and each["algorithm"] == "gcm(aes)" and each["key_bits"] == 128)
    assert record["ops_per_s"] == 2829
    assert record["bytes_per_s"] == 2829 * 8192
    assert record["direction"] == "encrypt"
    assert record["driver"] == "gcm_base(ctr(aes-generic),ghash-generic)"
    source = MT7622[0].read_text().split("\n")[record["line"] - 1]
    assert "2829 operations" in source
    assert len(document["suspects"]) == 3


def test_show_csv_and_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "runs.log"
    log.write_text("\n".join(f"{CTR}\n{cipher_line(128, 16, n)}" for n in (104, 100, 102)))
    assert bench("show", log, "--csv") == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["ops_per_s"], row["runs"], row["low_line"]) == ("102.0", "3", "4")
    assert bench("show", log, "--csv", "--runs") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["ops_per_s"], row["line"]) for row in rows] == [
        ("104.0", "2"), ("100.0", "4"), ("102.0", "6")]
    assert bench("show", log) == 0
    assert "±2.9%" in capsys.readouterr().out
    assert bench("show", log, "--runs") == 2


def test_unread_lines_go_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "cut.log"
    bad = "\x1b[31mtest 9 (128 bit key, 64 byte blocks): 12 oper\x07\n" * 25
    log.write_text(f"{CTR}\n{cipher_line(128, 16, 5)}\n{bad}")
    assert bench("show", log) == 0
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err
    assert f"{log}:3: not read: cut off or interrupted" in err
    assert "5 more lines were not read; --json lists them" in err
    assert bench("show", log, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert [each["line"] for each in document["logs"][0]["unread"]] == list(range(3, 28))


def test_compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "ghash.log"
    log.write_text(ghash_sections())
    assert bench("compare", log) == 0
    out = capsys.readouterr().out
    assert "ratio of after to before:" in out
    assert "0.952x!" in out
    assert "from 256 B on at most 2 % slower" in " ".join(out.split())
    assert bench("compare", log, "--base", "after", "--json") == 0
    [comparison] = json.loads(capsys.readouterr().out)["comparisons"]
    assert comparison["base"] == "after"
    assert comparison["summary"]["ghash"]["count"] == 7
    assert bench("compare", *MT7622, "--csv", "--algorithm", "gcm(aes)", "--block", 8192) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 6
    assert float(rows[0]["ratio"]) == pytest.approx(24.485, abs=1e-3)


def test_threshold(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("threshold", QCE) == 0
    out = capsys.readouterr().out
    assert "recommended longest request in software: 512 bytes" in out
    assert bench("threshold", *REALTEK, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["recommended"] == 256
    assert {each["even_from_bytes"] for each in document["curves"]
            if "aes" in each["algorithm"]} == {256}
    assert bench("threshold", QCE, "--csv", "--software", "32768", "--hardware", "=0") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["even_from_bytes"] for row in rows] == ["1024", "768"]
    assert bench("threshold", *REALTEK, "--algorithm", "md5") == 0
    assert "software: none, leave all to software" in capsys.readouterr().out


def test_plot_writes_whole_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="needs: pip install 'patchgen[plot]'")
    start = tmp_path / "qce"
    assert bench("plot", QCE, "-o", start, "--key", 128, "--block", 16, "--block", 8192) == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["qce-ratio.svg", "qce-throughput.svg"]
    capsys.readouterr()
    assert bench("plot", QCE, "-o", start) == 2
    assert "exists already; add --force" in capsys.readouterr().err
    assert bench("plot", QCE, "-o", tmp_path / "one.png", "--kind", "ratio", "--key", 128) == 0
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    assert bench("plot", QCE, "-o", tmp_path / "no" / "one.png") == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [*["one.png"], *names]


@pytest.mark.parametrize(("words", "answer"), [
    ((), "required: COMMAND"), (("show",), "required: LOG"),
    (("show", "gone.log"), "gone.log: no such log; check the path"),
    (("show", QCE, QCE), "the same log is given twice"),
    (("show", QCE, "--algorithm", "des"), "the algorithms are: cbc(aes)"),
    (("compare", REALTEK[0]), "only one side is in the logs"),
    (("threshold", REALTEK[0]), "only one side is in the logs"),
    (("threshold", QCE, "--margin", "200"), "margin"),
    (("threshold", QCE, "--software", "gpu"), "no side of that name"),
    (("show", QCE, "--json", "--csv"), "not allowed with"),
])
def test_wrong_calls(words: tuple[object, ...], answer: str,
                     capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert answer in err
    assert len(err.strip().split("\n")) == 1 + ("names no unit" in err)


def test_standard_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "patchgen.cli.main", "bench", "show", "-"],
        input=QCE.read_bytes(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b"aes_sw_max_len=512" in done.stdout
