"""`patchgen vectors` as a user types it: output, exit codes, one line for what is wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from patchgen.cli.main import main
from patchgen.vectors import store


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", "list", "sp800-38a"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["group", "algorithm", "vectors"]
    assert lines[1].split()[:3] == ["sp800-38a/ecb-aes", "ecb(aes)", "3"]
    assert main(["vectors", "list", "--json", "md5"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {g["name"] for g in document["groups"]} == {"rfc1321/md5", "generated/md5"}
    assert len(document["groups"][0]["digest"]) == 64


def test_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", "check", "sp800-38a/cbc-aes", "rfc1321"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "sp800-38a/cbc-aes: 3 vectors, all agree", "rfc1321/md5: 7 vectors, all agree",
    ]
    assert main(["vectors", "check", "--json", "rfc1321"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["summary"] == {"vectors": 7, "ok": 7, "wrong": 0}
    assert document["vectors"][0]["agreed"] == ["reference", "hashlib"]


def test_check_of_a_wrong_vector(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    group = store.select(["rfc1321/md5"])[0]
    wrong = replace(group.vectors[2], input=b"abd")
    vectors = (*group.vectors[:2], wrong, *group.vectors[3:])
    monkeypatch.setattr(store, "select", lambda names: (replace(group, vectors=vectors),))
    assert main(["vectors", "check", "rfc1321"]) == 1
    out = capsys.readouterr().out
    assert "rfc1321/md5: 7 vectors, 1 WRONG" in out
    assert "rfc1321/md5/A.5-3: output: reference says" in out
    assert main(["vectors", "check", "--json", "rfc1321"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["summary"]["wrong"] == 1
    assert "first differing byte 0" in document["vectors"][2]["problems"][0]


def test_check_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "abc.rsp"
    path.write_text("Len = 24\nMsg = 616263\nMD = 900150983cd24fb0d6963f7d28e17f72\n\n"
                    "Len = 3\nMsg = 60\nMD = 900150983cd24fb0d6963f7d28e17f72\n", "utf-8")
    assert main(["vectors", "check", "--file", str(path)]) == 0
    captured = capsys.readouterr()
    assert captured.out == (
        f"{path}: CAVP, 1 vectors: reference/ agrees with 1, not with 0; 1 left out\n"
    )
    assert captured.err == "abc.rsp/1 (line 5): left out: a message of 3 bits\n"
    path.write_text(path.read_text("utf-8").replace("Msg = 616263", "Msg = 616264"), "utf-8")
    assert main(["vectors", "check", "--json", "--file", str(path)]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["summary"] == {"vectors": 1, "ok": 0, "wrong": 1}
    assert document["skipped"][0]["reason"] == "a message of 3 bits"


@pytest.mark.parametrize("form", ["c", "json", "python"])
def test_emit(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", "emit", "sp800-38a/ecb-aes", "--format", form]) == 0
    text = capsys.readouterr().out
    assert {"c": "\\x3a\\xd7\\x7b\\xb4", "json": '"3ad77bb4', "python": '"3ad77bb4'}[form] in text
    target = tmp_path / "out"
    words = ["vectors", "emit", "sp800-38a/ecb-aes", "--format", form, "-o", str(target)]
    assert main(words) == 0
    assert target.read_text("utf-8") == text
    assert [p.name for p in tmp_path.iterdir()] == ["out"]
    assert main(words) == 2
    assert main([*words, "--force"]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "cbc(ase)"], "no vectors are called 'cbc(ase)'; did you mean cbc(aes)"),
        (["check", "md5", "--file", "x"], "check takes names or --file, not both"),
        (["check", "--file", "/nowhere/x.rsp"], "/nowhere/x.rsp: No such file or directory"),
        (["emit", "sp800-38a"], "write one algorithm at a time"),
        (["emit", "md5", "--array", "a b"], "'a b' is not a C identifier"),
        (["emit", "md5", "-o", "/nowhere/x.h"], "/nowhere/x.h: No such file or directory"),
    ],
)
def test_wrong_calls_give_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["vectors", *words]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
