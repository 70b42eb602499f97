"""The lines of tcrypt, word for word as the kernel prints them (crypto/tcrypt.c).

Every pattern also takes a line whose end is cut off, as ``diff --side-by-side`` and narrow
terminals do it; what counts is that the figures themselves are whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

HEADING = "testing speed of "

TEST = re.compile(r"test *\d+ \(")
CELL = re.compile(TEST.pattern + "|" + HEADING)
"""Where a heading or a test begins in a line; two of them make the line side by side."""

RESULT = re.compile(r"\d operations? in \d|\d opers/sec|\d cycles/operation")
SUSPECT = re.compile(RESULT.pattern + r"|bit key, *\d|bytes per update")
"""What a line that holds a figure looks like; such a line is listed when it cannot be read."""

SPEC_CIPHER = re.compile(r"(\d{1,6}) bit key, *(\d{1,9}) byte blocks")
SPEC_HASH = re.compile(r" *(\d{1,9}) byte blocks, *(\d{1,9}) bytes per update, *(\d{1,9}) updates")

OPERATIONS = re.compile(
    r"(?<![\d.,])(?P<count>\d{1,18}) operations in (?P<seconds>\d{1,9}) (?P<word>s\w*)"
    r"(?: \(? *(?P<bytes>-?\d{0,25})(?P<end>(?: \w*)?\)?))?\s*$"
)
RATES = re.compile(
    r"(?<![\d.,])(?P<count>\d{1,18}) opers/sec"
    r"(?:,(?: *(?P<bytes>\d{0,25})(?P<end> ?[a-z/]*))?)?\s*$"
)
CYCLES = re.compile(
    r"(?<![\d.,])1 operation in (?P<count>\d{1,18}) cycles"
    r"(?: \(? *(?P<bytes>\d{0,25})(?P<end>(?: \w*)?\)?))?\s*$"
)
HASH_CYCLES = re.compile(
    r"(?<![\d.,])(?P<count>\d{1,18}) cycles/operation(?:,[ \d]*(?: ?[a-z/]*)?)?\s*$"
)
_SUSPECT_WORDS = (" operation", "opers/", "cycles/", "bit key", "per update")
_FAILURE_WORDS = ("ailed", "error", "too big")
CUT = "…"
"""What a driver name ends in when the line was cut off inside it."""

OVERLONG = re.compile(r"\d{19}")

FAILURE = re.compile(
    r"(?:setkey\(\) failed|failed to load transform for|\w+\(\) failed (?:flags|return code)="
    r"|hashing failed|calculating auth failed|Failed to (?:allocate request|load transform"
    r"|setauthsize)|concurrent request \d+ error|template \(\d+\) too big)"
)
"""What tcrypt prints in place of a figure when a test could not run."""

ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
"""Terminal escape sequences (ECMA-48): ``dmesg --color=always`` and worse."""

_DIRECTIONS = {"encryption": "encrypt", "decryption": "decrypt"}
_KINDS = ("async ", "sync ", "multibuffer ")


@dataclass(frozen=True, slots=True)
class Heading:
    """What a ``testing speed of`` line says about the tests below it.

    ``driver`` ends in ``…`` and ``direction`` is empty when the line was cut off there;
    hashes have no direction either. A direction that is cut off counts by its first letters.
    """

    algorithm: str
    driver: str
    direction: str
    variant: str


@dataclass(frozen=True, slots=True)
class Spec:
    """The parameters of one test: key in bits, block and update in bytes."""

    key_bits: int | None
    block_bytes: int
    update_bytes: int | None


def parse_heading(text: str) -> Heading | None:
    """The heading in ``text``, which starts behind ``testing speed of``; ``None`` if garbled.

    Forms: ``[async|sync|multibuffer] ALGORITHM [(DRIVER)] [encryption|decryption]``.
    """
    variant = ""
    for kind in _KINDS:
        if text.startswith(kind):
            text, variant = text[len(kind):], kind.strip()
    algorithm, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    if not algorithm or not algorithm.isprintable():
        return None
    driver, rest = _driver(rest)
    if not rest.isascii() or " " in rest:
        return None
    directions = [short for word, short in _DIRECTIONS.items() if rest and word.startswith(rest)]
    if rest and not directions:
        return None
    direction = directions[0] if directions else ""
    variant = variant if variant == "multibuffer" else ""
    return Heading(algorithm, driver, direction, variant)


def _driver(text: str) -> tuple[str, str]:
    """The driver in the first, balanced parentheses, and the text behind."""
    if not text.startswith("("):
        return "", text
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[1:place], text[place + 1:].strip()
    return text[1:].rstrip() + CUT, ""


def parse_spec(text: str) -> Spec | None:
    """The parameters between the parentheses of a test; ``None`` if they are not whole."""
    cipher = SPEC_CIPHER.fullmatch(text)
    if cipher is not None:
        return Spec(int(cipher[1]), int(cipher[2]), None)
    hashed = SPEC_HASH.fullmatch(text)
    if hashed is not None:
        return Spec(None, int(hashed[1]), int(hashed[2]))
    return None


def suspect(text: str) -> bool:
    """Whether a line looks like it holds a figure of tcrypt."""
    return any(word in text for word in _SUSPECT_WORDS) and SUSPECT.search(text) is not None


def failure(text: str) -> bool:
    """Whether a line is what tcrypt prints in place of a figure."""
    return any(word in text for word in _FAILURE_WORDS) and FAILURE.search(text) is not None
