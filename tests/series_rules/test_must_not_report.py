"""What must not be reported: as binding as the catches (review-cases, last list)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from damages import BASE, BINDING, COVER, DRIVER, OWNERS, SIGN, Mails, good_mails

from patchgen.checks.series import check_series
from patchgen.findings import Finding
from patchgen.mail import read_series
from patchgen.tree import Tree, open_base


def objections(mails: list[bytes], tree: str | None = str(BASE)) -> list[Finding]:
    """Errors and warnings: notes never are objections."""
    base = Tree(open_base(tree)) if tree else None
    found, _ = check_series(read_series(mails), tree=base)
    return [f for f in found if f.severity != "note"]


def harmless(name: str, mails: Mails) -> None:
    """Change the series in a way that nobody objects to."""
    m = mails
    if name == "no_mbox_line":
        m.mails = [x.partition(b"\n")[2] for x in m.mails]
    elif name == "prose_names_a_commit":
        m.sub(DRIVER, "Partial words", "This follows what upstream commit 0123456789ab does for\n"
              "another generator, and commit 89abcdef01234567 before it.\n\nPartial words")
    elif name == "stored_with_crlf":
        m.mails = [x.replace(b"\n", b"\r\n") for x in m.mails]
    elif name == "review_tags_after_signoff":
        m.sub(DRIVER, SIGN, SIGN + "Reviewed-by: John Roe <john@example.net>\n"
              "Tested-by: Ann Oe <ann@example.net> # A100 board\n"
              "Cc: stable@vger.kernel.org # 6.1+\n")
    elif name == "maintainer_signoff_and_note":
        m.sub(DRIVER, SIGN, SIGN + "[john: wrapped a line]\n"
              "Signed-off-by: John Roe <john@example.net>\n")
    elif name == "co_developed":
        m.sub(DRIVER, SIGN, "Co-developed-by: John Roe <john@example.net>\n"
              "Signed-off-by: John Roe <john@example.net>\n" + SIGN)
    elif name == "fixes_in_full":
        m.sub(DRIVER, SIGN, 'Fixes: 0123456789ab ("hwrng: core - a \\"b\\" (subject)")\n' + SIGN)
    elif name == "reported_with_closes":
        m.sub(DRIVER, SIGN, "Reported-by: John Roe <john@example.net>\n"
              "Closes: https://lore.kernel.org/r/1@example.net\n" + SIGN)
    elif name == "sent_unthreaded_yet":
        for number in range(4):
            m.regex(number, r"^Message-Id: .*\n", "")
        for number in (BINDING, DRIVER, OWNERS):
            m.regex(number, r"^(?:In-Reply-To|References): .*\n", "", 2)
    elif name == "deep_thread":
        ids = [re.search(rb"^Message-Id: (.*)$", x, re.MULTILINE)[1].decode()  # type: ignore[index]
               for x in m.mails]
        for number in (DRIVER, OWNERS):
            m.regex(number, r"^In-Reply-To: .*$", f"In-Reply-To: {ids[number - 1]}")
            m.regex(number, r"^References: .*$", f"References: {ids[0]} {ids[number - 1]}")
    elif name == "umlauts_in_eight_bit":
        for number in range(4):
            m.mails[number] = m.mails[number].replace(b"Jane Doe", "Jäne Döe".encode())
    elif name == "umlauts_quoted_printable":
        m.mails = [x.replace(b"Jane Doe", "Jäne Döe".encode()) for x in m.mails]
        m.encode(DRIVER, "quoted-printable")
    elif name == "changelog_below_each_cut":
        m.regex(COVER, r"^Changes in v2:\n(?:- .*\n)+", "")
        for number in (BINDING, DRIVER, OWNERS):
            m.sub(number, "---\n", "---\nv2: no changes\n\n")
    elif name == "table_in_message":
        m.sub(DRIVER, "Partial words", "  size       words a second      failed blocks      "
              "remarks of the tester\n  1 KiB      2500000             0                  "
              "none\n\nPartial words")
    elif name == "url_longer_than_a_line":
        m.sub(DRIVER, "Partial words", "[1] https://www.example.org/products/a100/documentation/"
              "reference-manual-chapter-17.html\n\nPartial words")
    elif name == "reply_with_review":
        m.mails.append(b"From: John Roe <john@example.net>\nTo: Jane Doe <jane@example.org>\n"
                       b"Subject: Re: [PATCH v2 2/3] hwrng: acme - add driver\nDate: x\n"
                       b"Message-ID: <r1@example.net>\nIn-Reply-To: <cover@x>\n\n"
                       b"> +int x;\n\nReviewed-by: John Roe <john@example.net>\n")
    elif name == "same_mail_from_two_lists":
        m.mails.insert(2, m.mails[BINDING])
    elif name == "older_version_in_the_box":
        old = [x.replace(b"PATCH v2", b"PATCH").replace(b"Message-Id: <", b"Message-Id: <old.")
               .replace(b"In-Reply-To: <", b"In-Reply-To: <old.")
               .replace(b"References: <", b"References: <old.") for x in m.mails]
        m.mails = old + m.mails
    elif name == "list_tag_in_subject":
        m.subjects(r"\[PATCH", "[linux-crypto] [PATCH")
    elif name == "mailing_list_footer":
        m.mails[DRIVER] += b"\n________________________________________\nlinux mailing list\n"
    elif name == "base_in_words":
        m.regex(COVER, r"^base-commit: .*\n", "")
        m.sub(COVER, "This series adds", "The series applies to v6.12.\n\nThis series adds")
    elif name == "b4_cover":
        m.regex(COVER, r"^Jane Doe \(3\):", "---\nJane Doe (3):")
        m.mails[COVER] = re.sub(rb"^  (\S)", rb"      \1", m.mails[COVER], flags=re.MULTILINE)
    else:
        raise AssertionError(name)


HARMLESS = (
    "no_mbox_line", "prose_names_a_commit", "stored_with_crlf", "review_tags_after_signoff",
    "maintainer_signoff_and_note", "co_developed", "fixes_in_full", "reported_with_closes",
    "sent_unthreaded_yet", "deep_thread", "umlauts_in_eight_bit", "umlauts_quoted_printable",
    "changelog_below_each_cut", "table_in_message", "url_longer_than_a_line",
    "reply_with_review", "same_mail_from_two_lists", "older_version_in_the_box",
    "list_tag_in_subject", "mailing_list_footer", "base_in_words", "b4_cover",
)


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_change_is_not_reported(name: str) -> None:
    mails = Mails()
    harmless(name, mails)
    assert mails.mails != good_mails()
    assert objections(mails.mails) == []


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), "-c", "user.name=T", "-c", "user.email=t@example.org",
         "-c", "commit.gpgSign=false", *words], check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """A git tree: the base of the series, one commit."""
    repository = tmp_path / "linux"
    repository.mkdir()
    git(repository, "init", "-q", "-b", "main")
    for source in BASE.rglob("*"):
        if source.is_file():
            target = repository / source.relative_to(BASE)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "hwrng: core - a subject")
    return repository


def test_fixes_beyond_a_shallow_history_is_unverified(history: Path) -> None:
    mails = Mails()
    mails.sub(DRIVER, SIGN, 'Fixes: 0123456789ab ("hwrng: core - a subject")\n' + SIGN)
    head = git(history, "rev-parse", "HEAD").strip()
    mails.regex(COVER, r"^base-commit: .*$", f"base-commit: {head}")
    tree = Tree(open_base(f"{history}@main"))
    found, _ = check_series(read_series(mails.mails), tree=tree)
    mine = [f for f in found if f.check == "fixes-commit"]
    assert [f.severity for f in mine] == ["note"]
    assert "unverified" in mine[0].message
    assert [f for f in found if f.severity != "note"] == []


def test_fixes_with_another_subject_is_an_error(history: Path) -> None:
    head = git(history, "rev-parse", "HEAD").strip()
    mails = Mails()
    mails.sub(DRIVER, SIGN, f'Fixes: {head[:12]} ("hwrng: core - another")\n' + SIGN)
    mails.regex(COVER, r"^base-commit: .*$", f"base-commit: {head}")
    tree = Tree(open_base(f"{history}@main"))
    found, _ = check_series(read_series(mails.mails), tree=tree)
    assert [f.check for f in found if f.severity == "error"] == ["fixes-commit"]


def test_unknown_base_commit_is_an_error(history: Path) -> None:
    mails = Mails()
    mails.regex(COVER, r"^base-commit: .*$", "base-commit: " + "0123456789" * 4)
    found, _ = check_series(read_series(mails.mails), tree=Tree(open_base(f"{history}@main")))
    assert "base-commit" in {f.check for f in found if f.severity == "error"}


def test_base_commit_on_no_branch_is_reported(history: Path) -> None:
    git(history, "checkout", "-q", "--detach")
    (history / "more").write_text("x\n")
    git(history, "add", "more")
    git(history, "commit", "-q", "-m", "stray")
    stray = git(history, "rev-parse", "HEAD").strip()
    git(history, "checkout", "-q", "main")
    mails = Mails()
    mails.regex(COVER, r"^base-commit: .*$", f"base-commit: {stray}")
    found, _ = check_series(read_series(mails.mails), tree=Tree(open_base(f"{history}@main")))
    assert [f.message.split()[0] for f in found if f.check == "base-commit"] == ["no"]


def test_fixes_without_a_history_is_a_named_skip() -> None:
    mails = Mails()
    mails.sub(DRIVER, SIGN, 'Fixes: 0123456789ab ("hwrng: core - a subject")\n' + SIGN)
    found, skips = check_series(read_series(mails.mails), tree=Tree(open_base(str(BASE))))
    assert found == []
    assert [s.check for s in skips] == ["fixes-commit"]
    assert "unverified" in skips[0].reason


def test_maintainers_entry_in_a_later_patch_counts() -> None:
    found, _ = check_series(read_series(good_mails()), tree=None)
    assert not [f for f in found if f.check == "maintainers-missing"]


def test_growing_lines_are_no_repair() -> None:
    """A Makefile line that gets one more object, an array that gets one more entry."""
    mails = Mails()
    lines = "obj-$(CONFIG_HW_RANDOM_ACME) += acme-rng.o"
    hunk = (f"@@ -6,5 +6,5 @@\n obj-$(CONFIG_HW_RANDOM) += rng-core.o\n rng-core-y := core.o\n"
            f"-{lines}\n+{lines} acme-extra.o\n obj-$(CONFIG_HW_RANDOM_ALPHA) += alpha-rng.o\n"
            " obj-$(CONFIG_HW_RANDOM_OMEGA) += omega-rng.o\n")
    path = "drivers/char/hw_random/Makefile"
    new = "drivers/char/hw_random/acme-extra.c"
    code = "// SPDX-License-Identifier: GPL-2.0-only\n#include <linux/types.h>\n"
    added = "".join(f"+{line}\n" for line in code.splitlines())
    head = mails.mails[OWNERS][: mails.mails[OWNERS].index(b"\n\n")].decode()
    head = re.sub(r"Subject: .*\n .*", "Subject: [PATCH v2 4/4] hwrng: acme - add extras", head)
    body = (f"{head.replace('Message-Id: <', 'Message-Id: <4.')}\n\nMore of it.\n\n{SIGN}---\n\n"
            f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n{hunk}"
            f"diff --git a/{new} b/{new}\nnew file mode 100644\n--- /dev/null\n+++ b/{new}\n"
            f"@@ -0,0 +1,2 @@\n{added}-- \n2.39.5\n")
    mails.subjects("/3", "/4")
    mails.mails.append(body.encode())
    found = objections(mails.mails)
    assert "self-repair" not in {f.check for f in found}, found
