"""Names and mail addresses as they stand in headers and trailers (RFC 5322 section 3.4)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_PLAIN = re.compile(r"\s*(?P<name>[^<>]*?)\s*<(?P<mail>[^<>\s]*)>\s*(?P<rest>.*)", re.DOTALL)
_BARE = re.compile(r"\s*(?P<mail>[^<>\s@,;()\"]+@[^<>\s@,;()\"]+)\s*(?P<rest>.*)", re.DOTALL)
_MAIL = re.compile(r"[^<>\s@,;()\"\[\]\\]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")
_VIA = re.compile(r"['\"]?(?P<name>.+?)['\"]? via [\w .@+-]+$")
_PART = re.compile(r"(?:\"(?:[^\"\\]|\\.)*\"|\([^()]*\)|<[^<>]*>|[^,])+")
_GROUP = re.compile(r"^\s*[\w -]+:\s*;\s*$")
_COMMENT = re.compile(r"\(([^()]*)\)")
_SUBADDRESS = re.compile(r"\+[^@]*@")


@dataclass(frozen=True, slots=True)
class Address:
    """One mailbox. ``rest`` is what follows it on the line (``# 6.1+``)."""

    name: str
    mail: str
    rest: str = ""

    @property
    def valid(self) -> bool:
        """Whether the mail part looks like an address that could be delivered to."""
        return _MAIL.fullmatch(self.mail) is not None

    @property
    def mail_key(self) -> str:
        """The mail part for comparing: lower case, ``+tag`` dropped."""
        return _SUBADDRESS.sub("@", self.mail.lower())

    @property
    def name_key(self) -> str:
        """The name for comparing: no quotes, marks, case or order of white space."""
        via = _VIA.match(self.name)
        name = (via["name"] if via else self.name).strip("\"' ")
        if "," in name:
            last, _, first = name.partition(",")
            name = f"{first.strip()} {last.strip()}"
        bare = unicodedata.normalize("NFKD", name.casefold())
        return " ".join("".join(c for c in bare if not unicodedata.combining(c)).split())

    def __str__(self) -> str:
        return f"{self.name} <{self.mail}>" if self.name else self.mail


def parse_address(text: str) -> Address | None:
    """The first mailbox of a trailer's value, or None when there is none to be seen."""
    for pattern in (_PLAIN, _BARE):
        match = pattern.match(text)
        if match:
            name = match.groupdict().get("name") or ""
            return Address(name.strip().strip('"').strip(), match["mail"], match["rest"].strip())
    return None


def parse_address_list(values: list[str]) -> tuple[Address, ...]:
    """Every mailbox of some To, Cc or From headers; what is none is kept with its raw text."""
    found: list[Address] = []
    for value in values:
        for part in _split(value):
            address = parse_address(part) or Address("", part)
            comment = _COMMENT.fullmatch(address.rest)
            if comment and not address.name:
                address = Address(comment[1].strip(), address.mail)
            found.append(address)
    return tuple(found)


def _split(value: str) -> list[str]:
    """The parts of an address list, cut at commas outside quotes, brackets and comments."""
    bare = _GROUP.sub("", value)
    parts = [match[0].strip() for match in _PART.finditer(bare)]
    return [part for part in parts if part]
