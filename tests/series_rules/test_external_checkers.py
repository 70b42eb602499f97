"""External checkers: run once, cached, trusted in nothing; missing ones are named skips."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from damages import BASE, BINDING, DRIVER, Mails, good_mails

from patchgen.checks.external import available, run_external
from patchgen.checks.external.model import External
from patchgen.checks.registry import examples
from patchgen.checks.review.results import collect_results
from patchgen.findings import Finding
from patchgen.mail import MailSeries, read_series
from patchgen.mail.apply import apply_series
from patchgen.mail.plain import patch_id, plain_patch
from patchgen.tree import Tree, open_base

TREES = Path(os.environ.get("PATCHGEN_KERNEL_TREES", "/nowhere"))
KERNEL = next((t for t in (TREES / "linux-source-6.12", TREES / "linux-source-6.1")
               if (t / "scripts/checkpatch.pl").is_file()), None)
needs_perl = pytest.mark.skipif(shutil.which("perl") is None, reason="perl is not installed")
needs_kernel = pytest.mark.skipif(
    KERNEL is None or shutil.which("perl") is None,
    reason="needs perl and a kernel source in PATCHGEN_KERNEL_TREES")

FAKE = r"""#!/usr/bin/perl
my $V = '9.9';
open(my $log, '>>', $ENV{FAKE_LOG}); print $log join(' ', @ARGV), "\n"; close $log;
foreach my $file (grep { !/^--/ } @ARGV) {
  FAKE_BODY
  if ($file =~ /sentinel/) { print "$file:15: ERROR:TRAILING_WHITESPACE: trailing whitespace\n"; }
}
exit 1;
"""


def run(series: MailSeries, tree: Tree | None, *wanted: str) -> External:
    applied = apply_series(series, tree)
    results = collect_results(applied, tree)
    return run_external(series, results.after, tree, results.whole, results.lines, wanted)


@pytest.fixture
def fake_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tree = tmp_path / "tree"
    shutil.copytree(BASE, tree)
    (tree / "scripts").mkdir()
    monkeypatch.setenv("FAKE_LOG", str(tmp_path / "log"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tree


def script(tree: Path, body: str) -> None:
    (tree / "scripts/checkpatch.pl").write_text(FAKE.replace("FAKE_BODY", body))


def calls(tree: Path) -> list[str]:
    log = tree.parent / "log"
    return log.read_text().splitlines() if log.exists() else []


@needs_perl
def test_checkpatch_runs_once_and_is_cached_by_patch(fake_tree: Path) -> None:
    script(fake_tree, 'print "$file:9: WARNING:SOME_TYPE: something\\n" unless $file =~ /sent/;')
    tree = Tree(open_base(str(fake_tree)))
    series = read_series(good_mails())
    first = run(series, tree, "checkpatch")
    assert len(first.findings) == 3
    assert len(calls(fake_tree)) == 1
    assert "--mailback" not in calls(fake_tree)[0]
    again = run(series, tree, "checkpatch")
    assert again.findings == first.findings
    assert len(calls(fake_tree)) == 1
    changed = Mails()
    changed.sub(DRIVER, "+\treturn done;", "+\treturn done ? done : 0;")
    run(read_series(changed.mails), tree, "checkpatch")
    assert len(calls(fake_tree)) == 2
    assert calls(fake_tree)[1].count(".patch") == 2  # the changed one and the sentinel
    script(fake_tree, 'print "";')
    assert run(series, tree, "checkpatch").findings == []  # another version of the tool


@needs_perl
def test_unknown_lines_and_an_early_end_are_findings(fake_tree: Path) -> None:
    script(fake_tree, 'print "what is this\\n"; exit 0;')
    found = run(read_series(good_mails()), Tree(open_base(str(fake_tree))), "checkpatch").findings
    assert ["UNKNOWN_LINE" in f.message for f in found] == [True, True]
    assert "what is this" in found[0].message
    assert "ended before the last patch" in found[1].message


@needs_perl
def test_places_lead_to_the_file(fake_tree: Path) -> None:
    series = read_series(good_mails())
    plain = plain_patch(series.patches[1])
    at = plain.lines.index("+\treturn done;") + 1
    script(fake_tree, f'print "$file:{at}: ERROR:T: x\\n" if $file =~ /00002/;')
    (found,) = run(series, Tree(open_base(str(fake_tree))), "checkpatch").findings
    code = [line[1:] for line in plain.lines if line.startswith("+")]
    start = code.index("// SPDX-License-Identifier: GPL-2.0-only")
    assert (found.file, found.line) == (
        "drivers/char/hw_random/acme-rng.c", code.index("\treturn done;") - start + 1)
    assert found.severity == "error"


def answered(kind: str, text: str, fake_tree: Path, mails: list[bytes]) -> list[Finding]:
    script(fake_tree, f'print "$file:9: ERROR:{kind}: {text}\\n" if $file =~ /00001/;')
    return run(read_series(mails), Tree(open_base(str(fake_tree))), "checkpatch").findings


@needs_perl
def test_the_series_answers_what_one_patch_cannot(fake_tree: Path) -> None:
    mails = good_mails()
    assert answered("FILE_PATH_CHANGES", "MAINTAINERS?", fake_tree, mails) == []
    assert len(answered("FILE_PATH_CHANGES", "MAINTAINERS?", fake_tree, mails[:3])) == 1
    text = 'DT compatible string \\"acme,a100-rng\\" appears un-documented'
    assert answered("UNDOCUMENTED_DT_STRING", text, fake_tree, mails) == []
    (note,) = answered("UNKNOWN_COMMIT_ID", "0123", fake_tree, mails)
    assert note.severity == "note"
    assert "unverified" in note.message


def test_missing_checkers_are_named_skips(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = run(read_series(good_mails()), Tree(open_base(str(BASE))),
                 "checkpatch", "sparse", "smatch", "coccinelle")
    assert {s.check for s in result.skips} == {"checkpatch", "sparse", "smatch", "coccinelle"}
    assert result.findings == []
    assert result.ran == []
    assert [here for _, here, _ in available()] == [False] * 4


def fake_program(folder: Path, name: str, body: str) -> None:
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\n[ \"$1\" = --version ] && echo '{name} 1' && exit 0\n{body}\n")
    program.chmod(0o755)


@pytest.fixture
def configured(fake_tree: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """A tree that looks configured in place, and an own folder for programs."""
    (fake_tree / ".config").write_text(
        "#\n# Linux/arm64 6.12.0 Kernel Configuration\n#\nCONFIG_64BIT=y\n")
    (fake_tree / "include/generated").mkdir(parents=True)
    (fake_tree / "include/generated/autoconf.h").write_text("")
    for name in ("null/eno", "free/devm_free"):
        rule = fake_tree / f"scripts/coccinelle/{name}.cocci"
        rule.parent.mkdir(parents=True, exist_ok=True)
        rule.write_text("// a rule\n")
    monkeypatch.setenv("PATH", f"{fake_tree.parent / 'bin'}:{os.environ['PATH']}")
    return Tree(open_base(str(fake_tree)))


@pytest.mark.parametrize(("tool", "line", "message"), [
    ("sparse", "drivers/char/hw_random/acme-rng.c:30:5: warning: wrong type", "wrong type"),
    ("smatch", "drivers/char/hw_random/acme-rng.c:30 acme_rng_init() warn: leak", "leak"),
])
def test_compilers_lines_become_findings(
    configured: Tree, fake_tree: Path, tool: str, line: str, message: str
) -> None:
    fake_program(fake_tree.parent / "bin", tool,
                 f"echo \"$@\" >> $FAKE_LOG; echo '{line}'; "
                 "echo '/usr/include/x.h:1:1: warning: no'"
                 "; echo 'Segmentation fault'")
    result = run(read_series(good_mails()), configured, tool)
    messages = [f.message for f in result.findings]
    assert any(m.endswith(message) for m in messages)
    assert "unknown output: Segmentation fault" in messages
    assert len(messages) == 2  # the system header's line is not of this series
    assert result.ran == [(tool, f"{tool} 1")]
    assert "-D__aarch64__" in calls(fake_tree)[0]
    assert run(read_series(good_mails()), configured, tool).findings == result.findings
    assert len(calls(fake_tree)) == 1


def test_coccinelle_lines_become_findings(configured: Tree, fake_tree: Path) -> None:
    fake_program(fake_tree.parent / "bin", "spatch",
                 "echo \"$@\" >> $FAKE_LOG; "
                 "echo 'drivers/char/hw_random/acme-rng.c:30:5-9: ERROR: bad'"
                 "; echo 'odd'")
    result = run(read_series(good_mails()), configured, "coccinelle")
    assert sorted(f.message for f in result.findings) == [
        "devm_free: ERROR: bad", "devm_free: odd", "eno: ERROR: bad", "eno: odd"]
    assert {(f.line, f.column) for f in result.findings if f.file} == {(30, 6)}
    assert len(calls(fake_tree)) == 2


def test_an_unconfigured_tree_is_a_named_skip() -> None:
    if shutil.which("sparse") is None:
        pytest.skip("sparse is not installed")
    result = run(read_series(good_mails()), Tree(open_base(str(BASE))), "sparse")
    assert "configured kernel" in result.skips[0].reason


def test_patch_id_sees_white_space_but_not_line_numbers() -> None:
    series = read_series(good_mails())
    moved, spaced = Mails(), Mails()
    moved.sub(DRIVER, "@@ -6,6 +6,16 @@", "@@ -9,6 +9,16 @@")
    spaced.sub(DRIVER, "+\treturn done;", "+\treturn done; ")
    ids = [patch_id(read_series(m).patches[1]) for m in (good_mails(), moved.mails, spaced.mails)]
    assert ids[0] == ids[1] != ids[2]
    assert patch_id(series.patches[BINDING - 1]) != ids[0]


@needs_kernel
def test_the_real_checkpatch_reads_our_plain_patches() -> None:
    tree = Tree(open_base(str(KERNEL)))
    bad = run(read_series(examples("checkpatch", "bad")[0]), tree, "checkpatch")
    assert {re.split(":", f.message)[0] for f in bad.findings} >= {"TRAILING_STATEMENTS"}
    assert all(f.file == "drivers/misc/lamp.c" and f.line == 22 for f in bad.findings)
    good = run(read_series(examples("checkpatch", "good")[0]), tree, "checkpatch")
    assert good.findings == []
    assert good.ran[0][0] == "checkpatch.pl"


@needs_kernel
@pytest.mark.skipif(shutil.which("spatch") is None, reason="coccinelle is not installed")
@pytest.mark.kernel
def test_the_real_coccinelle_finds_its_example() -> None:
    for kind, wanted in (("bad", {"devm_free"}), ("good", set())):
        code = examples("coccinelle", kind)[0].read_text()  # type: ignore[arg-type]
        added = "".join(f"+{line}\n" for line in code.splitlines())
        patch = ("From: A B <a@b.cd>\nSubject: [PATCH] x: y\n\nText.\n\n---\ndiff --git a/x.c "
                 f"b/x.c\nnew file mode 100644\n--- /dev/null\n+++ b/x.c\n@@ -0,0 "
                 f"+1,{code.count(chr(10))} @@\n{added}")
        found = run(read_series(patch.encode()), Tree(open_base(str(KERNEL))), "coccinelle")
        assert {f.message.partition(":")[0] for f in found.findings} == wanted
