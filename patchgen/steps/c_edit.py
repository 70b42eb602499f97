"""Changes to a C file as edits of byte ranges: the rest of the file stays as it is."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchgen.errors import InputError
from patchgen.steps.c_layout import COLUMNS, fit_call
from patchgen.steps.c_source import CSource, error_count, load
from patchgen.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

_ONLY_COMMENT = re.compile(rb"\s*(?://[^\n]*|/\*(?:(?!\*/)[^\n])*\*/)?\s*")

BLOCKS = frozenset({"compound_statement", "case_statement", "translation_unit"})


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes ``start`` to ``end`` (exclusive) of a file become ``text``."""

    start: int
    end: int
    text: str


def commit(tree: Tree, source: CSource, edits: Iterable[Edit]) -> Tree:
    """The tree with the edits made; raises ``InputError`` if the result is worse C.

    The edits must not overlap.
    """
    data = source.data
    for edit in sorted(edits, key=lambda e: (e.start, e.end), reverse=True):
        data = data[: edit.start] + edit.text.encode("utf-8") + data[edit.end :]
    after = tree.write(source.path, data)
    if error_count(load(after, source.path)) > error_count(source):
        raise InputError("the change would not be C that the grammar knows", path=source.path,
                         advice="look at what stands around the anchor, or change it by hand")
    return after


def line_start(source: CSource, offset: int) -> int:
    """Offset of the first byte of the line that holds ``offset``."""
    return source.data.rfind(b"\n", 0, offset) + 1


def line_end(source: CSource, offset: int) -> int:
    """Offset just behind the line break of the line that holds ``offset``."""
    found = source.data.find(b"\n", offset)
    return len(source.data) if found < 0 else found + 1


def indentation(source: CSource, node: Node) -> str:
    """The white space at the start of a node's line."""
    line = source.data[line_start(source, node.start_byte) : node.start_byte]
    return line[: len(line) - len(line.lstrip(b" \t"))].decode()


def column_of(source: CSource, offset: int) -> int:
    """The visual column (from 0, tabs of eight) of an offset."""
    line = source.data[line_start(source, offset) : offset].decode("utf-8")
    return len(line.expandtabs(8))


def starts_line(source: CSource, node: Node) -> bool:
    """Whether only white space stands before a node on its line."""
    return not source.data[line_start(source, node.start_byte) : node.start_byte].strip()


def indent(text: str, by: str) -> str:
    """``text`` with ``by`` before every line that is not empty (or a preprocessor line).

    One blank line at its end is kept: it sets the text off from what follows.
    """
    lines = [line if not line or line.startswith("#") else fit_call(by + line)
             for line in text.strip("\n").split("\n")]
    return "\n".join(lines) + ("\n\n" if text.endswith("\n\n") else "\n")


def block_comment(text: str, by: str) -> str:
    """A comment in kernel style (coding-style.rst), its lines starting with ``by``."""
    words = " ".join(text.split())
    room = COLUMNS - len(by.expandtabs(8)) - len(" * ")
    if len(words) <= room - len(" */"):
        return f"{by}/* {words} */\n"
    lines = textwrap.wrap(words, room, break_long_words=False, break_on_hyphens=False)
    return f"{by}/*\n" + "".join(f"{by} * {line}\n" for line in lines) + f"{by} */\n"


def comment_start(source: CSource, node: Node) -> int:
    """Start of the line of a node, or of the comments that stand directly above it."""
    start = line_start(source, node.start_byte)
    earlier = node.prev_sibling
    while earlier is not None and earlier.type == "comment" and starts_line(source, earlier):
        if source.data[earlier.end_byte : start].strip(b" \t") not in (b"\n", b""):
            break
        start = line_start(source, earlier.start_byte)
        earlier = earlier.prev_sibling
    return start


