"""From the bytes of one mail to its headers and one text (RFC 5322, 2045, 2047, 3676)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import policy
from email.errors import HeaderParseError, MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser

from patchgen.mail.model import Transport
from patchgen.mail.text import decode_diff, decode_text

_HEADER = re.compile(rb"[!-9;-~]{1,200}:(?:[ \t]|\r?\n[ \t]|\r?$)", re.MULTILINE)
_PATCH_TYPES = frozenset(
    {
        "text/x-patch",
        "text/x-diff",
        "application/x-patch",
        "application/x-diff",
        "application/octet-stream",
        "text/x-csrc",
    }
)
_PATCH_NAME = re.compile(r"\.(?:patch|diff|txt|eml)$", re.IGNORECASE)
_DIFF = re.compile(rb"^(?:diff --git |--- \S[^\n]*\n\+\+\+ |@@ -\d)", re.MULTILINE)
_SUBJECT_LINE = re.compile(
    rb"\s*(?P<subject>\[[^\]\n]{0,80}\d{1,4}/\d{1,4}[^\]\n]{0,20}\] [^\n]+)(?:\n|$)"
)
_MAX_DEPTH = 12


@dataclass(frozen=True, slots=True)
class RawMail:
    """Headers (decoded, unfolded, in order) and the text of a mail, line by line.

    ``lines`` keeps bytes that are not UTF-8 as surrogates; ``message_charset`` is what the
    commit message, but not the diff, has to be read in. ``body_line`` is the mail line
    (from 1) of ``lines[0]``.
    """

    headers: tuple[tuple[str, str], ...]
    lines: list[str]
    body_line: int
    transport: Transport

    def get(self, name: str) -> str | None:
        """The first header of a name, or None."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    def get_all(self, name: str) -> list[str]:
        """Every header of a name."""
        wanted = name.lower()
        return [value for key, value in self.headers if key.lower() == wanted]


@dataclass(slots=True)
class _Part:
    """The text chosen from the parts of a mail."""

    data: bytes
    charset: str | None
    encoding: str
    attachment: str | None = None
    flowed: bool = False
    delsp: bool = False


def has_headers(data: bytes) -> bool:
    """Whether the bytes begin with a mail header (after an optional ``From `` line)."""
    if data.startswith((b"From ", b">From ")):
        data = data.partition(b"\n")[2]
    match = _HEADER.match(data)
    return match is not None and not data.startswith((b"Index:", b"diff:", b"http:", b"https:"))


def parse_mail(data: bytes) -> RawMail:
    """Headers and text of one mail; a bare diff is a mail without headers. Never raises."""
    if not has_headers(data):
        return _without_headers(data)
    if data.startswith((b"From ", b">From ")):
        first, data = 2, data.partition(b"\n")[2]
    else:
        first = 1
    try:
        message = BytesParser(policy=policy.compat32).parsebytes(data)
        headers = tuple((key, decode_words(str(value))) for key, value in message.raw_items())
        parts = list(_text_parts(message))
        html = _has_html(message)
    except (MessageError, ValueError, LookupError, TypeError, RecursionError, AssertionError):
        return _without_headers(data)
    head_end = re.search(rb"\r?\n\r?\n", data)
    body_line = first + (data.count(b"\n", 0, head_end.end()) if head_end else 0)
    part = _join(parts)
    return _finish(headers, part, body_line, html, data[: head_end.start() if head_end else 0])


def _without_headers(data: bytes) -> RawMail:
    """Text without headers: a bare diff, or one that starts with its subject, as copied."""
    match = _SUBJECT_LINE.match(data)
    if match is None:
        return _finish((), _Part(data, None, "none"), 1, False, b"")
    rest = data[match.end() :]
    subject = decode_text(match["subject"], "utf-8")[0]
    return _finish((("Subject", subject),), _Part(rest, None, "none"),
                   1 + data.count(b"\n", 0, match.end()), False, b"")


def decode_words(value: str) -> str:
    """A header value unfolded, its encoded words (RFC 2047) decoded."""
    text = re.sub(r"\r?\n[ \t]+", " ", value).replace("\r", "").replace("\n", " ")
    if "=?" not in text:
        return _repair(text)
    try:
        pieces = decode_header(text)
    except (HeaderParseError, ValueError, TypeError):
        return _repair(text)
    return "".join(
        piece if isinstance(piece, str) else decode_text(piece, charset)[0]
        for piece, charset in pieces
    )


def _repair(text: str) -> str:
    """Raw 8-bit header bytes, which email keeps as surrogates: UTF-8, else Latin-1."""
    if text.isascii():
        return text
    raw = text.encode("utf-8", "surrogateescape")
    decoded, fits = decode_text(raw, "utf-8")
    return decoded if fits else raw.decode("latin-1")


