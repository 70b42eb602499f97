"""Patterns over C syntax: write the C you look for, with holes.

``$name`` stands for any one node and is bound (the same name twice must mean the same
text), ``$_`` is not bound, ``$$$`` stands for any number of arguments, parameters or
statements. Comments, white space and parentheses around expressions do not count; the
operands of ``&&``, ``||``, ``==`` and ``!=`` match in any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from patchgen.errors import InputError
from patchgen.steps.c_source import CSource, parser, walk

if TYPE_CHECKING:
    from tree_sitter import Node

Kind = Literal["expression", "statement", "parameter"]
Bindings = Mapping[str, str]

_HOLE = re.compile(r"\$(\w+)")
_SEQUENCE = "$$$"
_ASSOCIATIVE = ("&&", "||")
_SYMMETRIC = ("==", "!=")
_LEAVES = frozenset({"string_literal", "char_literal", "number_literal", "system_lib_string"})


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern: what was written, and its syntax tree."""

    written: str
    node: Node


@dataclass(frozen=True, slots=True)
class Match:
    """A place that fits a pattern, and what its holes stand for."""

    node: Node
    bindings: Bindings


@lru_cache(maxsize=512)
def compile_pattern(written: str) -> Pattern:
    """A statement when it ends in ``;`` or ``}``, else an expression or a parameter.

    Raises ``InputError`` when it is not C.
    """
    text = written.strip()
    for before, after, kind in _wrappings(text):
        root = parser().parse(f"{before}{text}{after}".encode()).root_node
        if root.has_error:
            continue
        found = _unwrap(root, kind)
        if found is not None:
            return Pattern(written, found)
    raise InputError(f"{written!r} is not a pattern of C",
                     advice="write one statement (with its semicolon) or one expression")


def _wrappings(text: str) -> Iterator[tuple[str, str, Kind]]:
    if text.endswith((";", "}")):
        yield "void f(void) {\n", "\n}\n", "statement"
    else:
        yield "int x = ", "\n;\n", "expression"
        yield "void f(", "\n);\n", "parameter"


def _unwrap(root: Node, kind: Kind) -> Node | None:
    if kind == "statement":
        body = root.children[0].child_by_field_name("body")
        inner = [] if body is None else body.named_children
        return inner[0] if len(inner) == 1 else None
    if kind == "expression":
        wanted = [n for n in walk(root) if n.type == "init_declarator"]
        return wanted[0].child_by_field_name("value") if wanted else None
    wanted = [n for n in walk(root) if n.type == "parameter_declaration"]
    return wanted[0] if len(wanted) == 1 else None


def find(
    source: CSource, scope: Node, pattern: Pattern, bindings: Bindings | None = None
) -> tuple[Match, ...]:
    """All places below ``scope`` that fit, outermost first, with ``bindings`` already fixed."""
    found: list[Match] = []
    for node in walk(scope):
        bound = None if node.is_error else _match(source, pattern.node, node, bindings or {})
        if bound is None:
            continue
        # A parenthesis and what it holds are one place.
        if not found or bare(found[-1].node).id != bare(node).id:
            found.append(Match(node, bound))
    return tuple(found)


def _match(source: CSource, pattern: Node, node: Node, bound: Bindings) -> Bindings | None:
    hole = _hole(pattern)
    if hole is not None:
        return _bind(source, hole, node, bound)
    pattern, node = bare(pattern), bare(node)
    hole = _hole(pattern)
    if hole is not None:
        return _bind(source, hole, node, bound)
    if pattern.type != node.type:
        return None
    if pattern.type in _LEAVES or not pattern.children:
        return bound if plain(pattern.text or b"") == _plain(source, node) else None
    operator = _operator(pattern)
    if operator in _ASSOCIATIVE and operator == _operator(node):
        terms, there = chain(pattern, operator), chain(node, operator)
        if len(terms) != len(there):
            return None
        return _any_order(source, terms, there, bound)
    if operator in _SYMMETRIC and operator == _operator(node):
        return _any_order(source, _operands(pattern), _operands(node), bound)
    return _children(source, _parts(pattern), _parts(node), bound)


def _children(
    source: CSource, patterns: Sequence[Node], nodes: Sequence[Node], bound: Bindings
) -> Bindings | None:
    if not patterns:
        return None if nodes else bound
    head = patterns[0]
    if _is_sequence(head):
        rest = patterns[1:]
        # A comma between the sequence and its neighbours belongs to the sequence.
        for taken in range(len(nodes) + 1):
            after = _drop_comma(rest, nodes[taken:], taken)
            if after is not None:
                result = _children(source, *after, bound)
                if result is not None:
                    return result
        return None
    if len(patterns) > 1 and head.type == "," and _is_sequence(patterns[1]) and not (
        nodes and nodes[0].type == ","
    ):
        return _children(source, patterns[2:], nodes, bound)
    if not nodes:
        return None
    now = _match(source, head, nodes[0], bound)
    return None if now is None else _children(source, patterns[1:], nodes[1:], now)


