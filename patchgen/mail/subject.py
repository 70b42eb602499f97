"""Subjects of patch mails: ``[RFC PATCH net-next v2 1/3] crypto: foo - add bar``."""

from __future__ import annotations

import re
from dataclasses import dataclass

_REPLY = re.compile(r"\s*(?:re|aw|sv|antw|antwort|fwd?|wg|vs)\s*(?:\[\d+\])?\s*:\s*", re.IGNORECASE)
_GROUP = re.compile(r"\s*\[([^\[\]]*)\]\s*")
_COUNTER = re.compile(r"(\d{1,6})\s*(?:/|\s+of\s+)\s*(\d{1,6})(?=$|[\s,;:])")
_VERSION = re.compile(
    r"(?:^|(?<=[\s,;:-])|(?<=patch))v\.?(\d{1,5})(?:\.\d+)?(?=$|[\s,;:-])", re.IGNORECASE
)
_PATCH = re.compile(r"(?:^|[\s,;:-])(?:patch|rfc)(?=$|[\s,;:-]|v?\d)", re.IGNORECASE)
_WORD = re.compile(r"(?<!\w)(rfc|rft|resend)(?!\w)", re.IGNORECASE)
_GLUED = re.compile(r"v\.?\d+\s*[,;:]\s*\d+\s*/\s*\d+", re.IGNORECASE)
_ATTACHED = re.compile(r"patchv\.?\d+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject line in its parts.

    ``version`` is None when the subject names none (which means 1). ``number`` and ``total``
    are None without an ``n/m`` counter. ``glued`` says that a comma joins version and counter
    (``[PATCH v2,1/3]``), which b4 and patchwork take for another series.
    """

    raw: str
    title: str
    tags: tuple[str, ...] = ()
    is_reply: bool = False
    is_patch: bool = False
    version: int | None = None
    number: int | None = None
    total: int | None = None
    glued: bool = False
    attached: bool = False
    rfc: bool = False
    resend: bool = False

    @property
    def effective_version(self) -> int:
        """The version, 1 when none is named."""
        return 1 if self.version is None else self.version

    @property
    def prefix(self) -> str:
        """The subsystem prefix of the title with its colon, ``""`` when there is none."""
        match = re.match(r"(?:[^\s:]+(?:[ ,]+[^\s:]+){0,3}:\s+)+", self.title + " ")
        return match[0].strip() if match else ""


def parse_subject(text: str) -> Subject:
    """The parts of a subject line; anything is accepted, this never raises."""
    raw = " ".join(text.split())
    rest, replies = raw, 0
    groups: list[str] = []
    while True:
        reply = _REPLY.match(rest)
        if reply and not groups:
            rest, replies = rest[reply.end() :], replies + 1
            continue
        group = _GROUP.match(rest)
        if group is None:
            break
        groups.append(group[1].strip())
        rest = rest[group.end() :]
        inner = _REPLY.match(rest)
        if inner and not any(_is_counter_group(g) for g in groups):
            rest, replies = rest[inner.end() :], replies + 1
    marker = " ".join(groups)
    counter = _COUNTER.search(marker)
    version = _VERSION.search(marker)
    return Subject(
        raw=raw,
        title=rest.strip(),
        tags=tuple(groups),
        is_reply=replies > 0,
        is_patch=_PATCH.search(marker) is not None,
        version=int(version[1]) if version else None,
        number=int(counter[1]) if counter else None,
        total=int(counter[2]) if counter else None,
        glued=_GLUED.search(marker) is not None,
        attached=_ATTACHED.search(marker) is not None,
        rfc=any(w.lower() == "rfc" for w in _WORD.findall(marker)),
        resend=any(w.lower() == "resend" for w in _WORD.findall(marker)),
    )


def _is_counter_group(group: str) -> bool:
    return _PATCH.search(group) is not None or _COUNTER.search(group) is not None
