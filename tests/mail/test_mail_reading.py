"""Reading: everything that travels on mailing lists ends up as the same series."""

from __future__ import annotations

import base64
import gzip
import re
from pathlib import Path

import pytest

from patchgen.errors import InputError
from patchgen.mail import MailSeries, read_series
from patchgen.mail.message import parse_patch

GOOD = Path(__file__).resolve().parents[1] / "series_rules" / "data" / "good"
TITLES = (
    "dt-bindings: rng: add ACME A100 random number generator",
    "hwrng: acme - add driver for the ACME A100 generator",
    "MAINTAINERS: add an entry for the ACME random number generator",
)


def mails() -> list[bytes]:
    return [p.read_bytes() for p in sorted(GOOD.glob("*.patch"))]


def check_good(series: MailSeries) -> None:
    """The series is whole, in order, and nothing got lost on the way."""
    assert series.cover is not None
    assert series.cover.subject.title == "hwrng: add a driver for the ACME A100"
    assert tuple(p.subject.title for p in series.patches) == TITLES
    assert [p.number for p in series.patches] == [1, 2, 3]
    assert series.version == 2
    assert series.missing == ()
    assert [len(p.changes) for p in series.patches] == [1, 3, 1]
    assert sum(c.counts[0] for p in series.patches for c in p.changes) == 174
    assert all(not p.damages for p in series.patches)
    assert all(p.trailers[-1].text == "Signed-off-by: Jane Doe <jane@example.org>"
               for p in series.patches)


def mbox(items: list[bytes], *, quoted: bool = False) -> bytes:
    found = b""
    for item in items:
        line, _, rest = item.partition(b"\n")
        assert line.startswith(b"From ")
        if quoted:
            rest = re.sub(rb"^(>*From )", rb">\1", rest, flags=re.MULTILINE)
        found += line + b"\n" + rest + b"\n"
    return found


def test_bytes_in_any_order() -> None:
    check_good(read_series(list(reversed(mails()))))


def test_folder(tmp_path: Path) -> None:
    check_good(read_series(GOOD))
    (tmp_path / "notes.txt").write_text("nothing of interest\n")
    for number, data in enumerate(mails()):
        (tmp_path / f"{number}.eml").write_bytes(data)
    check_good(read_series(tmp_path))


def test_mbox_mboxrd_and_b4(tmp_path: Path) -> None:
    (tmp_path / "a.mbox").write_bytes(mbox(mails()))
    check_good(read_series(tmp_path / "a.mbox"))
    (tmp_path / "b.mbx").write_bytes(b"".join(
        b"From git@z Thu Jan  1 00:00:00 1970\n" + m.partition(b"\n")[2] + b"\n" for m in mails()))
    check_good(read_series(tmp_path / "b.mbx"))


def test_escaped_from_lines_come_back() -> None:
    text = mails()
    text[2] = text[2].replace(b"Partial words", b"From here on the text is odd.\n\nPartial words")
    series = read_series(mbox(text, quoted=True))
    check_good(series)
    assert "From here on the text is odd." in series.patches[1].message


def test_a_sentence_with_from_splits_nothing() -> None:
    text = mails()
    text[2] = text[2].replace(b"Partial words", b"From 2 to 3 words at 10:30 are lost.\n\nPartial")
    check_good(read_series(mbox(text)))


def test_maildir(tmp_path: Path) -> None:
    for folder in ("cur", "new", "tmp"):
        (tmp_path / folder).mkdir()
    for number, data in enumerate(mails()):
        folder = "new" if number % 2 else "cur"
        (tmp_path / folder / f"17.{number}.host:2,S").write_bytes(data.partition(b"\n")[2])
    (tmp_path / "tmp" / "18.x").write_bytes(b"half a mail")
    check_good(read_series(tmp_path))


def test_gzip_and_stream(tmp_path: Path) -> None:
    (tmp_path / "t.mbox.gz").write_bytes(gzip.compress(mbox(mails())))
    check_good(read_series(tmp_path / "t.mbox.gz"))
    (tmp_path / "t.mbox").write_bytes(mbox(mails()))
    with (tmp_path / "t.mbox").open("rb") as stream:
        check_good(read_series(stream))