def insert_before(source: CSource, node: Node, text: str) -> list[Edit]:
    """Statements before a statement and the comments directly above it."""
    if not in_block(node):
        return _with_braces(source, node, before=text)
    by = indentation(source, node)
    if starts_line(source, node):
        at = comment_start(source, node)
        return [Edit(at, at, indent(text, by))]
    at = node.start_byte
    gap = len(source.data[:at]) - len(source.data[:at].rstrip(b" \t"))
    inner = by + "\t"
    return [Edit(at - gap, at, "\n" + indent(text, inner) + inner)]


def insert_after(source: CSource, node: Node, text: str) -> list[Edit]:
    """Statements behind a statement (and a comment at the end of its line)."""
    if not in_block(node):
        return _with_braces(source, node, after=text)
    by = indentation(source, node)
    end = line_end(source, node.end_byte)
    if _ONLY_COMMENT.fullmatch(source.data[node.end_byte : end]):
        return [Edit(end, end, indent(text, by))]
    return [Edit(node.end_byte, node.end_byte, "\n" + indent(text, by).rstrip("\n"))]


def replace_statement(source: CSource, node: Node, text: str) -> list[Edit]:
    """Statements in the place of a statement, with braces where they are now needed."""
    if not in_block(node):
        if text.strip().count(";") > 1:
            return _with_braces(source, node, instead=text)
        return [Edit(node.start_byte, node.end_byte, text.strip())]
    by = indentation(source, node) if starts_line(source, node) else (
        indentation(source, node) + "\t")
    new = indent(text, by).rstrip("\n")
    if starts_line(source, node):
        return [Edit(node.start_byte, node.end_byte, new.removeprefix(by))]
    at = len(source.data[: node.start_byte].rstrip(b" \t"))
    return [Edit(at, node.end_byte, "\n" + new)]


def delete_lines(source: CSource, first: Node, last: Node) -> list[Edit]:
    """Whole lines from one node to another, and the blank line that would be one too many.

    Only the nodes themselves where they share their lines with something else.
    """
    start = line_start(source, first.start_byte)
    end = line_end(source, max(first.start_byte, last.end_byte - 1))
    if not starts_line(source, first) or source.data[last.end_byte : end].strip():
        return [Edit(first.start_byte, last.end_byte, "")]
    above = source.data[:start].rstrip(b" \t")
    below = source.data[end:].lstrip(b" \t")
    if above.endswith(b"\n\n") and (below.startswith((b"\n", b"}")) or not below):
        start = len(above) - 1
    elif above.endswith(b"{\n") and below.startswith(b"\n"):
        end += source.data[end:].index(b"\n") + 1
    return [Edit(start, end, "")]


def in_block(node: Node) -> bool:
    """Whether a second statement may stand beside this one without braces."""
    parent = node.parent
    if parent is None:
        return False
    return parent.type in BLOCKS or parent.type.startswith("preproc_") or (
        parent.type == "labeled_statement" and in_block(parent))


def _with_braces(
    source: CSource, node: Node, *, before: str = "", after: str = "", instead: str = ""
) -> list[Edit]:
    """A lone statement below ``if``, ``else`` or a loop becomes a block with more in it."""
    parent = node.parent
    head = node.prev_sibling
    if parent is None or head is None:
        raise InputError("this statement stands where none can be added", path=source.path,
                         line=source.line(node), advice="put it in braces first")
    outer = indentation(source, parent)
    inner = outer + "\t"
    own = instead or "\n".join(
        line.removeprefix(indentation(source, node)) for line in source.text(node).split("\n"))
    body = "".join(indent(part, inner) for part in (before, own, after) if part)
    while head.type == "comment" and head.prev_sibling is not None:
        body = indent(source.text(head), inner) + body
        head = head.prev_sibling
    end = node.end_byte
    tail = outer + "}"
    follows = re.match(rb"\s*(?=else\b)", source.data[end:])
    if follows and parent.type == "if_statement":
        end += follows.end()
        tail += " "
    return [Edit(head.end_byte, end, " {\n" + body + tail)]