def _drop_comma(
    rest: Sequence[Node], nodes: Sequence[Node], taken: int
) -> tuple[Sequence[Node], Sequence[Node]] | None:
    if not rest or rest[0].type != ",":
        return rest, nodes
    if taken == 0:
        return rest[1:], nodes
    return (rest, nodes) if nodes and nodes[0].type == "," else None


def _any_order(
    source: CSource, patterns: Sequence[Node], nodes: Sequence[Node], bound: Bindings
) -> Bindings | None:
    if not patterns:
        return bound
    for index, node in enumerate(nodes):
        now = _match(source, patterns[0], node, bound)
        if now is not None:
            rest = [*nodes[:index], *nodes[index + 1 :]]
            result = _any_order(source, patterns[1:], rest, now)
            if result is not None:
                return result
    return None


def find_terms(
    source: CSource, scope: Node, pattern: Pattern, bindings: Bindings | None = None
) -> tuple[tuple[tuple[Node, ...], Bindings], ...]:
    """Where the terms of a pattern such as ``a && b`` stand together in one chain.

    The chain may have more terms. A pattern without ``&&`` or ``||`` fits a single term.
    """
    operator = _operator(bare(pattern.node))
    if operator not in _ASSOCIATIVE:
        return tuple(((m.node,), m.bindings) for m in find(source, scope, pattern, bindings))
    terms = chain(pattern.node, operator)
    found = []
    for node in walk(scope):
        if _operator(node) != operator or _inside_chain(node, operator):
            continue
        fitting = _subset(source, terms, chain(node, operator), bindings or {})
        if fitting is not None:
            found.append(fitting)
    return tuple(found)


def _subset(
    source: CSource, patterns: Sequence[Node], nodes: Sequence[Node], bound: Bindings
) -> tuple[tuple[Node, ...], Bindings] | None:
    if not patterns:
        return (), bound
    for index, node in enumerate(nodes):
        now = _match(source, patterns[0], node, bound)
        if now is not None:
            rest = [*nodes[:index], *nodes[index + 1 :]]
            result = _subset(source, patterns[1:], rest, now)
            if result is not None:
                return (node, *result[0]), result[1]
    return None


def _inside_chain(node: Node, operator: str) -> bool:
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    return parent is not None and _operator(parent) == operator


def chain(node: Node, operator: str) -> list[Node]:
    """The terms that ``operator`` joins, left to right, through parentheses."""
    inner = bare(node)
    if _operator(inner) != operator:
        return [node]
    return [term for side in _operands(inner) for term in chain(side, operator)]


def _operands(node: Node) -> list[Node]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    return [side for side in (left, right) if side is not None]


def operator_of(node: Node) -> str | None:
    """``&&``, ``==``, … of a binary expression (through parentheses), else None."""
    return _operator(bare(node))


def _operator(node: Node) -> str | None:
    if node.type != "binary_expression":
        return None
    operator = node.child_by_field_name("operator")
    return None if operator is None else operator.type


def bare(node: Node) -> Node:
    """The expression inside any parentheses around it."""
    while node.type == "parenthesized_expression":
        inner = [child for child in node.named_children if child.type != "comment"]
        if len(inner) != 1:
            break
        node = inner[0]
    return node


def _parts(node: Node) -> list[Node]:
    return [child for child in node.children if child.type != "comment"]


def _hole(pattern: Node) -> str | None:
    if pattern.children or pattern.text is None:
        return None
    found = _HOLE.fullmatch(pattern.text.decode())
    return found[1] if found else None


def _is_sequence(pattern: Node) -> bool:
    text = (pattern.text or b"").decode().rstrip(";").strip()
    return text == _SEQUENCE


def _bind(source: CSource, hole: str, node: Node, bound: Bindings) -> Bindings | None:
    if not node.is_named or node.type == "comment":
        return None
    if hole == "_":
        return bound
    text = _plain(source, bare(node))
    if hole in bound:
        return bound if bound[hole] == text else None
    return {**bound, hole: text}


def _plain(source: CSource, node: Node) -> str:
    return plain(source.data[node.start_byte : node.end_byte])


_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def plain(text: bytes) -> str:
    """Source text on one line, without comments and needless spaces."""
    joined = " ".join(_COMMENT.sub(" ", text.decode("utf-8")).split())
    return re.sub(r"(?<=[(\[]) | (?=[)\],])| (?=->)|(?<=->) ", "", joined)


_USE = re.compile(r"\$(\w+)|\$\{(\w+)(?:-(\w+))?\}")


def fill(text: str, bindings: Bindings) -> str:
    """``text`` with every ``$name`` (or ``${name}``) replaced by what it is bound to.

    ``${name-end}`` is the binding without ``end`` at its end, so that the names of kindred
    functions can be made. Raises ``InputError`` for an unbound name or another ending.
    """

    def replace(found: re.Match[str]) -> str:
        name, ending = found[1] or found[2], found[3]
        if name not in bindings:
            raise InputError(f"${name} is used but no pattern binds it",
                             advice="bind it in match or given")
        value = bindings[name]
        if ending is None:
            return value
        if not value.endswith(ending):
            raise InputError(f"no such anchor: {value} does not end in {ending}")
        return value.removesuffix(ending)

    return _USE.sub(replace, text)
