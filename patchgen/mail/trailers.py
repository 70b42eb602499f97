"""Trailers at the end of a commit message (Documentation/process/submitting-patches.rst).

git takes the last paragraph; people also leave blank lines between trailers, wrap them, or
glue them to the text above. All of that is read, and what was odd is kept for the checks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from patchgen.mail.address import Address, parse_address

KNOWN = frozenset(
    {
        "signed-off-by",
        "acked-by",
        "reviewed-by",
        "tested-by",
        "reported-by",
        "suggested-by",
        "co-developed-by",
        "reported-and-tested-by",
        "requested-by",
        "debugged-by",
        "fixes",
        "link",
        "closes",
        "cc",
        "bug",
        "buglink",
        "change-id",
        "message-id",
        "references",
        "originally-by",
        "based-on-patch-by",
        "cherry-picked-from",
        "depends-on",
        "upstream",
        "stable-dep-of",
        "reported-and-acked-by",
        "acked-and-tested-by",
        "reviewed-and-tested-by",
        "submitted-by",
        "reviewed-on",
        "assisted-by",
        "generated-by",
        "nacked-by",
        "fixed-by",
        "inspired-by",
        "lore",
        "patchwork",
        "bugzilla",
        "syzbot-id",
        "addresses-coverity",
        "addresses-coverity-id",
        "reported-by-testing",
        "git-pull-request",
        "obtained-from",
        "patch-by",
        "test",
        "tested",
    }
)
"""Trailer keys, in lower case, that make a paragraph one of trailers."""

_LINE = re.compile(
    r"(?P<key>[A-Za-z][A-Za-z0-9-]*(?: ?[a-z]+-by)?)(?P<sep>[ \t]*:[ \t]*)(?P<value>\S.*)?$"
)
_COMMIT_FIXES = re.compile(
    r"(?P<key>Fixes)(?P<sep>[ \t]+)(?P<value>(?:commit\s+)?[0-9a-f]{6,40}\b.*)", re.IGNORECASE
)
_NOTE = re.compile(r"#|\(cherry picked from commit|\(backported from")
_PERSONAL = re.compile(r"(?:^|-)(?:by|to)$|^cc$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Trailer:
    """One trailer. ``line`` counts from 1 in the mail; ``separator`` is what stands around ``:``.

    ``wrapped`` says that the value was continued on a following line (unfolded here).
    """

    key: str
    value: str
    line: int
    separator: str = ": "
    wrapped: bool = False
    indented: bool = False

    @property
    def kind(self) -> str:
        """The key in lower case."""
        return self.key.lower()

    @property
    def is_personal(self) -> bool:
        """Whether the value ought to be a person (``…-by``, ``Cc``)."""
        return _PERSONAL.search(self.key) is not None

    @property
    def address(self) -> Address | None:
        """The person named, or None when the value shows no address."""
        return parse_address(self.value)

    @property
    def text(self) -> str:
        """The trailer as one line."""
        return f"{self.key}{self.separator}{self.value}"


@dataclass(frozen=True, slots=True)
class TrailerBlock:
    """The trailers of one message and what was odd about their layout.

    ``gaps`` are mail lines of blank lines between trailers, ``strays`` lines of other text
    inside or after them; ``glued`` says that no blank line parts them from the text above.
    ``first_line`` is the mail line of the first trailer (None without trailers).
    """

    trailers: tuple[Trailer, ...] = ()
    gaps: tuple[int, ...] = ()
    strays: tuple[int, ...] = ()
    glued: bool = False
    first_line: int | None = None


def match_trailer(line: str) -> re.Match[str] | None:
    """A line that has the form of a trailer, whatever its key."""
    return _LINE.match(line) or _COMMIT_FIXES.match(line)


def is_known(line: str) -> bool:
    """A line that has the form of a trailer and a key that is one, or nearly one."""
    match = match_trailer(line)
    if match is None:
        return False
    key = match["key"].lower()
    return key in KNOWN or key.endswith("-by") or near_signoff(match["key"])


def near_signoff(key: str) -> bool:
    """A misspelt ``Signed-off-by``: right letters, wrong hyphens, case, or one letter off."""
    flat = re.sub(r"[^a-z]", "", key.lower())
    return flat in (
        "signedoffby",
        "signedofby",
        "singedoffby",
        "signoffby",
        "signedby",
        "signedoff",
        "signoff",
        "signedoffbye",
        "sigendoffby",
    )


def split_trailers(lines: list[str], first_line: int) -> tuple[list[str], TrailerBlock]:
    """A message without its trailers (and the blank lines before them), and the trailers.

    ``lines`` are those of the message, ``first_line`` is the mail line of the first one.
    """
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    start = _block_start(lines, end)
    if start is None:
        return lines[:end], TrailerBlock()
    block = _read(lines, start, end, first_line)
    body = start
    while body and not lines[body - 1].strip():
        body -= 1
    return lines[:body], block


def _block_start(lines: list[str], end: int) -> int | None:
    """Index of the first trailer, or None."""
    start: int | None = None
    at = end
    while at > 0:
        top = at
        while top > 0 and lines[top - 1].strip():
            top -= 1
        found = _first_in_paragraph(lines[top:at], last=start is None)
        if found is not None:
            start = top + found
            if found:
                break
        elif start is not None or not _is_afterthought(lines, top, at):
            break
        at = top
        while at > 0 and not lines[at - 1].strip():
            at -= 1
    return start


def _is_afterthought(lines: list[str], top: int, at: int) -> bool:
    """A short paragraph of text that follows a paragraph of nothing but trailers."""
    if at - top > 3:
        return False
    above = top
    while above > 0 and not lines[above - 1].strip():
        above -= 1
    return above > 0 and lines[above - 1].lower().startswith("signed-off-by:")


def _first_in_paragraph(paragraph: list[str], *, last: bool) -> int | None:
    """Where the trailers of a paragraph begin, None when it holds none.

    The last paragraph may be all trailers of unknown keys; others need known ones throughout.
    """
    forms = [match_trailer(line) is not None for line in paragraph]
    known = [is_known(line) for line in paragraph]
    if any(known):
        known = [is_known(line.strip()) for line in paragraph]
    extra = _extra_lines(paragraph)
    if known[0] and all(f or e for f, e in zip(forms, extra, strict=True)):
        return 0
    if (
        last
        and all(f or e for f, e in zip(forms, extra, strict=True))
        and forms[0]
        and any("-" in line.split(":", 1)[0] for line in paragraph)
    ):
        return 0
    if any(known):
        first = known.index(True)
        if sum(known[first:]) * 4 >= len(paragraph) - first and (last or not first):
            return first
    return None


def _extra_lines(paragraph: list[str]) -> list[bool]:
    """Lines that may stand among trailers: continuations, comments, ``[notes]``."""
    extra: list[bool] = []
    in_note = False
    for line in paragraph:
        in_note = in_note or line.startswith("[")
        extra.append(in_note or line[:1] in " \t" or _NOTE.match(line) is not None)
        in_note = in_note and not line.rstrip().endswith("]")
    return extra


def _read(lines: list[str], start: int, end: int, first_line: int) -> TrailerBlock:
    trailers: list[Trailer] = []
    gaps: list[int] = []
    strays: list[int] = []
    in_note = False
    for index in range(start, end):
        line, number = lines[index], first_line + index
        if in_note or line.startswith("["):
            in_note = not line.rstrip().endswith("]")
            continue
        if not line.strip():
            gaps.append(number)
            continue
        match = match_trailer(line)
        if match is None and line[:1] in " \t":
            inner = match_trailer(line.strip())
            if inner is not None and is_known(line.strip()):
                trailers.append(_trailer(inner, number, indented=True))
                continue
        if match is not None:
            trailers.append(_trailer(match, number))
        elif trailers and (line[:1] in " \t" or _is_open(trailers[-1].value)):
            last = trailers[-1]
            trailers[-1] = Trailer(last.key, f"{last.value} {line.strip()}".strip(), last.line,
                                   last.separator, True, last.indented)
        elif not _NOTE.match(line):
            strays.append(number)
    return TrailerBlock(tuple(trailers), tuple(gaps), tuple(strays),
                        glued=start > 0 and bool(lines[start - 1].strip()),
                        first_line=first_line + start)


def _trailer(match: re.Match[str], line: int, *, indented: bool = False) -> Trailer:
    return Trailer(
        match["key"], (match["value"] or "").rstrip(), line, match["sep"], indented=indented
    )


def _is_open(value: str) -> bool:
    """A ``("subject`` whose closing is still to come."""
    return value.count("(") > value.count(")") or value.endswith("-")