def _text_parts(message: Message, depth: int = 0) -> list[_Part]:
    """Every part that may hold the patch, in order."""
    if depth > _MAX_DEPTH:
        return []
    if message.is_multipart():
        inner = [p for p in message.get_payload() if isinstance(p, Message)]
        if message.get_content_type() == "multipart/alternative":
            plain = [p for p in inner if p.get_content_type() == "text/plain"]
            inner = plain[:1] or inner[:1]
        return [part for p in inner for part in _text_parts(p, depth + 1)]
    kind = message.get_content_type()
    name = message.get_filename()
    name = decode_words(name) if name else None
    if kind.startswith("text/") and kind != "text/html":
        wanted = True
    else:
        wanted = kind in _PATCH_TYPES and bool(name and _PATCH_NAME.search(name))
    if not wanted and not (depth == 0 and kind != "text/html"):
        return []
    payload = message.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    encoding = str(message.get("Content-Transfer-Encoding", "7bit")).strip().lower()
    disposition = str(message.get("Content-Disposition", "")).strip().lower()
    attached = disposition.startswith("attachment") or kind in _PATCH_TYPES
    charset = message.get_content_charset()
    return [
        _Part(
            data,
            charset,
            encoding,
            attachment=(name or kind) if attached and depth > 0 else None,
            flowed=str(message.get_param("format", "")).lower() == "flowed",
            delsp=str(message.get_param("delsp", "")).lower() == "yes",
        )
    ]


def _has_html(message: Message) -> bool:
    return any(part.get_content_type() == "text/html" for part in message.walk())


def _join(parts: list[_Part]) -> _Part:
    """The inline text, and the first attachment that is a patch when the text holds none."""
    if not parts:
        return _Part(b"", None, "7bit")
    texts = [p for p in parts if p.attachment is None]
    with_diff = next((p for p in texts if _DIFF.search(p.data)), None)
    if with_diff is not None:
        return with_diff
    attached = [p for p in parts if p.attachment is not None and _DIFF.search(p.data)]
    if attached:
        text = texts[0] if texts else _Part(b"", None, "7bit")
        patch = attached[0]
        if has_headers(patch.data):
            return patch
        glue = b"" if not text.data or text.data.endswith(b"\n") else b"\n"
        return _Part(
            text.data + glue + patch.data,
            text.charset or patch.charset,
            patch.encoding,
            patch.attachment,
        )
    return texts[0] if texts else parts[0]


def _finish(
    headers: tuple[tuple[str, str], ...], part: _Part, body_line: int, html: bool, head: bytes
) -> RawMail:
    data = part.data
    if part.attachment is not None and has_headers(data):
        inner = parse_mail(data)
        names = {key.lower() for key, _ in inner.headers}
        headers = tuple(h for h in headers if h[0].lower() not in names) + inner.headers
        return RawMail(
            headers,
            inner.lines,
            inner.body_line,
            Transport(part.encoding, part.charset, attachment=part.attachment),
        )
    ascii_only = data.isascii()
    charset_fits = ascii_only or decode_text(data, part.charset or "utf-8")[1]
    crlf = _crlf_lines(data, body_line)
    encoded = part.encoding in ("base64", "quoted-printable")
    wire = b"\r\n" in head and not encoded and data.count(b"\r\n") >= data.count(b"\n")
    text = decode_diff(data.replace(b"\r\n", b"\n"))
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if part.flowed:
        lines = _unflow(lines, part.delsp)
    longest = max(map(len, lines), default=0)
    return RawMail(
        headers,
        lines,
        body_line,
        Transport(
            part.encoding,
            part.charset,
            charset_fits,
            () if wire else crlf,
            wire,
            part.flowed,
            html,
            part.attachment,
            ascii_only,
            longest,
        ),
    )


def _crlf_lines(data: bytes, first: int) -> tuple[int, ...]:
    """Mail lines that end in CRLF (at most 1000)."""
    if b"\r\n" not in data:
        return ()
    rows = enumerate(data.split(b"\n"), first)
    return tuple(number for number, row in rows if row.endswith(b"\r"))[:1000]


def _unflow(lines: list[str], delsp: bool) -> list[str]:
    """Undo format=flowed (RFC 3676 section 4): space stuffing and soft line breaks.

    Inside a diff a line that ends in a blank is joined only with one that is no diff line:
    an empty context line is a lone blank, which git mailinfo takes for a soft break.
    """
    result: list[str] = []
    soft = in_diff = False
    for line in lines:
        text = line[1:] if line.startswith(" ") else line
        in_diff = in_diff or text.startswith(("diff --git ", "--- a/", "@@ -"))
        if soft and result and not (in_diff and text[:1] in (" ", "+", "-", "@", "d", "\\", "")):
            result[-1] += text
        else:
            result.append(text)
        soft = text.endswith(" ") and text != "-- "
        if soft and delsp:
            result[-1] = result[-1][:-1]
    return result
