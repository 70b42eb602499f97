"""What the series is based on, said in a way that programs can use."""

from __future__ import annotations

import re

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_mail
from patchgen.checks.series.covertext import numbered_text
from patchgen.checks.series.history import repository_of
from patchgen.mail.model import PatchMail

_BASE = re.compile(r"\s*base-commit:\s*(\S*)(.*)$")
_PROSE = re.compile(
    r"\b(?:based? (?:up)?on|appl(?:y|ies|ied)\b.*\b(?:to|on|over|against)|on top of|against|"
    r"rebased)\b"
    r".*(?:\bv?\d+\.\d+|\blinux\b|\bnext\b|\bmainline\b|\bmaster\b|\bcryptodev|\btree\b|"
    r"\b[0-9a-f]{12,40}\b)",
    re.IGNORECASE,
)


def base_lines(mail: PatchMail) -> list[tuple[int, str, str]]:
    """``(mail line, id, rest)`` of every base-commit line of a mail."""
    lines = numbered_text(mail)
    if mail.changes:
        lines = [*lines, *enumerate(mail.below, mail.below_line)]
    lines += enumerate(mail.tail, mail.tail_line)
    found: dict[int, tuple[int, str, str]] = {}
    for number, line in lines:
        match = _BASE.match(line)
        if match:
            found[number] = (number, match[1], match[2].strip())
    return list(found.values())


def base_commit(context: SeriesContext) -> str | None:
    """The base commit that the series names, None without one."""
    return next((sha for m in context.series.mails for _, sha, _ in base_lines(m)), None)


@check(
    "base-missing",
    scope="series",
    severity="warning",
    rule="A series with a cover letter names its base-commit",
    why="Test robots and maintainers guess otherwise, and report conflicts that are none.",
    fix="git format-patch --base=auto, or say in the letter which tree and version it applies to",
)
def base_missing(context: SeriesContext) -> Findings:
    """No base-commit line, and no sentence that names the tree."""
    series = context.series
    cover = series.cover
    if cover is None or not series.patches or base_commit(context) is not None:
        return
    text = " ".join(line.strip() for _, line in numbered_text(cover))
    if any(m.header("X-Patchwork-Id") for m in series.mails):
        return
    if not any(_PROSE.search(s) for s in re.split(r"(?<=[.!?])\s", text)):
        yield in_mail("base-missing", cover, "nothing says which commit the series is based on")


@check(
    "base-commit",
    scope="series",
    severity="error",
    rule="A base-commit is a full commit id that the tree knows",
    why="A base that nobody can fetch is as good as none, and robots test the wrong tree.",
    fix="base the series on a public commit and use git format-patch --base",
)
def base_commit_known(context: SeriesContext) -> Findings:
    """The form everywhere; existence and reachability in a git tree."""
    yield from _prerequisites(context)
    repository = repository_of(context)
    seen: set[str] = set()
    for mail in context.series.mails:
        for line, sha, rest in base_lines(mail):
            if not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", sha):
                yield in_mail(
                    "base-commit",
                    mail,
                    f"base-commit is no full commit id: {sha[:50]!r}",
                    line=line,
                )
                continue
            if rest:
                yield in_mail(
                    "base-commit",
                    mail,
                    f"text after the base-commit: {rest[:40]!r}",
                    severity="warning",
                    line=line,
                )
            if not sha.strip("0") or len(set(sha)) == 1:
                yield in_mail("base-commit", mail, "base-commit is a made-up id", line=line)
                continue
            if seen and sha not in seen:
                yield in_mail(
                    "base-commit", mail, "another base-commit than before in the series", line=line
                )
            if sha in seen:
                continue
            seen.add(sha)
            if repository is None:
                continue
            if not repository.has_commit(sha):
                yield in_mail(
                    "base-commit",
                    mail,
                    f"the tree does not know base-commit {sha[:12]}",
                    severity="note" if repository.is_shallow else None,
                    line=line,
                )
            elif not repository.is_reachable(sha):
                yield in_mail(
                    "base-commit",
                    mail,
                    f"no branch or tag of the tree holds base-commit {sha[:12]}",
                    severity="warning",
                    line=line,
                )


def _prerequisites(context: SeriesContext) -> Findings:
    """``prerequisite-patch-id`` lines that are no patch id."""
    for mail in context.series.mails:
        lines = [*numbered_text(mail), *enumerate(mail.tail, mail.tail_line)]
        for number, line in lines:
            match = re.match(r"prerequisite-patch-id:\s*(.*?)\s*$", line)
            if match and not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", match[1]):
                yield in_mail(
                    "base-commit",
                    mail,
                    f"prerequisite-patch-id is no patch id: {match[1][:50]!r}",
                    line=number,
                )
