"""Trailers: spelt right, in one block, in an order that tools and people rely on."""

from __future__ import annotations

import re
from collections import Counter

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_mail
from patchgen.mail.model import PatchMail
from patchgen.mail.trailers import KNOWN, Trailer, near_signoff

_CANONICAL = {
    "signed-off-by": "Signed-off-by",
    "acked-by": "Acked-by",
    "reviewed-by": "Reviewed-by",
    "tested-by": "Tested-by",
    "reported-by": "Reported-by",
    "suggested-by": "Suggested-by",
    "co-developed-by": "Co-developed-by",
    "fixes": "Fixes",
    "link": "Link",
    "closes": "Closes",
    "cc": "Cc",
    "reported-and-tested-by": "Reported-and-tested-by",
}
_FOREIGN = frozenset(
    {
        "change-id",
        "reviewed-on",
        "bug",
        "test",
        "buglink-internal",
        "topic",
        "cr-commit-position",
        "gerrit-change-id",
        "jira",
        "issue",
        "commit-id",
        "tested",
        "git-pull-request",
        "gitlab",
        "merge-request",
        "phabricator",
        "differential-revision",
        "reviewable",
    }
)
_BARE_FOREIGN = re.compile(r"(?:BUG|TEST|BRANCH|JIRA|Jira)=\S|Change-Id: I[0-9a-f]{40}")
_INSTEAD = {
    "co-authored-by": "Co-developed-by",
    "author": "From",
    "coauthored-by": "Co-developed-by",
    "signed-off": "Signed-off-by",
    "review-by": "Reviewed-by",
    "ack-by": "Acked-by",
    "reviewd-by": "Reviewed-by",
    "reported": "Reported-by",
    "fix": "Fixes",
    "links": "Link",
    "closed": "Closes",
    "reference": "Link",
    "see-also": "Link",
}
_EARLY = frozenset(
    {"fixes", "reported-by", "closes", "suggested-by", "co-developed-by", "reported-and-tested-by"}
)
_LOSABLE = _EARLY | {"reviewed-by", "acked-by", "tested-by", "signed-off-by"}


@check(
    "trailer-form",
    scope="series",
    severity="error",
    rule="Trailers are spelt 'Key: Name <mail>', at the start of the line",
    why="git interpret-trailers, b4 and the statistics of lwn.net look for exactly this form.",
    fix="write the trailer as in Documentation/process/submitting-patches.rst",
)
def trailer_form(context: SeriesContext) -> Findings:
    """Misspelt keys, wrong blanks, broken addresses, empty values."""
    for patch in context.series.patches:
        for trailer in patch.trailers:
            complaint = _key_complaint(trailer) or _value_complaint(trailer)
            if complaint:
                yield in_mail("trailer-form", patch, complaint, line=trailer.line)


def _key_complaint(trailer: Trailer) -> str | None:
    kind = trailer.kind
    right = _CANONICAL.get(kind)
    if trailer.indented:
        return f"{trailer.key} is indented"
    if right is not None and trailer.key != right and kind != "cc":
        return f"{trailer.key!r} is written {right!r}"
    if kind not in KNOWN and near_signoff(trailer.key):
        return f"{trailer.key!r} is not 'Signed-off-by'"
    if kind in _INSTEAD:
        return f"{trailer.key!r} is no trailer of the kernel; use {_INSTEAD[kind]!r}"
    if kind not in KNOWN and kind.endswith("-by"):
        near = _nearest(kind)
        if near:
            return f"{trailer.key!r} is misspelt, meant is {near!r}"
    if trailer.separator != ": " and kind != "fixes" and (kind in KNOWN or kind.endswith("-by")):
        return f"{trailer.key} is followed by {trailer.separator!r} instead of ': '"
    return None


def _nearest(kind: str) -> str | None:
    from difflib import get_close_matches

    found = get_close_matches(kind, list(_CANONICAL), 1, 0.84)
    return _CANONICAL[found[0]] if found else None


def _value_complaint(trailer: Trailer) -> str | None:
    if not trailer.value:
        return f"{trailer.key} has no value"
    if not trailer.is_personal or trailer.kind not in KNOWN:
        return None
    value, person = trailer.value, trailer.address
    if value.count("<") != value.count(">"):
        return f"{trailer.key}: the address lacks its angle bracket"
    if person is None or not person.valid:
        if trailer.kind in ("reported-by", "suggested-by", "cc") and "@" not in value:
            return None
        return f"{trailer.key}: no valid address in {value!r}"
    if (
        trailer.kind == "cc"
        and person.mail.startswith("stable@")
        and not person.mail.endswith("kernel.org")
    ):
        return f"the stable address is stable@vger.kernel.org, not {person.mail}"
    if trailer.kind == "signed-off-by":
        if not person.name:
            return "Signed-off-by without a name"
        if person.rest:
            return f"Signed-off-by: text after the address: {person.rest!r}"
    return None