def test_list_headers_in_front() -> None:
    head = b"Received: by 2002:a17:90a; Mon, 2 Mar 2026 02:00:00 -0800\n\t(PST)\nPrecedence: bulk\n"
    check_good(read_series([head + m.partition(b"\n")[2] for m in mails()]))


@pytest.mark.parametrize("form", ["[PATCH v2,{}/3]", "[PATCHv2 {}/3]", "[PATCH V2 {}/3]",
                                  "[v2,{}/3]", "[PATCH v2: {}/3]", "[crypto] [PATCH v2 {}/3]",
                                  "[PATCH {}/3 v2]", "[PATCH v2 {} of 3]"])
def test_forms_of_subjects(form: str) -> None:
    changed = [re.sub(rb"\[PATCH v2 \d/3\]", form.format(n).encode(), m, count=1)
               for n, m in enumerate(mails())]
    check_good(read_series(changed))


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64"])
def test_transfer_encodings(encoding: str) -> None:
    import quopri

    changed = []
    for mail in mails():
        head, _, body = mail.partition(b"\n\n")
        coded = quopri.encodestring(body) if encoding[0] == "q" else base64.encodebytes(body)
        changed.append(head + b"\nContent-Type: text/plain; charset=utf-8\n"
                       b"Content-Transfer-Encoding: " + encoding.encode() + b"\n\n" + coded)
    check_good(read_series(changed))


def test_format_flowed_is_undone() -> None:
    head, _, body = mails()[2].partition(b"\n\n")
    stuffed = re.sub(rb"^([ >]|From )", rb" \1", body, flags=re.MULTILINE)
    mail = parse_patch(head + b"\nContent-Type: text/plain; format=flowed\n\n" + stuffed)
    assert [[h.lines for h in c.hunks] for c in mail.changes] == [
        [h.lines for h in c.hunks] for c in parse_patch(mails()[2]).changes]
    assert mail.transport.flowed


@pytest.mark.parametrize(("charset", "name"), [
    ("iso-8859-1", "Jürgen Müller"), ("utf-8", "Łukasz Żółw"), ("koi8-r", "Иван Петров"),
    ("shift_jis", "山田 太郎"), ("gb18030", "王 小明"), ("windows-1252", "Zoë “Z” Œuvre"),
])
def test_charsets(charset: str, name: str) -> None:
    from email.header import Header

    head, _, body = mails()[2].partition(b"\n\n")
    head = re.sub(rb"^From: .*$", b"From: " + Header(name, charset).encode().encode()
                  + b" <j@example.org>", head, flags=re.MULTILINE)
    body = body.replace(b"Jane Doe <jane", name.encode(charset) + b" <j").replace(
        b"Partial words", "Größe é ".encode(charset, "ignore") + b"Partial words")
    mail = parse_patch(head + f"\nContent-Type: text/plain; charset={charset}\n\n".encode() + body)
    assert mail.author is not None
    assert mail.author.name == name
    assert mail.trailers[0].address is not None
    assert mail.trailers[0].address.name == name


def test_unknown_charset_and_bad_bytes_are_no_error() -> None:
    head, _, body = mails()[2].partition(b"\n\n")
    bad = body.replace(b"Partial", b"P\xe4rtial")
    for charset in (b"x-made-up", b"utf-8", b"rot13", b"punycode"):
        mail = parse_patch(head + b"\nContent-Type: text/plain; charset=" + charset + b"\n\n" + bad)
        assert [c.counts for c in mail.changes] == [(10, 0), (1, 0), (121, 0)]


def attached(kind: bytes, data: bytes) -> bytes:
    head, _, _ = mails()[2].partition(b"\n\n")
    return (head + b'\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n--b\n'
            b"Content-Type: text/plain\n\nsee below\n\n--b\nContent-Type: " + kind + b"\n"
            b'Content-Disposition: attachment; filename="x.patch"\n'
            b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(data) + b"\n--b--\n")


@pytest.mark.parametrize("kind", [b"text/x-patch", b"application/octet-stream", b"text/plain"])
def test_attachments(kind: bytes) -> None:
    whole = parse_patch(attached(kind, mails()[2]))
    assert whole.subject.title == TITLES[1]
    assert [c.counts for c in whole.changes] == [(10, 0), (1, 0), (121, 0)]
    assert whole.transport.attachment is not None
    bare = parse_patch(attached(kind, mails()[2][mails()[2].index(b"diff --git"):]))
    assert [c.counts for c in bare.changes] == [(10, 0), (1, 0), (121, 0)]
    assert bare.message[0] == "see below"


