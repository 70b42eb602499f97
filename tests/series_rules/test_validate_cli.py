"""``patchgen validate`` from the command line: inputs, formats, exit codes."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from damages import BASE, DATA, DRIVER, Mails, good_mails

from patchgen.cli.main import main

GOOD = str(DATA / "good")


def validate(*words: str) -> int:
    """The command without external programs, and without dtschema, which takes a second."""
    return main(["validate", "--no-external", "--ignore", "binding-schema", *words])


@pytest.fixture
def bad(tmp_path: Path) -> str:
    mails = Mails()
    mails.sub(DRIVER, "+\treturn done;", "+\treturn done; ")
    folder = tmp_path / "bad"
    folder.mkdir()
    for number, data in enumerate(mails.mails):
        (folder / f"{number:04}.patch").write_bytes(data)
    return str(folder)


def test_good_series_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(GOOD) == 0
    assert capsys.readouterr().out.endswith("0 errors, 0 warnings\n")
    assert validate(GOOD, "--tree", str(BASE), "--strict") == 0


def test_errors_give_status_one(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(bad) == 1
    out = capsys.readouterr().out
    assert "error: patch 2, drivers/char/hw_random/acme-rng.c:" in out
    assert "[whitespace]" in out
    assert validate(bad, "--ignore", "whitespace") == 0
    assert validate(bad, "--select", "series-gap,whitespace") == 1
    assert validate(bad, "--select", "series-gap") == 0


def test_warnings_count_only_when_strict(tmp_path: Path) -> None:
    mails = Mails()
    mails.regex(0, r"^base-commit: .*\n", "")
    box = tmp_path / "a.mbox"
    box.write_bytes(b"\n".join(mails.mails))
    assert validate(str(box)) == 0
    assert validate(str(box), "--strict") == 1


def test_json_is_one_document(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(bad, "--json") == 1
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert captured.err == ""
    assert [f["check"] for f in document["findings"] if f["severity"] == "error"] == ["whitespace"]
    assert document["findings"][0]["patch"] == 2
    assert document["series"]["title"] == "hwrng: add a driver for the ACME A100"


@pytest.mark.parametrize("format", ["sarif", "junit", "html", "json", "text"])
def test_reports_go_to_a_file_whole(bad: str, tmp_path: Path, format: str,
                                    capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "report"
    assert validate(bad, "--format", format, "-o", str(target)) == 1
    assert "blanks at the end of the line" in target.read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""
    assert validate(bad, "--format", format, "-o", str(target)) == 2
    assert "already exists" in capsys.readouterr().err
    assert validate(bad, "--format", format, "-o", str(target), "--force") == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad", "report"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(b"".join(m + b"\n" for m in good_mails()))

    monkeypatch.setattr(sys, "stdin", Stdin())
    assert validate("-") == 0


def test_versions_and_other_series_are_named(tmp_path: Path,
                                             capsys: pytest.CaptureFixture[str]) -> None:
    old = [m.replace(b"PATCH v2", b"PATCH").replace(b"Message-Id: <", b"Message-Id: <old.")
           .replace(b"In-Reply-To: <", b"In-Reply-To: <old.")
           .replace(b"References: <", b"References: <old.") for m in good_mails()]
    box = tmp_path / "both.mbox"
    box.write_bytes(b"".join(m + b"\n" for m in old + good_mails()))
    assert validate(str(box)) == 0
    assert "not checked: version v1" in capsys.readouterr().out
    assert validate(str(box), "-v", "1") == 0
    assert "v1, 3 patches" in capsys.readouterr().out
    assert validate(str(box), "-v", "7") == 2


@pytest.mark.parametrize(("words", "message"), [
    ([], "nothing to check"),
    (["nowhere.mbox"], "no such file or folder"),
    ([GOOD, "--select", "no-such-check"], "no check is called"),
    ([GOOD, "--tree", "/nowhere/at/all"], "no such folder"),
    ([GOOD, "--kernel", "six"], "is not a kernel version"),
    (["v1..v2"], "needs --tree"),
    (["--tree", str(BASE)], "not OpenWrt's"),
    ([GOOD, "--fix"], "--fix mends OpenWrt trees only"),
    ([GOOD, "--config", "/nowhere.toml"], "no such file"),
])
def test_wrong_calls_are_one_clear_line(words: list[str], message: str,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(*words) in (2, 3)
    err = capsys.readouterr().err
    assert message in err
    assert len(err.splitlines()) == 1


def test_git_range(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import shutil

    repository = tmp_path / "linux"
    shutil.copytree(BASE, repository)

    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(repository), *words], check=True, capture_output=True,
                       env={**os.environ, "GIT_COMMITTER_NAME": "J", "GIT_COMMITTER_EMAIL": "j@x.y",
                            "GIT_AUTHOR_NAME": "J", "GIT_AUTHOR_EMAIL": "j@x.y"})

    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "base")
    for mail in sorted((DATA / "good").glob("*-000[123]-*")):
        git("am", "-q", str(mail))
    assert validate("HEAD~3..HEAD", "--tree", str(repository)) == 0
    assert "v1, 3 patches" in capsys.readouterr().out
    assert validate("HEAD~3..HEAD", "--tree", f"{repository}@main", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["series"]["patches"]) == 3
    assert validate("HEAD..HEAD", "--tree", str(repository)) == 2
    assert "holds no commits" in capsys.readouterr().err
    assert validate("HEAD..nowhere", "--tree", str(repository)) == 2
    before = sorted(repository.rglob("*"))
    validate("HEAD~3..HEAD", "--tree", str(repository))
    assert sorted(repository.rglob("*")) == before


def test_c_files_get_the_code_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "lamp.c"
    source.write_text("#include <linux/module.h>\n\nstatic int a(void)\n{\n\treturn 0;\n}\n")
    assert validate(str(source), "--json") in (0, 1)
    document = json.loads(capsys.readouterr().out)
    assert document["series"] == {}
    assert all(f["file"] == str(source) for f in document["findings"])
    assert validate(str(source), GOOD) == 2
    assert "checked apart" in capsys.readouterr().err


CONFIG = """
[[tool.patchgen.silence]]
check = "whitespace"
path = "drivers/char/*"
reason = "the vendor's file is taken over as it is"
"""


def test_silencing_needs_a_reason(bad: str, tmp_path: Path,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "pyproject.toml"
    config.write_text(CONFIG)
    assert validate(bad, "--config", str(config)) == 0
    out = capsys.readouterr().out
    assert re.search(r"silenced: error: .*: the vendor's file is taken over as it is", out)
    for wrong, message in ((CONFIG.replace("reason", "# reason"), "gives no reason"),
                           (CONFIG.replace("whitespace", "whitespce"), "did you mean whitespace"),
                           (CONFIG.replace("path", "paths"), "unknown key 'paths'"),
                           ("[tool.patchgen\n", "cannot be read")):
        config.write_text(wrong)
        assert validate(bad, "--config", str(config)) == 2
        assert message in capsys.readouterr().err


def test_the_nearest_configuration_is_found(bad: str, tmp_path: Path,
                                            monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text(CONFIG)
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    monkeypatch.chdir(inner)
    assert validate(bad) == 0


def test_same_input_same_bytes(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = set()
    for _ in range(2):
        validate(bad, "--json", "--tree", str(BASE))
        outputs.add(capsys.readouterr().out)
    assert len(outputs) == 1
