"""Text from strangers: decoding it without loss, and making it safe to show."""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)


def printable(text: str) -> str:
    """The text with everything a terminal or browser would act on spelled out.

    Control characters (tab and newline stay), bidirectional and zero-width characters and
    bytes that were not UTF-8 (kept as surrogates by ``decode_diff``) become ``\\x1b`` forms.
    """
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def one_line(text: str) -> str:
    """``printable`` text with every run of white space made one blank."""
    return " ".join(printable(text).split())


def decode_diff(data: bytes) -> str:
    """A diff as text: UTF-8, and any other byte kept as one surrogate (``encode_diff`` undoes)."""
    return data.decode("utf-8", "surrogateescape")


def encode_diff(text: str) -> bytes:
    """The bytes that ``decode_diff`` read; lone surrogates of other origin become ``?``."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


_NOT_FOR_MAIL = frozenset({"punycode", "idna", "undefined", "unicode_escape", "raw_unicode_escape"})
_ASCII = frozenset({"us-ascii", "ascii", "unknown-8bit", "8bit", "x-unknown", "default", "binary"})


def decode_text(data: bytes, charset: str | None) -> tuple[str, bool]:
    """Text of a mail in its charset, and whether every byte fitted.

    An unknown charset is read as UTF-8; bytes that do not fit become surrogates (UTF-8) or
    replacement characters. This never raises.
    """
    name = (charset or "utf-8").strip().strip("\"'").lower()
    if name in _ASCII or name.replace("-", "_") in _NOT_FOR_MAIL:
        name = "utf-8"
    try:
        return data.decode(name), True
    except UnicodeError:
        if name not in ("utf-8", "utf8"):
            return data.decode(name, "replace"), False
    except (LookupError, ValueError):
        try:
            return data.decode("utf-8"), True
        except UnicodeDecodeError:
            pass
    return data.decode("utf-8", "surrogateescape"), False
