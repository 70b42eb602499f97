"""The parts of a cover letter: own words, shortlog, diffstat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from patchgen.mail.model import PatchMail

_AUTHOR = re.compile(r"(?P<name>\S.*?) \((?P<count>\d{1,5})\)(?P<colon>:?)\s*$")
_STAT = re.compile(
    r" ?\S[^|]*\|\s*(?:\d+|Bin)\b|\s*\d+ files? changed,|"
    r" (?:create|delete|rename|copy|mode change)\b.*(?:mode|\d%\))"
)
_META = re.compile(r"(?:base-commit|prerequisite-[\w-]+|change-id|branch|based-on):", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ShortlogGroup:
    """One author of a shortlog; ``count`` is what stands in the brackets."""

    author: str
    count: int
    titles: tuple[str, ...]
    line: int
    has_colon: bool


def numbered_text(mail: PatchMail) -> list[tuple[int, str]]:
    """All text of a mail without a diff, with mail lines."""
    lines = [*enumerate(mail.message, mail.message_line)]
    if mail.cut_line is not None:
        lines += enumerate(mail.below, mail.below_line)
    return lines


def read_shortlog(mail: PatchMail) -> tuple[ShortlogGroup, ...]:
    """The shortlog of a cover letter (git's and b4's indentation); empty without one."""
    groups: list[ShortlogGroup] = []
    lines = numbered_text(mail)
    at = 0
    while at < len(lines):
        number, line = lines[at]
        match = _AUTHOR.match(line)
        at += 1
        if match is None or line[:1] == " " or at >= len(lines) or lines[at][1][:2] != "  ":
            continue
        titles: list[str] = []
        first_indent = len(lines[at][1]) - len(lines[at][1].lstrip())
        while at < len(lines) and lines[at][1][:2] == "  " and lines[at][1].strip():
            text = lines[at][1]
            indent = len(text) - len(text.lstrip())
            if indent > first_indent and titles:
                titles[-1] += " " + text.strip()
            else:
                titles.append(text.strip())
            at += 1
        groups.append(
            ShortlogGroup(
                match["name"], int(match["count"]), tuple(titles), number, bool(match["colon"])
            )
        )
    return tuple(groups)


def letter_text(mail: PatchMail) -> Iterator[tuple[int, str]]:
    """The author's own words: no shortlog, no diffstat, no meta lines."""
    skip = {g.line for g in read_shortlog(mail)}
    in_log = False
    for number, line in numbered_text(mail):
        if number in skip:
            in_log = True
            continue
        if in_log and line[:2] == "  " and line.strip():
            continue
        in_log = False
        if not line.strip() or _STAT.match(line) or _META.match(line) or line.strip() == "---":
            continue
        yield number, line
