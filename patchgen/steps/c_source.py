"""One C file as text and as a syntax tree, on the unpreprocessed source.

The tree is tree-sitter's; its byte offsets are those of the file. What the grammar does
not know is tolerated where it cannot matter and refused where a change is to be made.
"""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from patchgen.errors import InputError
from patchgen.steps.c_view import parse_view
from patchgen.tree import Tree, clean_path

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

ARGUMENT_LISTS = frozenset({"argument_list", "initializer_list", "field_declaration_list"})
"""Where macros put types and strings that an expression grammar stumbles over."""
DEEPEST = 300
"""Levels of a syntax tree; kernel sources stay below 200, and Python's stack has a limit."""


@lru_cache(maxsize=1)
def parser() -> Parser:
    """The C parser; loading the grammar takes a few milliseconds, so only when needed."""
    import tree_sitter_c
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_c.language()))


@dataclass(frozen=True, slots=True)
class Function:
    """A function definition: name, whole node, declarator (with the parameters) and body."""

    name: str
    node: Node
    declarator: Node
    body: Node


@dataclass(frozen=True, slots=True)
class CSource:
    """A parsed C file of a tree."""

    path: str
    data: bytes
    root: Node
    original: bytes
    """The file before any step of the series; line numbers for people count in it."""

    def text(self, node: Node) -> str:
        """The source text of a node."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8")

    def line(self, node: Node) -> int:
        """The line (from 1) of the file as the user has it on which a node starts."""
        row = node.start_point.row
        if self.original != self.data:
            row = _original_row(self.original, self.data, row)
        return row + 1

    def where(self, node: Node) -> str:
        """``file:line`` of a node."""
        return f"{self.path}:{self.line(node)}"

    def functions(self, name: str = "*") -> tuple[Function, ...]:
        """The function definitions whose name matches a glob, in file order."""
        return tuple(f for f in _functions(self) if fnmatch.fnmatchcase(f.name, name))

    def refuse_unknown_syntax(self, function: Function | None = None) -> None:
        """Raise ``InputError`` for syntax the grammar does not know, where it can matter.

        That is between the functions of the file, and inside ``function`` outside of macro
        arguments. Elsewhere it cannot lead to a wrong place and is left alone.
        """
        for error in _errors(self.root):
            if not error.is_error:
                continue
            parents = tuple(ancestors(error))
            kinds = {parent.type for parent in parents}
            if kinds & ARGUMENT_LISTS:
                continue
            inside = function is not None and any(p.id == function.node.id for p in parents)
            if inside or not any(parent.type == "function_definition" for parent in parents):
                shown = " ".join(self.text(error).split())[:40]
                raise InputError(
                    f"has syntax that the C grammar does not know: {shown!r}", path=self.path,
                    line=self.line(error),
                    advice="apply this change by hand, or simplify that line first")


def load(tree: Tree, path: str) -> CSource:
    """Read and parse a file; raises ``InputError`` for what cannot be edited by structure.

    Refused: an absent file, text that is not UTF-8, CRLF line ends, NUL bytes.
    """
    text = plain_text(tree, path)
    before = tree.base.read(clean_path(path))
    return _parse(path, text, text.encode("utf-8") if before is None else before.data)


def plain_text(tree: Tree, path: str) -> str:
    """The text of a file with kernel line ends; raises ``InputError`` for any other."""
    text = tree.read(path)
    if "\r" in text:
        line = text[: text.index("\r")].count("\n") + 1
        raise InputError("has CRLF line ends", path=path, line=line,
                         advice="convert it first (dos2unix, or git's core.autocrlf=input)")
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise InputError("holds a NUL byte, so it is no C source", path=path, line=line,
                         advice="restore the file")
    return text


@lru_cache(maxsize=64)
def _parse(path: str, text: str, original: bytes) -> CSource:
    data = text.encode("utf-8")
    source = CSource(path, data, parser().parse(parse_view(data)).root_node, original)
    _refuse_deep_nesting(source)
    return source


def _refuse_deep_nesting(source: CSource) -> None:
    pending = [(source.root, 1)]
    while pending:
        node, depth = pending.pop()
        if depth > DEEPEST:
            raise InputError(f"has more than {DEEPEST} levels of nesting", path=source.path,
                             line=source.line(node), advice="no kernel source has; restore it")
        pending.extend((child, depth + 1) for child in node.children)


@lru_cache(maxsize=32)
def _changes(original: bytes, data: bytes) -> Sequence[tuple[str, int, int, int, int]]:
    return difflib.SequenceMatcher(None, data.split(b"\n"), original.split(b"\n"),
                                   autojunk=False).get_opcodes()


def _original_row(original: bytes, data: bytes, row: int) -> int:
    """The row of ``original`` that became a row of ``data``, or the nearest before it."""
    for tag, start, end, there, there_end in _changes(original, data):
        if start <= row < end:
            if tag == "equal":
                return there + row - start
            return max(0, min(there + row - start, there_end - 1))
    return row


def error_count(source: CSource) -> int:
    """How many places the grammar did not understand, macro arguments apart."""
    return sum(1 for error in _errors(source.root)
               if not any(parent.type in ARGUMENT_LISTS for parent in ancestors(error)))


def first_error(source: CSource) -> int | None:
    """The line of the first place the grammar did not understand, or None."""
    return next((source.line(error) for error in _errors(source.root)), None)


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it, in source order."""
    pending = [node]
    while pending:
        here = pending.pop()
        yield here
        pending.extend(reversed(here.children))


def ancestors(node: Node) -> Iterator[Node]:
    """The parents of a node, innermost first."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def _errors(node: Node) -> Iterator[Node]:
    if node.is_error or node.is_missing:
        yield node
        return
    if node.has_error:
        for child in node.children:
            yield from _errors(child)


def _functions(source: CSource) -> Iterator[Function]:
    pending = [source.root]
    while pending:
        node = pending.pop()
        if node.type != "function_definition":
            pending.extend(reversed(node.children))
            continue
        declarator = function_declarator(node)
        body = node.child_by_field_name("body")
        if declarator is None or body is None or body.type != "compound_statement":
            continue
        name = declarator.child_by_field_name("declarator")
        if name is not None and name.type == "identifier":
            yield Function(source.text(name), node, declarator, body)


def function_declarator(node: Node) -> Node | None:
    """The ``name(parameters)`` part below a definition or declaration, or None."""
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type != "function_declarator":
        inner = inner.child_by_field_name("declarator")
    return inner
