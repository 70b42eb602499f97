"""The files that a series leaves behind, as far as they are known, and who wrote which line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from patchgen.mail.apply import Applied
from patchgen.mail.filestate import PartialFile, WholeFile
from patchgen.mail.text import encode_diff
from patchgen.tree import EmbeddedBase, Tree

_FUNCTION_END = re.compile(r"\}\s*(?:;.*)?$")
_BUILD_FILE = re.compile(r"(?:^|/)(?:Kconfig|Makefile|Kbuild)[^/]*$")
_MOST_LINES = 200_000
_TOP_LEVEL = re.compile(r"[A-Za-z_#]")


@dataclass(frozen=True)
class Results:
    """``after`` is the tree with the series applied (only its own files without a tree).

    ``whole`` are changed paths known from start to end, and build files of which enough is
    shown (unknown lines are blank); ``parts`` are texts of C files of
    which only added functions are known, everything else blank; ``lines`` are the lines that
    the series wrote.
    """

    before: Tree
    after: Tree
    has_tree: bool
    whole: tuple[str, ...]
    parts: Mapping[str, str]
    lines: Mapping[str, frozenset[int]]
    touched: tuple[str, ...]


def collect_results(applied: Applied, tree: Tree | None) -> Results:
    """Turn an applied series into a tree and texts."""
    before = tree if tree is not None else Tree(EmbeddedBase({}))
    after = before
    whole: list[str] = []
    parts: dict[str, str] = {}
    lines: dict[str, frozenset[int]] = {}
    broken = {p.path for p in applied.problems if p.kind in ("conflict", "unsafe-path", "absent")}
    for path, state in sorted(applied.files.items()):
        if path in broken or path in applied.opaque:
            continue
        if state is None:
            if tree is not None and before.exists(path):
                after = after.delete(path)
        elif isinstance(state, WholeFile):
            after = after.write(path, encode_diff(state.text()))
            written = frozenset(state.written_lines())
            if written:
                whole.append(path)
                lines[path] = written
        elif isinstance(state, PartialFile) and path.endswith((".c", ".h")):
            text, known = _added_functions(state)
            if known:
                parts[path] = text
                lines[path] = known
        elif isinstance(state, PartialFile) and _BUILD_FILE.search(path):
            written = frozenset(state.written_lines())
            if written:
                after = after.write(path, encode_diff(_shown_lines(state)))
                whole.append(path)
                lines[path] = written
    touched = tuple(sorted(p for p in applied.files if p not in broken))
    return Results(before, after, tree is not None, tuple(whole), parts, lines, touched)


def _shown_lines(state: PartialFile) -> str:
    """What is known of a file, other lines blank."""
    last = max(state.known, default=0)
    if last > _MOST_LINES:
        return ""
    return "".join(state.known.get(n, ("", 0))[0] + "\n" for n in range(1, last + 1))


def _added_functions(state: PartialFile) -> tuple[str, frozenset[int]]:
    """Whole top-level blocks that the series added, other lines blank, numbers kept."""
    written = [n for n, (_, origin) in sorted(state.known.items()) if origin]
    keep: set[int] = set()
    run: list[int] = []
    for number in [*written, -1]:
        if run and number != run[-1] + 1:
            keep.update(_complete_blocks(state, run))
            run = []
        run.append(number)
    if not keep or max(keep) > _MOST_LINES:
        return "", frozenset()
    text = "\n".join(state.known[n][0] if n in keep else "" for n in range(1, max(keep) + 1))
    return text + "\n", frozenset(keep)


def _complete_blocks(state: PartialFile, run: list[int]) -> list[int]:
    """The lines of a run from its first top-level line to its last closing brace."""
    texts = [state.known[n][0] for n in run]
    start = next((i for i, t in enumerate(texts) if _TOP_LEVEL.match(t) or t.startswith("/*")),
                 None)
    ends = [i for i, t in enumerate(texts) if _FUNCTION_END.match(t)]
    if start is None or not ends or ends[-1] < start:
        return []
    block = texts[start : ends[-1] + 1]
    if sum(t.count("{") for t in block) != sum(t.count("}") for t in block):
        return []
    return run[start : ends[-1] + 1]
