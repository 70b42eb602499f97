"""Letters take tables from logs only; a figure that no log has is found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from bench_logs import MT7622, QCE, REALTEK

from patchgen.bench import Table, cover_table, numbers_in, unsupported
from patchgen.bench.grid import Grid
from patchgen.errors import InputError


def test_rates_in_the_style_of_letters() -> None:
    text = cover_table(REALTEK, "rates", algorithms=["md5", "sha1"])
    assert text.split("\n")[:4] == [
        "op/s, software:",
        "        16 B    64 B   256 B  1024 B  2048 B  4096 B  8192 B",
        "md5   600185  365210  166293   52399   27389   14011    7068",
        "sha1  230154  124734   52979   16055    8322    4237    2137",
    ]
    assert "op/s, hardware:" in text


def test_sides_in_the_style_of_letters() -> None:
    text = cover_table([QCE], "sides", unit="byte/s", key_bits=256)
    lines = text.split("\n")
    assert lines[0] == "byte/s, cbc(aes) encrypt:"
    assert lines[2].split() == ["aes_sw_max_len", "32768", "512", "0"]
    assert lines[4].split() == ["256", "bit", "16", "bytes", "6,962,432", "1,943,616?", "419,088"]
    assert lines[-2].startswith("? line ")
    picked = cover_table([QCE], "sides", unit="byte/s", sides=["=0", "32768"])
    assert picked.split("\n")[2].split() == ["aes_sw_max_len", "0", "32768"]


def test_ratios_and_threshold() -> None:
    text = cover_table(MT7622, "ratios", algorithms=["gcm(aes)"], key_bits=["128"], blocks=[8192])
    assert text.split("\n")[0] == "ratio of mt7622-ce to mt7622-generic:"
    assert text.split("\n")[2].split() == ["gcm(aes)", "128", "bit", "encrypt", "24.5x", "24.5x"]
    full = cover_table(REALTEK, "threshold")
    assert "Choice: 256, the size at which both are even." in full
    assert "Choice" not in cover_table(REALTEK, "threshold", reasons=False)


@pytest.mark.parametrize("kind", ["rates", "sides", "ratios", "threshold"])
@pytest.mark.parametrize("logs", [REALTEK, (QCE,), MT7622])
def test_no_line_is_wider_than_a_mail(logs: tuple[Path, ...], kind: str) -> None:
    for width in (78, 72, 50):
        lines = cover_table(logs, kind, width=width).split("\n")
        assert max(map(len, lines)) <= width
        assert all(line == line.rstrip() for line in lines)


def test_a_changed_log_changes_the_letter(tmp_path: Path) -> None:
    log = tmp_path / "software.log"
    shutil.copy(REALTEK[0], log)
    before = cover_table([log])
    log.write_text(log.read_text().replace("513593", "513594"))
    after = cover_table([log])
    assert "513593" in before
    assert after == before.replace("513593", "513594")


@pytest.mark.parametrize(("options", "answer"), [
    ({"kind": "pie"}, "kind: 'pie' is unknown; known: rates, sides, ratios, threshold"),
    ({"colour": "red"}, "options: 'colour' is unknown"),
    ({"unit": "furlongs"}, "unit: 'furlongs' is unknown"),
    ({"unit": "cycles/op"}, "no figure can be given in cycles/op"),
    ({"algorithms": ["des"]}, "no figure is left after the selection"),
    ({"algorithms": 5}, "not a list of names"), ({"blocks": ["x"]}, "'x' is not a number"),
    ({"updates": "no"}, "neither true nor false"), ({"width": 200}, "width: 200 is not from 40"),
    ({"sides": ["gpu"]}, "no side of that name"),
])
def test_requests_that_cannot_be_met(options: dict[str, object], answer: str) -> None:
    with pytest.raises(InputError, match=answer.replace("(", r"\(")):
        cover_table(REALTEK, **options)  # type: ignore[arg-type]


def test_missing_logs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.log: no such log"):
        cover_table([tmp_path / "gone.log"])
    with pytest.raises(InputError, match="no log is given"):
        cover_table([])


TABLES = [Table(REALTEK, "ratios"), Table(REALTEK, "rates", {"algorithms": ["md5"]})]


def test_a_letter_of_backed_figures_passes() -> None:
    letter = (
        "At 8192 bytes the engine reaches 2.17 times the speed, at 16 bytes only\n"
        "0.127x. MD5 does 7,068 op/s in software, that is 57.9 MB/s, and loses\n"
        "17 % with the engine at best (5874 op/s).\n\n"
        + cover_table(REALTEK, "ratios") + "\n\n"
        + cover_table(REALTEK, "rates", algorithms=["md5"]) + "\n"
        " drivers/crypto/Kconfig | 13 +++++\n"
        " 3 files changed, 1661 insertions(+), 18 deletions(-)\n"
    )
    assert unsupported(letter, TABLES) == ()


@pytest.mark.parametrize(("text", "claim"), [
    ("It is 3.5 times faster.", "3.5 times"),
    ("It is 2-9 times faster.", "2-9 times"),
    ("It gains 99.5 % at all sizes.", "99.5 %"),
    ("It does 77 MB/s.", "77 MB/s"),
    ("It does 7,069 op/s.", "7,069 op/s"),
    ("It is three or 3.5\ntimes faster.", "3.5 times"),
    ("md5   600185  365210  166293   52399   27389   14011    7069",
     "md5 600185 365210 166293 52399 27389 14011 7069"),
    ("test 0 (128 bit key, 16 byte blocks): 5 operations in 1 seconds (80 bytes)",
     "test 0 (128 bit key, 16 byte blocks): 5 operations in 1 seconds (80 bytes)"),
])
def test_a_figure_that_no_log_has_is_found(text: str, claim: str) -> None:
    found = unsupported("First line.\n" + text, TABLES)
    assert [each.text for each in found] == [claim]
    assert found[0].line == 2


def test_numbers_in_text() -> None:
    claims = numbers_in("2x, 8-10 times, 1.5 %, 65k op/s, v3, 16 bytes, 12.5 MiB/s\n")
    assert [(c.text, c.kind, c.values, c.digits) for c in claims] == [
        ("2x", "ratio", (2.0,), 0), ("8-10 times", "ratio", (10.0, 8.0), 0),
        ("1.5 %", "percent", (1.5,), 1), ("12.5 MiB/s", "rate", (12.5,), 1)]


def test_grids_split_into_tables_that_fit() -> None:
    grid = Grid("title:", ("", *(f"column{n}" for n in range(9))),
                (("a very long name of a row", *map(str, range(9))),))
    lines = grid.text(40).split("\n")
    assert max(map(len, lines)) <= 40
    words = " ".join(lines).split()
    assert [word for word in words if word.isdigit()] == [str(n) for n in range(9)]
    assert words.count("column8") == 1
