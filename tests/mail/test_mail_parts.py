"""The small parts: subjects, addresses, trailers, MAINTAINERS."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchgen.mail.address import parse_address, parse_address_list
from patchgen.mail.diffscan import unquote
from patchgen.mail.maintainers import read_maintainers
from patchgen.mail.subject import parse_subject
from patchgen.mail.text import decode_diff, encode_diff, one_line, printable
from patchgen.mail.trailers import split_trailers

BASE = Path(__file__).resolve().parents[1] / "series_rules" / "data" / "base"
KERNEL = Path(os.environ.get("PATCHGEN_KERNEL_TREES", "/nowhere")) / "linux-source-6.12"


@pytest.mark.parametrize(("text", "title", "version", "number", "total"), [
    ("[PATCH] a: b", "a: b", None, None, None),
    ("[PATCH v2 03/12] a: b", "a: b", 2, 3, 12),
    ("[PATCH net-next v12 1/3] n: y", "n: y", 12, 1, 3),
    ("[RFC PATCH v3] q", "q", 3, None, None),
    ("[PATCH v2,1/3] q", "q", 2, 1, 3),
    ("[PATCHv2 1/3] q", "q", 2, 1, 3),
    ("[v5,0/3] q", "q", 5, 0, 3),
    ("[PATCH-v3 2/3] q", "q", 3, 2, 3),
    ("[PATCH 2 of 5] q", "q", None, 2, 5),
    ("[list] [PATCH 1/1] q [x]", "q [x]", None, 1, 1),
    ("dt-bindings: a: v2 of b", "dt-bindings: a: v2 of b", None, None, None),
    ("[PATCH v4.19 1/2] q", "q", 4, 1, 2),
])
def test_subjects(text: str, title: str, version: int | None, number: int | None,
                  total: int | None) -> None:
    subject = parse_subject(text)
    assert (subject.title, subject.version, subject.number, subject.total) == (
        title, version, number, total)


@pytest.mark.parametrize("text", ["Re: [PATCH] x", "AW: Re: [PATCH] x", "Fwd: [PATCH 1/2] x",
                                  "re[2]: [PATCH] x", "[list] Re: [PATCH] x"])
def test_replies(text: str) -> None:
    assert parse_subject(text).is_reply


@pytest.mark.parametrize(("value", "name", "mail", "rest"), [
    ("Jane Doe <j@x.org>", "Jane Doe", "j@x.org", ""),
    ('"Doe, Jane" <j@x.org>', "Doe, Jane", "j@x.org", ""),
    ("j@x.org", "", "j@x.org", ""),
    ("stable@vger.kernel.org # 6.1+", "", "stable@vger.kernel.org", "# 6.1+"),
    ("Jane <j@x.org> (maintainer)", "Jane", "j@x.org", "(maintainer)"),
])
def test_addresses(value: str, name: str, mail: str, rest: str) -> None:
    address = parse_address(value)
    assert address is not None
    assert (address.name, address.mail, address.rest) == (name, mail, rest)
    assert address.valid


def test_address_lists_keep_what_is_broken() -> None:
    found = parse_address_list(['"Doe, J" <j@x.org>, broken@, k@x.org (Kay), <l@x.org',
                                "undisclosed-recipients:;"])
    assert [(a.name, a.mail, a.valid) for a in found] == [
        ("Doe, J", "j@x.org", True), ("", "broken@", False), ("Kay", "k@x.org", True),
        ("", "<l@x.org", False)]


def test_names_compare_without_marks_and_list_mangling() -> None:
    pairs = [("José Núñez", "jose nunez"), ("'Jane Doe' via linux-crypto", "Jane Doe"),
             ('"Doe, Jane"', "Jane Doe"), ("J.  Doe", "j. doe")]
    for one, other in pairs:
        first, second = parse_address(f"{one} <a@b.cd>"), parse_address(f"{other} <A+x@B.cd>")
        assert first is not None
        assert second is not None
        assert first.name_key == second.name_key
        assert first.mail_key == second.mail_key


def trailers(text: str) -> tuple[list[str], list[str], int, int, bool]:
    body, block = split_trailers(text.split("\n"), 10)
    return (body, [t.text for t in block.trailers], len(block.gaps), len(block.strays), block.glued)


SIGN = "Signed-off-by: A B <a@b.cd>"


@pytest.mark.parametrize(("text", "expected"), [
    (f"Text.\n\n{SIGN}", (["Text."], [SIGN], 0, 0, False)),
    (f"Text.\n{SIGN}", (["Text."], [SIGN], 0, 0, True)),
    (f"Text.\n\nFixes: 12\n\n{SIGN}", (["Text."], ["Fixes: 12", SIGN], 1, 0, False)),
    (f"Text.\n\n{SIGN}\n[ab: changed\n more]\nCc: x@y.zz", (
        ["Text."], [SIGN, "Cc: x@y.zz"], 0, 0, False)),
    (f"Text.\n\n{SIGN}\n\nToo late.", (["Text."], [SIGN], 1, 1, False)),
    ('Text.\n\nFixes: 0123456789ab ("a\nb")\n' + SIGN, (
        ["Text."], ['Fixes: 0123456789ab ("a b")', SIGN], 0, 0, False)),
    ("Note: this is text\nwith a second line.", (
        ["Note: this is text", "with a second line."], [], 0, 0, False)),
    ("Text.\n\nTested on: nothing yet, sorry.", (
        ["Text.", "", "Tested on: nothing yet, sorry."], [], 0, 0, False)),
    ("", ([], [], 0, 0, False)),
])
def test_trailers(text: str, expected: tuple[list[str], list[str], int, int, bool]) -> None:
    assert trailers(text) == expected


def test_trailer_lines_are_mail_lines() -> None:
    _, block = split_trailers(["Text.", "", "Fixes: 1", SIGN], 10)
    assert [t.line for t in block.trailers] == [12, 13]
    assert block.first_line == 12


@given(st.binary(max_size=60))
def test_diffs_survive_decoding(data: bytes) -> None:
    assert encode_diff(decode_diff(data)) == data


@given(st.text(max_size=60))
def test_printable_text_has_no_control_characters(text: str) -> None:
    shown = printable(text)
    assert not [c for c in shown if (ord(c) < 32 and c not in "\t\n") or 127 <= ord(c) < 160]
    assert "\n" not in one_line(text)
    shown.encode("utf-8")


@pytest.mark.parametrize(("quoted", "name"), [
    ('"a/\\303\\274.c"', "a/\u00fc.c"), ('"a\\tb"', "a\tb"), ('"a\\"b\\\\"', 'a"b\\'),
    ("plain", "plain"), ('"', '"'), ('"\\377"', "\udcff"),
])
def test_c_quotes(quoted: str, name: str) -> None:
    assert unquote(quoted) == name


def test_maintainers_of_a_small_tree() -> None:
    known = read_maintainers((BASE / "MAINTAINERS").read_text())
    assert [s.title for s in known.sections if s.is_catch_all] == ["THE REST"]
    (core,) = known.sections_for(["drivers/char/hw_random/alpha-rng.c"])
    assert core.lists == {"linux-crypto@vger.kernel.org"}
    assert core.people == {"olivia@selenic.com", "herbert@gondor.apana.org.au"}
    both = known.sections_for(["Documentation/devicetree/bindings/rng/x.yaml"])
    assert [s.title.split()[0] for s in both] == ["HARDWARE", "OPEN"]
    assert known.sections_for(["lib/x.c"]) == ()


def test_patterns_of_maintainers() -> None:
    text = ("Maintainers List\n----\n\nA\nM:\tA <a@b.cd>\nF:\tdrivers/a/\nX:\tdrivers/a/not/\n"
            "N:\t[^a-z]sun6i\n\nB\nM:\tB <b@b.cd>\nF:\tdrivers/b/*\nF:\tdrivers/c/x*.c\n")
    known = read_maintainers(text)

    def titles(path: str) -> list[str]:
        return [s.title for s in known.sections_for([path])]

    assert titles("drivers/a/x/y.c") == ["A"]
    assert titles("drivers/a/not/y.c") == []
    assert titles("arch/arm/sun6i.c") == ["A"]
    assert titles("drivers/b/y.c") == ["B"]
    assert titles("drivers/b/z/y.c") == []
    assert titles("drivers/c/xy.c") == ["B"]


@pytest.mark.kernel
@pytest.mark.skipif(not (KERNEL / "MAINTAINERS").is_file() or shutil.which("perl") is None,
                    reason="needs perl and linux-source-6.12 in PATCHGEN_KERNEL_TREES")
@pytest.mark.parametrize("path", ["drivers/crypto/qce/core.c", "crypto/aes_generic.c",
                                  "arch/arm64/crypto/aes-ce.S", "mm/slub.c"])
def test_same_people_as_get_maintainer(path: str) -> None:
    done = subprocess.run(
        ["perl", "scripts/get_maintainer.pl", "--no-git", "--no-git-fallback", "--no-rolestats",
         "--no-keywords", "-f", path], cwd=KERNEL, capture_output=True, text=True, check=True)
    wanted = {line.rpartition("<")[2].rstrip(">").split()[0].lower()
              for line in done.stdout.splitlines()} - {"linux-kernel@vger.kernel.org"}
    known = read_maintainers((KERNEL / "MAINTAINERS").read_text())
    mine: set[str] = set()
    for section in known.sections_for([path]):
        mine |= section.people | section.lists
        mine |= {a.mail.lower() for v in section.values("R") if (a := parse_address(v))}
    assert mine == wanted