@check(
    "trailer-layout",
    scope="series",
    severity="warning",
    rule="Trailers are one block at the end of the message, a blank line before it, none in it",
    why="git takes only the last paragraph for trailers: the ones above a blank line are lost.",
    fix="put all trailers below each other at the very end",
)
def trailer_layout(context: SeriesContext) -> Findings:
    """Blank lines and text between trailers, no blank line before them, wrapped ones."""
    for patch in context.series.patches:
        block = patch.block
        if block.gaps:
            yield in_mail(
                "trailer-layout", patch, "a blank line between trailers", line=block.gaps[0]
            )
        if block.strays:
            yield in_mail(
                "trailer-layout",
                patch,
                "other text between or after trailers",
                line=block.strays[0],
            )
        if block.glued and patch.trailers:
            yield in_mail(
                "trailer-layout",
                patch,
                "no blank line between text and trailers",
                line=block.first_line,
            )
        for trailer in patch.trailers:
            if trailer.wrapped and trailer.kind != "fixes":
                yield in_mail(
                    "trailer-layout",
                    patch,
                    f"{trailer.key} goes on in the next line",
                    line=trailer.line,
                )
        yield from _lost(patch)


def _lost(patch: PatchMail) -> Findings:
    """Trailers of the message's middle, away from the block."""
    if not patch.trailers:
        return
    for number, line in enumerate(patch.message, patch.message_line):
        key = line.partition(": ")[0]
        if key.lower() in _LOSABLE and _looks_real(line):
            yield in_mail(
                "trailer-layout",
                patch,
                f"{key} stands apart from the other trailers",
                line=number,
            )


def _looks_real(line: str) -> bool:
    return re.search(r"<\S+@\S+>|Fixes: [0-9a-f]{6,40}\b|https?://", line) is not None


@check(
    "trailer-duplicate",
    scope="series",
    severity="warning",
    rule="No trailer occurs twice",
    why="A tag given twice is a slip of git commit --signoff or of collecting tags.",
    fix="remove the second one",
)
def trailer_duplicate(context: SeriesContext) -> Findings:
    """Equal trailers. A sign-off may return later in the chain, but not at once."""
    for patch in context.series.patches:
        seen: Counter[tuple[str, str]] = Counter()
        before: tuple[str, str] | None = None
        for trailer in patch.trailers:
            person = trailer.address if trailer.is_personal else None
            key = (trailer.kind, person.mail.lower() if person else trailer.value)
            seen[key] += 1
            if seen[key] > 1 and (trailer.kind != "signed-off-by" or before == key):
                yield in_mail("trailer-duplicate", patch, f"{trailer.key} twice", line=trailer.line)
            before = key


@check(
    "trailer-foreign",
    scope="series",
    severity="error",
    rule="No trailers of other review systems",
    why="Change-Id and friends point to servers that readers of git history cannot reach.",
    fix="remove the line (git rebase -i, reword)",
)
def trailer_foreign(context: SeriesContext) -> Findings:
    """Gerrit's, Chromium's and other houses' trailers."""
    for patch in context.series.patches:
        for trailer in patch.trailers:
            if trailer.kind in _FOREIGN:
                yield in_mail(
                    "trailer-foreign",
                    patch,
                    f"{trailer.key} belongs to another review system",
                    line=trailer.line,
                )
        for number, line in enumerate(patch.message, patch.message_line):
            if _BARE_FOREIGN.match(line.strip()):
                yield in_mail(
                    "trailer-foreign",
                    patch,
                    f"{line.strip()[:20]!r} belongs to another review system",
                    line=number,
                )


@check(
    "trailer-order",
    scope="series",
    severity="warning",
    rule="What is known before the patch (Fixes, Reported-by, Closes) stands before its sign-off",
    why="Trailers are read as a history: what was there first comes first, the sender signs last.",
    fix="move these lines above the author's Signed-off-by",
)
def trailer_order(context: SeriesContext) -> Findings:
    """Early trailers after the last sign-off, Closes away from its Reported-by."""
    for patch in context.series.patches:
        last = max(
            (i for i, t in enumerate(patch.trailers) if t.kind == "signed-off-by"), default=-1
        )
        if last < 0:
            continue
        for trailer in patch.trailers[last + 1 :]:
            if trailer.kind in _EARLY:
                yield in_mail(
                    "trailer-order",
                    patch,
                    f"{trailer.key} stands after the last Signed-off-by",
                    line=trailer.line,
                )


@check(
    "reported-closes",
    scope="series",
    severity="warning",
    rule="Reported-by is followed by Closes: or Link: to the report",
    why="The next person with the same problem looks for the discussion.",
    fix="add 'Closes: URL' (or 'Link: URL') below the Reported-by",
)
def reported_closes(context: SeriesContext) -> Findings:
    """Reports without an address; those of private mail cannot have one, so say so."""
    for patch in context.series.patches:
        reported = patch.trailers_of("reported-by", "reported-and-tested-by")
        if reported and not patch.trailers_of("closes", "link", "buglink", "bugzilla"):
            yield in_mail(
                "reported-closes",
                patch,
                "Reported-by without Closes or Link",
                line=reported[0].line,
            )


@check(
    "link-form",
    scope="series",
    severity="warning",
    rule="Link and Closes hold a URL",
    why="A number or a title alone cannot be followed.",
    fix="write the full https:// address",
)
def link_form(context: SeriesContext) -> Findings:
    """Link and Closes without an address."""
    for patch in context.series.patches:
        for trailer in patch.trailers_of("link", "closes", "buglink"):
            if trailer.value and not re.match(r"https?://[^\s/]+\.[^\s/]+/\S+", trailer.value):
                yield in_mail(
                    "link-form",
                    patch,
                    f"{trailer.key} is no URL: {trailer.value!r}",
                    line=trailer.line,
                )
