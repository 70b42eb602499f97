"""The door to the code rules: sources in, findings out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from patchgen.checks import registry
from patchgen.checks.code.component import Component, Parser, Unit
from patchgen.checks.code.rules import load_rules
from patchgen.checks.spelling import available
from patchgen.findings import Finding, Skip, sort_key
from patchgen.profiles import KernelProfile

_SUPPRESS = re.compile(
    r"patchgen:\s*ignore\s+([a-z0-9-]+(?:\s*,\s*[a-z0-9-]+)*)\s*(?::\s*(\S.*))?", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class CodeReport:
    """What the code rules say about one component."""

    findings: tuple[Finding, ...]
    skips: tuple[Skip, ...]
    parsed_by: Mapping[str, Parser]


def check_sources(
    sources: Mapping[str, str],
    *,
    kernel: KernelProfile,
    lines: Mapping[str, Collection[int]] | None = None,
    select: Collection[str] | None = None,
    ignore: Collection[str] | None = None,
) -> CodeReport:
    """Apply the code rules to one component.

    ``sources`` maps paths (as in the tree) to text: all ``.c`` and ``.h`` files of one
    component together. ``lines`` (path to line numbers, from 1) keeps only findings on these
    lines; files it does not name report nothing. ``select`` and ``ignore`` name check ids.
    """
    component = Component(sources, kernel)
    rules = load_rules()
    found: list[Finding] = []
    for rule in rules:
        if select is not None and rule.id not in select:
            continue
        if ignore is not None and rule.id in ignore:
            continue
        found.extend(rule.function(component))
    suppressions = {path: _suppressions(unit) for path, unit in component.units.items()}
    kept = [f for f in found if not _is_suppressed(f, suppressions)]
    if select is None or "suppression-reason" in select:
        kept.extend(_without_reason(component.units.values()))
    if lines is not None:
        kept = [f for f in kept
                if f.file is not None and f.file in lines
                and (f.line is None or f.line in lines[f.file])]
    return CodeReport(
        tuple(sorted(set(kept), key=sort_key)),
        (*_skips(component), *_missing_extras(select, ignore)),
        {path: unit.parsed_by for path, unit in component.units.items()},
    )


def _suppressions(unit: Unit) -> dict[int, set[str]]:
    """Line to the ids silenced there: the comment's own lines and the next one."""
    silenced: dict[int, set[str]] = {}
    for comment in unit.pre.comments:
        match = _SUPPRESS.search(comment.text)
        if match and match[2]:
            ids = {word.strip() for word in match[1].split(",")}
            for line in range(comment.line, comment.end_line + 2):
                silenced.setdefault(line, set()).update(ids)
    return silenced


def _is_suppressed(finding: Finding, silenced: Mapping[str, dict[int, set[str]]]) -> bool:
    if finding.file is None or finding.line is None:
        return False
    return finding.check in silenced.get(finding.file, {}).get(finding.line, ())


@registry.check(
    "suppression-reason", scope="code", severity="error",
    rule="A comment that silences a check says why.",
    why="A silenced check without a reason cannot be reviewed, and outlives its cause.",
    fix="write /* patchgen: ignore CHECK-ID: the reason */",
)
def _without_reason(units: Iterable[Unit]) -> list[Finding]:
    check = registry.get("suppression-reason")
    found = []
    for unit in units:
        for comment in unit.pre.comments:
            match = _SUPPRESS.search(comment.text)
            if match and not match[2]:
                found.append(check.finding(f"{match[1]} is silenced without a reason",
                                           file=unit.path, line=comment.line))
    return found


def _skips(component: Component) -> list[Skip]:
    return [
        Skip("code", f"{unit.path}: pycparser could not read what begins at line "
             f"{', '.join(map(str, unit.loose[:5]))}{' …' if len(unit.loose) > 5 else ''}; "
             "the tree-sitter grammar did, so rules that need exact types say less there")
        for unit in component.units.values() if unit.parsed_by == "tree-sitter"
    ]


def _missing_extras(select: Collection[str] | None, ignore: Collection[str] | None) -> list[Skip]:
    wanted = (select is None or "comment-spelling" in select) and (
        ignore is None or "comment-spelling" not in ignore)
    if not wanted or available():
        return []
    return [Skip("comment-spelling", "codespell is not installed; install it with: "
                 "pip install 'patchgen[spell]'")]