def test_cover_letter_alone() -> None:
    series = read_series(mails()[:1])
    assert series.cover is not None
    assert series.patches == ()
    assert series.missing == (1, 2, 3)


def test_a_bare_diff() -> None:
    series = read_series(mails()[3][mails()[3].index(b"--- a/MAINTAINERS"):])
    assert [c.path for c in series.patches[0].changes] == ["MAINTAINERS"]
    assert series.patches[0].author is None


def with_ids(prefix: bytes, version: bytes) -> list[bytes]:
    return [re.sub(rb"(<)(?=[\w.]+@example.org>$)", rb"\1" + prefix, m, flags=re.MULTILINE)
            .replace(b"[PATCH v2", b"[PATCH" + version) for m in mails()]


def test_newest_complete_version_is_taken() -> None:
    v3 = with_ids(b"v3.", b" v3")
    both = with_ids(b"v1.", b"") + mails() + v3[:2]
    series = read_series(both)
    check_good(series)
    assert series.versions == (1, 2, 3)
    assert read_series(both, version=1).version == 1
    newest = read_series(both, version=3)
    assert newest.missing == (2, 3)
    with pytest.raises(InputError, match=r"no version 7 .*there is v1, v2, v3"):
        read_series(both, version=7)


def test_replies_are_told_from_patches() -> None:
    reply = (b"From: John Roe <john@example.net>\nSubject: Re: [PATCH v2 2/3] hwrng: acme - add\n"
             b"Message-ID: <r@example.net>\n\n> diff --git a/x b/x\n> --- a/x\n> +++ b/x\n\n"
             b"Looks fine.\n")
    series = read_series([*mails(), reply])
    check_good(series)
    assert [o.reason for o in series.others] == ["reply"]


def test_scissors() -> None:
    text = mails()[2]
    head, _, body = text.partition(b"\n\n")
    head = head.replace(b"Subject: [PATCH v2 2/3] ", b"Subject: Re: question about ")
    mail = (head + b"\n\nYes, like this?\n\n-- >8 --\nFrom: John Roe <john@example.net>\n"
            b"Subject: [PATCH] hwrng: acme - a better one\n\n" + body)
    series = read_series(mail)
    patch = series.patches[0]
    assert patch.subject.title == "hwrng: acme - a better one"
    assert str(patch.author) == "John Roe <john@example.net>"
    assert str(patch.sender) == "Jane Doe <jane@example.org>"
    assert patch.message[0].startswith("The generator of the A100 SoC")


def test_missing_and_duplicate_numbers() -> None:
    series = read_series([mails()[0], mails()[1], mails()[3]])
    assert series.missing == (2,)
    double = mails()[2].replace(b"Message-Id: <", b"Message-Id: <again.")
    series = read_series([*mails(), double])
    assert [o.reason for o in series.others] == ["duplicate"]


def test_two_series_in_one_box() -> None:
    other = [m.replace(b"ACME A100", b"ZETA Z9") for m in with_ids(b"zeta.", b"")]
    series = read_series([*mails(), *other])
    check_good(series)
    assert {o.reason for o in series.others} == {"other-series"}


def test_unnumbered_patches_of_a_folder(tmp_path: Path) -> None:
    for name, mail in zip(("310-a", "311-b", "312-c"), mails()[1:], strict=True):
        text = re.sub(rb"\[PATCH v2 \d/3\] ", b"", mail)
        text = re.sub(rb"^(?:Message-Id|In-Reply-To|References): .*\n", b"", text,
                      flags=re.MULTILINE)
        (tmp_path / f"{name}.patch").write_bytes(text)
    series = read_series(tmp_path)
    assert tuple(p.subject.title for p in series.patches) == TITLES
    assert [p.number for p in series.patches] == [1, 2, 3]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"hello\nworld\n", b"\x00\xff" * 50])
def test_nothing_to_read_is_one_clear_error(data: bytes) -> None:
    with pytest.raises(InputError, match="no patch and no cover letter"):
        read_series(data)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        read_series(tmp_path / "nowhere")
