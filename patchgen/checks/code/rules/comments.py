"""Comments: spelt right."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.component import Component, Unit
from patchgen.checks.spelling import available, misspellings
from patchgen.findings import Finding


@registry.check(
    "comment-spelling", scope="code", severity="warning",
    rule="Comments are spelt right.",
    why="Misspelt comments are the first thing reviewers point out, and clean-up patches for them "
        "follow for years.",
    fix="correct the word",
)
def comment_spelling(component: Component) -> Iterator[Finding]:
    """Words of codespell's list (extra ``spell``) that the code itself does not use."""
    if not available():
        return
    check = registry.get("comment-spelling")
    for unit in component.units.values():
        known = _own_words(unit)
        for comment in unit.pre.comments:
            for number, line in enumerate(comment.text.split("\n"), comment.line):
                for wrong in misspellings(line, known):
                    yield check.finding(f"{wrong.word!r} is misspelt, meant is {wrong.meant}",
                                        file=unit.path, line=number)


def _own_words(unit: Unit) -> frozenset[str]:
    """Every part of every identifier of the file: such words are names, not slips."""
    return frozenset(
        part.lower() for token in unit.pre.tokens if token.type in ("ID", "TYPEID")
        for part in re.split(r"_|\d", token.value)
    )
