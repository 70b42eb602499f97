"""`patchgen series realtek` as a user meets it: mails, bases, errors, exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from patchgen.cli.main import main

SUBJECTS = [
    "dt-bindings: crypto: add Realtek RTL8380 crypto engine",
    "crypto: realtek - define registers, descriptors and driver state",
    "crypto: realtek - add core: rings, interrupt and recovery",
    "crypto: realtek - add MD5 and SHA-1",
    "crypto: realtek - add AES in ECB, CBC and CTR mode",
    "crypto: realtek - enable the driver",
]


def git(root: Path, *words: str, stdin: bytes | None = None) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], input=stdin, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The series on the embedded base, by a fixed author."""
    target = tmp_path_factory.mktemp("out") / "v4"
    assert main(["series", "realtek", "-o", str(target), "--from", "A B <a@example.org>"]) == 0
    return target


@pytest.fixture
def embedded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A repository that holds the embedded base."""
    capsys.readouterr()
    assert main(["show", "realtek", "base"]) == 0
    diff = capsys.readouterr().out
    root = tmp_path / "base"
    root.mkdir()
    git(root, "init", "-q")
    git(root, "apply", "-", stdin=diff.encode())
    git(root, "add", ".")
    git(root, "commit", "-qm", "base")
    return root


def test_six_patches_and_a_cover_letter(written: Path) -> None:
    mails = [message_from_bytes(p.read_bytes(), policy=policy.default)
             for p in sorted(written.glob("*.patch"))]
    subjects = [" ".join(str(mail["Subject"]).split()) for mail in mails]
    assert subjects[1:] == [f"[PATCH v4 {n}/6] {s}" for n, s in enumerate(SUBJECTS, 1)]
    assert subjects[0].startswith("[PATCH v4 0/6] crypto: realtek - ")
    assert all(str(mail["From"]) == "A B <a@example.org>" for mail in mails)
    cover_id = str(mails[0]["Message-ID"])
    assert all(str(mail["In-Reply-To"]) == cover_id for mail in mails[1:])
    assert len({str(mail["Message-ID"]) for mail in mails}) == 7
    assert all("Signed-off-by: A B <a@example.org>\n---\n" in mail.get_content()
               for mail in mails[1:])


def test_the_cover_letter_has_changelogs_tables_and_stat(written: Path) -> None:
    cover = (written / "v4-0000-cover-letter.patch").read_text()
    for version in (3, 2, 1):
        assert f"Changes since v{version}:" in cover
    assert "A B (6):" in cover
    assert "ecb(aes)" in cover
    assert "65062" in cover
    assert "9 files changed" in cover


def test_git_am_takes_the_series(written: Path, embedded: Path) -> None:
    git(embedded, "am", "-q", *(str(p) for p in sorted(written.glob("*-000[1-6]-*.patch"))))
    log = git(embedded, "log", "--format=%s", "--reverse").splitlines()
    assert log == ["base", *SUBJECTS]
    assert (embedded / "drivers/crypto/realtek/realtek_crypto.c").is_file()
    assert "\nREALTEK CRYPTO ENGINE DRIVER\nM:\tA B <a@example.org>\n" in (
        embedded / "MAINTAINERS").read_text()


def test_twice_the_same_bytes(written: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    done = subprocess.run(
        [sys.executable, "-m", "patchgen", "series", "realtek", "-o", str(again),
         "--from", "A B <a@example.org>"],
        env={**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert files_of(again) == files_of(written)


def test_series_json_says_what_was_made_from_what(written: Path) -> None:
    description = json.loads((written / "series.json").read_text())
    assert description["base"] == {"kind": "embedded", "description": "the embedded base",
                                   "commit": None}
    assert description["profile"] == "6.12"
    assert [p["subject"] for p in description["patches"]] == SUBJECTS
    assert description["placeholder_author"] is False
    assert description["checks"]["findings"]["error"] == 0


def test_options_reach_the_mails(tmp_path: Path) -> None:
    target = tmp_path / "v7"
    assert main(["series", "realtek", "-o", str(target), "-v", "7", "--rfc", "--prefix",
                 "PATCH net", "--to", "x@example.org", "--cc", "Y <y@example.org>",
                 "--kernel", "6.1"]) == 0
    mail = message_from_bytes(next(target.glob("v7-0001-*")).read_bytes(), policy=policy.default)
    assert str(mail["Subject"]).startswith("[RFC PATCH net v7 1/6] ")
    assert "x@example.org" in str(mail["To"])
    assert "Y <y@example.org>" in str(mail["Cc"])
    assert json.loads((target / "series.json").read_text())["profile"] == "6.1"


def test_the_kernel_version_changes_the_driver(tmp_path: Path) -> None:
    texts = {}
    for kernel in ("6.1", "6.12"):
        target = tmp_path / kernel
        assert main(["series", "realtek", "-o", str(target), "--kernel", kernel]) == 0
        texts[kernel] = "".join(p.read_text() for p in sorted(target.glob("*.patch")))
    assert "struct skcipher_engine_alg" in texts["6.12"]
    assert "struct skcipher_engine_alg" not in texts["6.1"]
    assert "+#include <asm/unaligned.h>" in texts["6.1"]
    assert "+#include <linux/unaligned.h>" in texts["6.12"]


def test_on_a_git_revision_the_mails_name_it(embedded: Path, tmp_path: Path) -> None:
    head = git(embedded, "rev-parse", "HEAD")
    (embedded / "MAINTAINERS").write_text("local change, not committed\n")
    before = files_of(embedded / ".git")
    target = tmp_path / "v4"
    assert main(["series", "realtek", "-o", str(target), "--tree", f"{embedded}@HEAD"]) == 0
    assert f"\nbase-commit: {head}\n" in (target / "v4-0000-cover-letter.patch").read_text()
    assert files_of(embedded / ".git") == before
    assert (embedded / "MAINTAINERS").read_text() == "local change, not committed\n"
    git(embedded, "checkout", "-q", "MAINTAINERS")
    git(embedded, "am", "-q", *(str(p) for p in sorted(target.glob("*-000[1-6]-*.patch"))))


def test_on_a_directory_nothing_names_a_commit(embedded: Path, tmp_path: Path) -> None:
    target = tmp_path / "v4"
    assert main(["series", "realtek", "-o", str(target), "--tree", str(embedded)]) == 0
    assert "base-commit" not in (target / "v4-0000-cover-letter.patch").read_text()


def test_a_tree_with_the_driver_is_refused(
    written: Path, embedded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(embedded, "am", "-q", *(str(p) for p in sorted(written.glob("*-000[1-6]-*.patch"))))
    capsys.readouterr()
    target = tmp_path / "v4"
    assert main(["series", "realtek", "-o", str(target), "--tree", str(embedded)]) == 1
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert "all 6 patches are already applied" in line
    assert not target.exists()
    assert main(["series", "realtek", "--json", "-o", str(target), "--tree", str(embedded)]) == 1
    document = json.loads(capsys.readouterr().out)
    assert [a["number"] for a in document["already_applied"]] == [1, 2, 3, 4, 5, 6]
    assert document["written"] is None


def test_json_is_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "v4"
    assert main(["series", "realtek", "-o", str(target), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["command"] == "series"
    assert document["written"] == str(target)
    assert document["summary"] == {"error": 0, "warning": 0, "note": 0}
    assert len(document["series"]["patches"]) == 6


def test_without_an_identity_a_placeholder_and_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    target = tmp_path / "v4"
    assert main(["series", "realtek", "-o", str(target)]) == 0
    assert "placeholder-author" in capsys.readouterr().out
    assert "PLACEHOLDER" in (target / "v4-0000-cover-letter.patch").read_text()
    assert main(["series", "realtek", "-o", str(tmp_path / "strict"), "--strict"]) == 1
    assert not (tmp_path / "strict").exists()
    capsys.readouterr()
    assert main(["send", str(target), "--to", "x@example.org", "--dry-run"]) == 1
    assert "placeholder" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "status", "message"), [
    (["series", "realtk"], 2, "did you mean 'realtek'"),
    (["series", "realtek", "--tree", "/no/where"], 3, "no such folder"),
    (["series", "realtek", "--tree", "/no/where@HEAD"], 3, "no such folder"),
    (["series", "realtek", "--kernel", "six"], 2, "is not a kernel version"),
    (["series", "realtek", "--kernel", "5.4"], 2, "need Linux 6.1 or newer"),
    (["series", "realtek", "--features", "nope"], 2, "no template of realtek has a feature"),
    (["series", "realtek", "--from", "nobody"], 2, "is not an author"),
    (["series", "realtek", "--to", "not an address"], 2, "is not a mail address"),
    (["series", "realtek", "--prefix", "a]b"], 2, "cannot stand in a subject"),
    (["series", "realtek", "-v", "0"], 2, "is not a version"),
    (["series", "realtek", "--no-check", "no-such"], 2, "no check is called"),
    (["show", "realtek", "9"], 2, "there is no patch 9"),
    (["show", "realtek", "no/file.c"], 2, "has no file"),
    (["send", "/no/where"], 2, "no such folder"),
    (["nonsense"], 2, "no command 'nonsense'"),
    (["--nonsense"], 2, "unrecognized arguments"),
    ([], 2, ""),
])
def test_wrong_calls_get_one_line(
    words: list[str], status: int, message: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == status
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") <= 1
    assert list(tmp_path.iterdir()) == []


def test_an_existing_folder_and_force(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["series", "realtek"]) == 0
    assert (tmp_path / "outgoing/realtek/v4/v4-0000-cover-letter.patch").is_file()
    assert main(["series", "realtek"]) == 2
    assert "already exists" in capsys.readouterr().err
    assert main(["series", "realtek", "--force"]) == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tmp_path.chmod(0o500)
    assert main(["series", "realtek", "-o", str(tmp_path / "x" / "v4")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_target_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["series", "realtek", "-o", "/dev/null/v4"]) == 2
    assert "patchgen: /dev/null/v4" in capsys.readouterr().err


@pytest.mark.parametrize("delay", [0, 0.1, 0.4])
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_killed_in_the_middle(tmp_path: Path, delay: float, sign: signal.Signals) -> None:
    out = tmp_path / "out"
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    child = subprocess.Popen(
        [sys.executable, "-m", "patchgen", "series", "realtek", "-o", str(out / "v4")],
        env={**os.environ, "TMPDIR": str(scratch)}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)
    while child.poll() is None and not any(scratch.iterdir()):
        time.sleep(0.01)
    time.sleep(delay)
    child.send_signal(sign)
    _, errors = child.communicate()
    assert b"Traceback" not in errors
    if child.returncode == 0:
        assert len(files_of(out / "v4")) == 8
    else:
        # Python ends itself by SIGINT where it can; a shell calls both 130.
        assert child.returncode in (130, -signal.SIGINT), errors
        assert files_of(tmp_path) == {}
        assert list(scratch.iterdir()) == []


def test_a_template_with_an_undefined_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from patchgen.errors import InputError
    from patchgen.profiles import profile_for
    from patchgen.render import RenderContext, render

    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.c.j2").write_text("int a;\nint {{ nothing }};\n")
    (tmp_path / "mine" / "b.c.j2").write_text("int a;\n{% if %}\n")
    context = RenderContext(profile_for("6.12"))
    with pytest.raises(InputError, match=r"a\.c\.j2:2: 'nothing' is undefined"):
        render("mine", "a.c", context, (tmp_path,))
    with pytest.raises(InputError, match=r"b\.c\.j2:2: "):
        render("mine", "b.c", context, (tmp_path,))


def test_show_lists_and_shows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "realtek"]) == 0
    listing = capsys.readouterr().out
    assert all(subject in listing for subject in SUBJECTS)
    assert main(["show", "realtek", "6"]) == 0
    assert "+config CRYPTO_DEV_REALTEK\n" in capsys.readouterr().out
    assert main(["show", "realtek", "drivers/crypto/realtek/Makefile"]) == 0
    assert "obj-$(CONFIG_CRYPTO_DEV_REALTEK)" in capsys.readouterr().out


def test_list_names_every_series(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert "realtek" in capsys.readouterr().out
    assert main(["list", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["series"]}
    assert rows["realtek"]["patches"] == 6


def test_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    tools = {t["name"]: t for t in json.loads(capsys.readouterr().out)["tools"]}
    assert tools["git"]["present"] is True
    assert tools["extra dt"]["install"] == "pip install 'patchgen[dt]'"
