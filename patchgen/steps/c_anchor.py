"""Finding the one place in a file set that a change hangs on, or saying what comes nearest."""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchgen.errors import InputError
from patchgen.steps.c_pattern import (
    Bindings,
    Match,
    compile_pattern,
    find,
    plain,
)
from patchgen.steps.c_source import CSource, Function, ancestors, first_error, load, walk
from patchgen.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

NEAREST = 3


@dataclass(frozen=True, slots=True)
class Place:
    """A function in a file, with what the patterns so far have bound."""

    source: CSource
    function: Function
    bindings: Bindings


def expand(tree: Tree, patterns: Iterable[str]) -> tuple[str, ...]:
    """The files of a tree that paths or globs (in the last part only) name, sorted."""
    found: set[str] = set()
    for pattern in patterns:
        folder, _, name = pattern.rpartition("/")
        if any(mark in name for mark in "*?["):
            names = fnmatch.filter(tree.list_dir(folder), name)
            found |= {f"{folder}/{n}" if folder else n for n in names}
        elif tree.exists(pattern):
            found.add(pattern)
    return tuple(sorted(path for path in found if tree.exists(path)))


def files(tree: Tree, patterns: Sequence[str]) -> tuple[str, ...]:
    """Like ``expand``; raises ``InputError`` when no file is there."""
    found = expand(tree, patterns)
    if not found:
        folder = patterns[0].rpartition("/")[0]
        there = tree.list_dir(folder)
        near = difflib.get_close_matches(patterns[0].rpartition("/")[2], there, NEAREST, 0.4)
        advice = (f"nearest in {folder}: {', '.join(near)}" if near
                  else "is this the tree the series is for?")
        raise InputError(f"no such file in the tree (tried {', '.join(patterns)})",
                         path=patterns[0], advice=advice)
    return found


def function_in(
    tree: Tree, patterns: Sequence[str], name: str, holds: Sequence[str] = ()
) -> tuple[CSource, Function]:
    """The one function of this name (a glob) that holds one of the patterns ``holds``.

    Raises ``InputError`` when there is none (with the nearest names) or more than one.
    """
    sources = [load(tree, path) for path in files(tree, patterns)]
    named = [(s, f) for s in sources for f in s.functions(name)]
    fitting = [(s, f) for s, f in named if _holds_any(s, f, holds)]
    if len(fitting) == 1:
        return fitting[0]
    if len(fitting) > 1:
        raise twice(f"function {name}", [(s, f.node) for s, f in fitting])
    raise _no_function(sources, named, name, holds)


def _holds_any(source: CSource, function: Function, patterns: Sequence[str]) -> bool:
    return not patterns or any(
        find(source, function.node, compile_pattern(pattern)) for pattern in patterns)


def _no_function(
    sources: Sequence[CSource], named: Sequence[tuple[CSource, Function]], name: str,
    holds: Sequence[str],
) -> InputError:
    if named:
        source, function = named[0]
        return InputError(
            f"no such anchor: {function.name}() has no `{holds[0]}`",
            path=source.path, line=source.line(function.node),
            advice=_advice(nearest(source, function.node, holds[0]), source))
    everywhere = [(s, f) for s in sources for f in s.functions()]
    names = [f.name for _, f in everywhere]
    close = difflib.get_close_matches(name.replace("*", ""), names, NEAREST, 0.3)
    shown = [f"{f.name} (line {s.line(f.node)})" for s, f in everywhere if f.name in close]
    return InputError(f"no such anchor: no function {name}", path=sources[0].path, line=1,
                      advice=_advice(shown, sources[0]))


def the_one(
    source: CSource, scope: Node, patterns: Sequence[str], bindings: Bindings,
    *, holds: str | None = None, what: str = "",
) -> Match:
    """The one place below ``scope`` that fits the first pattern which fits anywhere.

    Raises ``InputError`` when none fits (with the nearest candidates) or one fits twice.
    """
    for pattern in patterns:
        found = find(source, scope, compile_pattern(pattern), bindings)
        if holds is not None:
            found = innermost(m for m in found if contains(source, m, holds))
        if len(found) == 1:
            return found[0]
        if found:
            raise twice(f"`{pattern}`", [(source, m.node) for m in found])
    raise no_anchor(source, scope, patterns[0] + (f"` holding `{holds}" if holds else ""),
                    what=what, near=patterns[0])


def contains(source: CSource, outer: Match, pattern: str) -> bool:
    """Whether a pattern fits somewhere inside a match, with its bindings."""
    return bool(find(source, outer.node, compile_pattern(pattern), outer.bindings))


def innermost(found: Iterable[Match]) -> tuple[Match, ...]:
    """The matches without those that only hold another one."""
    all_found = tuple(found)
    outer = {parent.id for m in all_found for parent in ancestors(m.node)}
    return tuple(m for m in all_found if m.node.id not in outer)


def bind(
    source: CSource, scope: Node, alternatives: Sequence[str], bindings: Bindings
) -> Bindings:
    """``bindings`` and those of the first alternative that fits, which must be unambiguous.

    Raises ``InputError`` when no alternative fits, or one fits with two meanings.
    """
    for pattern in alternatives:
        found = find(source, scope, compile_pattern(pattern), bindings)
        meanings = {tuple(sorted(m.bindings.items())) for m in found}
        if len(meanings) == 1:
            return found[0].bindings
        if meanings:
            raise twice(f"`{pattern}`", [(source, m.node) for m in found])
    raise no_anchor(source, scope, alternatives[0])


def no_anchor(
    source: CSource, scope: Node, pattern: str, *, what: str = "", near: str | None = None
) -> InputError:
    """The error for a pattern that fits nowhere below ``scope``."""
    name = next((f"{f.name}() has " for f in source.functions() if f.node.id == scope.id), "")
    return InputError(f"no such anchor{what}: {name}no `{pattern}`", path=source.path,
                      line=source.line(scope),
                      advice=_advice(nearest(source, scope, near or pattern), source))


def nearest(source: CSource, scope: Node, pattern: str) -> list[str]:
    """The places below ``scope`` that look most like a pattern: ``line N: text``."""
    wanted = compile_pattern(pattern).node
    kinds = {wanted.type} | ({"binary_expression"} if wanted.type == "binary_expression" else set())
    text = plain(pattern.encode("utf-8"))
    scored = []
    for node in walk(scope):
        if node.type in kinds and node.id != scope.id:
            shown = plain(source.data[node.start_byte : node.end_byte])
            score = difflib.SequenceMatcher(None, text, shown[:200]).ratio()
            scored.append((-score, source.line(node), shown))
    return [f"line {line}: `{shown[:60]}`" for _, line, shown in sorted(scored)[:NEAREST]]


def _advice(near: Sequence[str], source: CSource) -> str:
    advice = f"nearest: {', '.join(near)}" if near else "there is nothing like it in the file"
    line = first_error(source)
    if line is not None:
        advice += f" (the C grammar does not know what stands on line {line})"
    return advice


def twice(what: str, places: Sequence[tuple[CSource, Node]]) -> InputError:
    """The error for an anchor that is there more than once."""
    where = ", ".join(source.where(node) for source, node in places)
    source, node = places[0]
    return InputError(f"anchor found {len(places)} times: {what} ({where})", path=source.path,
                      line=source.line(node),
                      advice="it is not clear which one is meant; change this by hand")
