"""Names used before the patch that defines them: commits in between do not compile."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks.registry import check
from patchgen.checks.series.buildhooks import built_since, find_hooks
from patchgen.checks.series.context import Findings, SeriesContext, in_file
from patchgen.mail.model import FileChange

_FUNCTION = re.compile(
    r"(?!static|typedef|return|else|extern \"C\")[A-Za-z_][\w\s*]*?[\s*]"
    r"(?P<name>[a-z]\w{3,})\((?!.*\)\s*\()"
)
_MACRO = re.compile(r"#\s*define\s+(?P<name>[A-Za-z_]\w{3,})")
_TYPE = re.compile(r"(?:struct|union|enum)\s+(?P<name>\w{4,})\s*\{")
_WORD = re.compile(r"[A-Za-z_]\w{3,}")


def _definitions(change: FileChange, sign: str) -> Iterator[str]:
    """Names that a header or source declares for others, in added or removed lines."""
    header = change.path.endswith(".h")
    for _, text in change.added() if sign == "+" else change.removed():
        for pattern in (_MACRO, _TYPE, _FUNCTION) if header else (_FUNCTION,):
            match = pattern.match(text)
            if match and not text.startswith((" ", "\t")):
                yield match["name"]


@check(
    "bisect-symbol",
    scope="series",
    severity="error",
    rule="Nothing is used before the patch that defines it",
    why="The commit in between does not compile, and bisecting stops there.",
    fix="define first, use later: reorder the patches or move the definition",
)
def bisect_symbol(context: SeriesContext) -> Findings:
    """Functions, types and macros that only a later patch brings."""
    defined: dict[str, int] = {}
    elsewhere: set[str] = set()
    for patch, change in context.changes():
        if not change.path.endswith((".c", ".h", ".S")):
            continue
        for name in _definitions(change, "+"):
            defined.setdefault(name, patch.number)
        elsewhere.update(_definitions(change, "-"))
        for hunk in change.hunks:
            elsewhere.update(
                m["name"]
                for line in hunk.lines
                if line[:1] == " "
                for p in (_MACRO, _TYPE, _FUNCTION)
                if (m := p.match(line[1:]))
            )
    later = {n: k for n, k in defined.items() if k > 1 and n not in elsewhere}
    if later:
        yield from _uses(context, later)


def _uses(context: SeriesContext, later: dict[str, int]) -> Findings:
    built = built_since(context, find_hooks(context))
    last = len(context.series.patches)
    reported: set[tuple[int, str]] = set()
    for patch, change in context.changes():
        if not change.path.endswith(".c"):
            continue
        since = built.get(change.path, last) if change.path in context.created else 0
        state = max(patch.number, since)
        for line, text in change.added():
            for name in _WORD.findall(_code(text)):
                if later.get(name, 0) > state and (patch.number, name) not in reported:
                    reported.add((patch.number, name))
                    yield in_file(
                        "bisect-symbol",
                        patch.number,
                        change.path,
                        line,
                        f"uses {name}, which only patch {later[name]} defines",
                    )


def _code(text: str) -> str:
    """The line without strings and comments."""
    text = re.sub(r"\"(?:[^\"\\]|\\.)*\"", '""', text)
    stripped = text.lstrip()
    if stripped.startswith(("*", "/*", "//")):
        return ""
    return re.sub(r"/\*.*?(?:\*/|$)|//.*", "", text)
