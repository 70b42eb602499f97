"""Diffs: every kind that git writes, and what mail programs make of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from patchgen.mail.diff import parse_diff_text
from patchgen.mail.diffstat import count_changes, parse_diffstat
from patchgen.mail.message import parse_patch


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), "-c", "user.name=T", "-c", "user.email=t@example.org", *words],
        check=True, capture_output=True)
    return done.stdout.decode("utf-8", "surrogateescape")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "a.c").write_text("".join(f"int x{n};\n" for n in range(40)))
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "pic.png").write_bytes(bytes(range(256)))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "base")
    return tmp_path


def diff(repository: Path, *options: str) -> str:
    git(repository, "add", "-A")
    return git(repository, "diff", "--cached", "-M", "-C", *options)


def test_rename_only(repository: Path) -> None:
    git(repository, "mv", "a.c", "b.c")
    (change,) = parse_diff_text(diff(repository))
    assert (change.kind, change.old_path, change.new_path) == ("rename", "a.c", "b.c")
    assert (change.similarity, change.hunks) == (100, ())


def test_rename_with_an_edit_and_a_copy(repository: Path) -> None:
    git(repository, "mv", "a.c", "b.c")
    text = (repository / "b.c").read_text()
    (repository / "b.c").write_text(text.replace("x7;", "y7;"))
    (repository / "c.c").write_text(text)
    changes = {c.new_path: c for c in parse_diff_text(diff(repository, "--find-copies-harder"))}
    assert {c.kind for c in changes.values()} <= {"rename", "copy"}
    assert sum(c.counts[0] for c in changes.values()) == 1


def test_modes_and_links(repository: Path) -> None:
    (repository / "run.sh").chmod(0o755)
    (repository / "link").symlink_to("a.c")
    changes = {c.path: c for c in parse_diff_text(diff(repository))}
    assert (changes["run.sh"].old_mode, changes["run.sh"].new_mode) == ("100644", "100755")
    assert changes["run.sh"].kind == "modify"
    assert changes["link"].is_symlink
    assert list(changes["link"].added()) == [(1, "a.c")]
    assert changes["link"].hunks[0].new_ends_without_newline


@pytest.mark.parametrize("options", [(), ("--binary",)])
def test_binary(repository: Path, options: tuple[str, ...]) -> None:
    (repository / "pic.png").write_bytes(bytes(reversed(range(256))))
    (repository / "a.c").write_text("int x;\n")
    changes = {c.path: c for c in parse_diff_text(diff(repository, *options))}
    assert changes["pic.png"].binary
    assert changes["a.c"].counts == (1, 40)


def test_submodule() -> None:
    (change,) = parse_diff_text(
        "diff --git a/sub b/sub\nindex 1111111..2222222 160000\n--- a/sub\n+++ b/sub\n"
        "@@ -1 +1 @@\n-Subproject commit 1111111\n+Subproject commit 2222222\n")
    assert change.is_submodule


@pytest.mark.parametrize("name", ["with blank.c", "\u00fcml\u00e4ut.c", "tab\there.c", 'quo"te.c',
                                  "b/a/b/a.c", "caf\u00e9 b/x.c", "-dash.c"])
def test_names(repository: Path, name: str) -> None:
    target = repository / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("int q;\n")
    for options in ((), ("-U0",)):
        (change,) = parse_diff_text(diff(repository, *options))
        assert change.new_path == name
        assert change.kind == "add"
    git(repository, "commit", "-q", "-m", "x")
    target.chmod(0o755)
    (change,) = parse_diff_text(diff(repository))
    assert (change.path, change.new_mode) == (name, "100755")


def test_same_counts_as_git(repository: Path) -> None:
    text = (repository / "a.c").read_text()
    (repository / "a.c").write_text(text.replace("x3;", "y;").replace("int x20;\n", "") + "z")
    (repository / "run.sh").unlink()
    found = diff(repository)
    stat = git(repository, "diff", "--cached", "-M", "--stat", "--summary")
    shown = parse_diffstat(stat.split("\n"), 1)
    real = count_changes(parse_diff_text(found))
    assert shown is not None
    assert (shown.insertions, shown.deletions) == (real.insertions, real.deletions) == (2, 3)
    assert {r.path: r.changed for r in shown.rows} == real.changed
    assert shown.deleted == ("run.sh",)


def test_plain_diff_and_timestamps() -> None:
    (change,) = parse_diff_text(
        "Index: linux/a.c\n======\n--- linux.orig/a.c\t2020-01-01 00:00:00.0 +0000\n"
        "+++ linux/a.c\t2020-01-02 00:00:00.0 +0000\n@@ -1,2 +1,2 @@\n int a;\n-int b;\n+int c;\n")
    assert (change.path, change.kind, change.counts) == ("a.c", "modify", (1, 1))


HEAD = "From: A B <a@b.cd>\nSubject: [PATCH] x: y\n\nText.\n\n---\n"
BODY = ("diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -1,4 +1,5 @@\n int a;\n \n-int b;\n"
        "+int c;\n+int d;\n int e;\n")


def kinds(text: str) -> list[str]:
    return [d.kind for d in parse_patch(text.encode()).damages]


@pytest.mark.parametrize(("old", "new", "kind"), [
    ("+1,5 @@", "+1,6 @@", "hunk-counts"), ("+1,5 @@", "+1,4 @@", "hunk-counts"),
    ("-1,4 +", "-1,5 +", "hunk-counts"), ("-1,4 +", "-1,3 +", "hunk-counts"),
    ("+int d;\n", "", "hunk-counts"), ("\n \n", "\n\n", "blank-context"),
    ("+int c;", "+int\nc;", "wrapped-line"), ("@@ -1,4 +1,5 @@", "@@ -x +y @@", "hunk-header"),
])
@pytest.mark.parametrize("tail", ["", "-- \n2.39.5\n", "-- \n2.39.5\n\n",
                                  "\nbase-commit: 1\n-- \n2\n"])
def test_damaged_hunks_are_mended_and_reported(old: str, new: str, kind: str, tail: str) -> None:
    assert kinds(HEAD + BODY + tail) == []
    text = HEAD + BODY.replace(old, new) + tail
    assert kind in kinds(text)
    (change,) = parse_patch(text.encode()).changes
    if kind in ("blank-context", "wrapped-line") or ("@@" in old and kind == "hunk-counts"):
        assert change.counts == (2, 1)


def test_signature_and_footers_are_no_diff() -> None:
    mail = parse_patch((HEAD + BODY + "-- \n2.39.5\n\n___\nlist footer\n").encode())
    assert mail.changes[0].counts == (2, 1)
    assert mail.tail[0] == "-- "


def test_combined_diff_is_reported() -> None:
    mail = parse_patch((HEAD + BODY + "diff --cc b.c\nindex 1,2..3\n--- a/b.c\n+++ b/b.c\n"
                        "@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n").encode())
    assert [d.kind for d in mail.damages] == ["combined-diff"]
    assert len(mail.changes) == 1


def test_form_feeds_and_odd_line_ends_stay_inside_their_line() -> None:
    text = HEAD + BODY.replace("int c;", "int\x0cc;\x0b\x1c\x85\u2028")
    (change,) = parse_patch(text.encode()).changes
    assert [t for _, t in change.added()] == ["int\x0cc;\x0b\x1c\x85\u2028", "int d;"]
