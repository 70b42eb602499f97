"""Applying in memory gives what git apply gives, or refuses where git refuses."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchgen.mail import read_series
from patchgen.mail.apply import apply_series
from patchgen.tree import EmbeddedBase, FileEntry, Tree

HEAD = "From: A B <a@b.cd>\nSubject: [PATCH] x: y\n\nText.\n\n---\n"
LINE = st.sampled_from(["a", "b", "c", "\tif (x)", "}", "", "  ", "d"])
FILE = st.lists(LINE, max_size=14)


def run(folder: Path, *words: str, data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *words], cwd=folder, input=data, capture_output=True, check=False)


def content(lines: list[str], newline: bool) -> bytes:
    return ("\n".join(lines) + ("\n" if newline and lines else "")).encode()


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("apply")


@settings(max_examples=60 if settings.get_current_profile_name() != "thorough" else 3000)
@given(old=FILE, new=FILE, base=FILE, same=st.booleans(), ends=st.tuples(*[st.booleans()] * 3),
       context=st.sampled_from([1, 3]))
def test_same_verdict_and_result_as_git(
    scratch: Path, old: list[str], new: list[str], base: list[str], same: bool,
    ends: tuple[bool, bool, bool], context: int,
) -> None:
    (scratch / "old").write_bytes(content(old, ends[0]))
    (scratch / "new").write_bytes(content(new, ends[1]))
    on = content(old, ends[0]) if same else content(base, ends[2])
    patch = run(scratch, "diff", "--no-index", f"-U{context}", "old", "new").stdout
    if not patch or not content(old, ends[0]) or not content(new, ends[1]):
        return
    if not same and not all(ends):
        return  # git takes a last line without newline for the start of a longer text
    patch = patch.replace(b"a/old", b"a/f").replace(b"b/new", b"b/f")
    (scratch / "f").write_bytes(on)
    done = run(scratch, "apply", "-", data=patch)
    tree = Tree(EmbeddedBase({"f": FileEntry(on)}))
    applied = apply_series(read_series(HEAD.encode() + patch), tree)
    refused = [p for p in applied.problems if p.kind in ("conflict", "already")]
    assert bool(refused) == (done.returncode != 0), (done.stderr, applied.problems)
    if not refused:
        assert applied.text("f") == (scratch / "f").read_bytes().decode()


def patch(old: str, new: str, path: str = "f", start: int = 1) -> bytes:
    lines = "".join(f"-{x}\n" for x in old.split()) + "".join(f"+{x}\n" for x in new.split())
    return (f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -{start},"
            f"{len(old.split()) + 2} +{start},{len(new.split()) + 2} @@\n top\n{lines} end\n"
            ).encode()


def mail(number: int, body: bytes) -> bytes:
    return HEAD.replace("[PATCH]", f"[PATCH {number}/9]").encode() + body


def test_without_a_tree_patches_must_not_contradict_each_other() -> None:
    good = apply_series(read_series([mail(1, patch("a", "b", start=10)),
                                     mail(2, patch("b", "c", start=10))]))
    assert good.problems == []
    assert [(r.author, r.by, r.text, r.replacement) for r in good.replaced] == [(1, 2, "b", ("c",))]
    bad = apply_series(read_series([mail(1, patch("a", "b", start=10)),
                                    mail(2, patch("x", "c", start=10))]))
    assert [(p.kind, p.patch, p.path) for p in bad.problems] == [("conflict", 2, "f")]
    moved = apply_series(read_series([mail(1, patch("a", "b", start=10)),
                                      mail(2, patch("b", "c", start=12))]))
    assert [(p.kind, p.offset) for p in moved.problems] == [("offset", -2)]


def test_lines_below_a_hunk_move_with_it() -> None:
    series = read_series([mail(1, patch("a", "b c d", start=10)),
                          mail(2, patch("e", "g", start=40)), mail(3, patch("x", "", start=5)),
                          mail(4, patch("g", "h", start=39))])
    applied = apply_series(series)
    assert applied.problems == []
    assert [(r.author, r.by) for r in applied.replaced] == [(2, 4)]
    assert applied.origin("f", 40) == 4
    assert applied.origin("f", 10) == 1


def test_files_made_changed_renamed_and_deleted() -> None:
    made = (b"diff --git a/n.c b/n.c\nnew file mode 100644\n--- /dev/null\n+++ b/n.c\n"
            b"@@ -0,0 +1,3 @@\n+top\n+a\n+end\n")
    moved = (b"diff --git a/n.c b/m.c\nsimilarity index 90%\nrename from n.c\nrename to m.c\n"
             + patch("b", "c", "n.c").partition(b"\n")[2].replace(b"b/n.c", b"b/m.c"))
    series = read_series([mail(1, made), mail(2, patch("a", "b", "n.c")), mail(3, moved)])
    applied = apply_series(series)
    assert applied.problems == []
    assert applied.text("m.c") == "top\nc\nend\n"
    assert applied.files["n.c"] is None
    assert applied.created["m.c"] == 1
    assert [applied.origin("m.c", n) for n in (1, 2, 3)] == [1, 3, 1]
    again = apply_series(read_series([mail(1, made), mail(2, made)]))
    assert [p.kind for p in again.problems] == ["already"]


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "a/../../x", ".git/config",
                                  "a//b", "./a", "."])
def test_unsafe_paths_are_refused(path: str, tmp_path: Path) -> None:
    body = (f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n"
            "@@ -0,0 +1 @@\n+x\n").encode()
    applied = apply_series(read_series(HEAD.encode() + body))
    assert [p.kind for p in applied.problems] == ["unsafe-path"]
    assert applied.files == {}
    change = (f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-root\n+x\n").encode()
    applied = apply_series(read_series(HEAD.encode() + change))
    assert [p.kind for p in applied.problems] == ["unsafe-path"]


def test_a_link_in_the_tree_is_not_followed_out_of_it(tmp_path: Path) -> None:
    from patchgen.tree import DirectoryBase

    (tmp_path / "secret").write_text("top\na\nend\n")
    root = tmp_path / "tree"
    root.mkdir()
    (root / "f").symlink_to("../secret")
    applied = apply_series(read_series(HEAD.encode() + patch("a", "b")), Tree(DirectoryBase(root)))
    assert [p.kind for p in applied.problems] == ["absent"]
    assert (tmp_path / "secret").read_text() == "top\na\nend\n"
