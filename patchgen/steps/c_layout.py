"""How a condition or an argument list is set in kernel style.

Documentation/process/coding-style.rst, "Breaking long lines": 80 columns, tabs of eight,
and (checkpatch --strict) operators at line ends, continuation lines below the open
parenthesis.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchgen.steps.c_pattern import bare, chain, compile_pattern, operator_of, plain

if TYPE_CHECKING:
    from tree_sitter import Node

COLUMNS = 80


@dataclass(frozen=True, slots=True)
class Term:
    """One operand of a condition, with the comments that stand beside it."""

    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    node: int = 0
    """Id of the syntax node, 0 for a new term."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Operands that one operator (``&&`` or ``||``) joins."""

    operator: str
    items: tuple[Term | Chain, ...]


Condition = Term | Chain


def read_condition(data: bytes, node: Node) -> Condition:
    """The condition below a syntax node of the file with these bytes.

    A comment belongs to the operand that ends on its line before it, else to the next one.
    """
    comments = _comments(node)
    if operator_of(node) not in ("&&", "||"):
        node = bare(node)
    leaves = _leaves(node)
    beside: dict[int, tuple[list[str], list[str]]] = {leaf.id: ([], []) for leaf in leaves}
    for comment in comments:
        text = data[comment.start_byte : comment.end_byte].decode("utf-8")
        earlier = [leaf for leaf in leaves if leaf.end_byte <= comment.start_byte]
        later = [leaf for leaf in leaves if leaf.start_byte >= comment.end_byte]
        same_line = earlier and b"\n" not in data[earlier[-1].end_byte : comment.start_byte]
        if earlier and (same_line or not later):
            beside[earlier[-1].id][1].append(text)
        else:
            beside[later[0].id][0].append(text)
    return _read(data, node, beside)


def parse_condition(text: str) -> Condition:
    """A condition written out, such as ``a && (b || c)``; raises ``InputError`` otherwise."""
    node = compile_pattern(text).node
    root = node
    while root.parent is not None:
        root = root.parent
    return _read(root.text or b"", node, {})


def _read(data: bytes, node: Node, beside: Mapping[int, tuple[list[str], list[str]]]) -> Condition:
    operator = operator_of(node)
    if operator in ("&&", "||"):
        return Chain(operator, tuple(_read(data, term, beside) for term in chain(node, operator)))
    raw = data[node.start_byte : node.end_byte]
    text = raw.decode("utf-8") if b"/*" in raw or b"//" in raw else plain(raw)
    before, after = beside.get(node.id, ((), ()))
    return Term(text, tuple(before), tuple(after), bare(node).id if beside else 0)


def _leaves(node: Node) -> list[Node]:
    operator = operator_of(node)
    if operator not in ("&&", "||"):
        return [node]
    return [leaf for term in chain(node, operator) for leaf in _leaves(term)]


def _comments(node: Node) -> list[Node]:
    """Comments between the operands of a condition, not inside them."""
    found = []
    for child in node.children:
        if child.type == "comment":
            found.append(child)
        elif operator_of(child) in ("&&", "||"):
            found += _comments(child)
    return found


def join(
    condition: Condition, nodes: frozenset[int], operator: str, extra: Condition
) -> Condition:
    """The condition in which the terms with these node ids are joined with ``extra``.

    ``a && b`` with {a, b}, ``||`` and c becomes ``(a && b) || c``. A chain of the same
    operator just gets longer. Raises ``KeyError`` when the terms do not stand together.
    """
    if isinstance(condition, Term):
        if condition.node in nodes:
            return Chain(operator, (condition, *_flat_items(extra, operator)))
        raise KeyError(condition.node)
    mine = [i for i, item in enumerate(condition.items)
            if isinstance(item, Term) and item.node in nodes]
    if not mine:
        return _join_below(condition, nodes, operator, extra)
    items = condition.items
    if operator == condition.operator:
        at = mine[-1] + 1
        new = (*items[:at], *_flat_items(extra, operator), *items[at:])
        return replace(condition, items=new)
    chosen = tuple(items[i] for i in mine)
    group = chosen[0] if len(chosen) == 1 else replace(condition, items=chosen)
    joined = Chain(operator, (group, *_flat_items(extra, operator)))
    if len(chosen) == len(items):
        return joined
    rest = [item for i, item in enumerate(items) if i not in mine]
    rest.insert(mine[0], joined)
    return replace(condition, items=tuple(rest))


def _join_below(
    condition: Chain, nodes: frozenset[int], operator: str, extra: Condition
) -> Condition:
    items: list[Condition] = []
    done = False
    for item in condition.items:
        try:
            if done or isinstance(item, Term):
                items.append(item)
                continue
            inner = join(item, nodes, operator, extra)
        except KeyError:
            items.append(item)
            continue
        done = True
        if isinstance(inner, Chain) and inner.operator == condition.operator:
            items += inner.items
        else:
            items.append(inner)
    if not done:
        raise KeyError(next(iter(nodes), 0))
    return replace(condition, items=tuple(items))


def _flat_items(extra: Condition, operator: str) -> tuple[Condition, ...]:
    if isinstance(extra, Chain) and extra.operator == operator:
        return extra.items
    return (extra,)


def exchange(condition: Condition, nodes: frozenset[int], new: Condition) -> Condition:
    """The condition in which ``new`` stands where the first of these terms stood."""
    if isinstance(condition, Term):
        return new if condition.node in nodes else condition
    items: list[Condition] = []
    placed = False
    for item in condition.items:
        if isinstance(item, Chain):
            items.append(exchange(item, nodes, new))
        elif item.node not in nodes:
            items.append(item)
        elif not placed:
            items += _flat_items(new, condition.operator)
            placed = True
    return items[0] if len(items) == 1 else replace(condition, items=tuple(items))


class _Page:
    """Lines under construction, with the visual column of their end."""

    def __init__(self, column: int) -> None:
        self.lines = [""]
        self.column = column
        self.must_break = False

    def write(self, text: str) -> None:
        first, *more = text.split("\n")
        self.lines[-1] += first
        self.column += len(first)
        for line in more:
            self.lines.append(line)
            self.column = len(line.expandtabs(8))

    def new_line(self, column: int) -> None:
        self.lines[-1] = self.lines[-1].rstrip()
        self.lines.append("\t" * (column // 8) + " " * (column % 8))
        self.column = column
        self.must_break = False


def set_condition(condition: Condition, column: int, trail: int) -> str:
    """The text of a condition whose first character stands at ``column`` (from 0).

    ``trail`` is how many columns must stay free behind its end.
    """
    page = _Page(column)
    if isinstance(condition, Term):
        condition = Chain("&&", (condition,))
    _write(page, condition, trail)
    if page.must_break:
        page.new_line(column)
    return "\n".join(page.lines)


def _flat(condition: Condition, *, nested: bool = True) -> str | None:
    if isinstance(condition, Term):
        words = [*condition.before, condition.text, *condition.after]
        if "\n" in condition.text or any(w.startswith("//") or "\n" in w for w in words):
            return None
        return " ".join(words)
    parts = [_flat(item) for item in condition.items]
    if any(part is None for part in parts):
        return None
    joined = f" {condition.operator} ".join(part for part in parts if part is not None)
    return f"({joined})" if nested else joined


def _write(page: _Page, condition: Chain, trail: int) -> None:
    column = page.column
    for index, item in enumerate(condition.items):
        last = index == len(condition.items) - 1
        behind = trail if last else len(condition.operator) + 1
        text = _flat(item)
        fits = text is not None and page.column + 1 + len(text) + behind <= COLUMNS
        if index and fits and not page.must_break:
            page.write(" ")
        elif index:
            page.new_line(column)
        if isinstance(item, Term):
            _write_term(page, item, "" if last else f" {condition.operator}", column)
            continue
        if text is not None and page.column + len(text) + behind <= COLUMNS:
            page.write(text)
        else:
            page.write("(")
            inner = page.column
            _write(page, item, behind + 1)
            if page.must_break:
                page.new_line(inner)
            page.write(")")
        if not last:
            page.write(f" {condition.operator}")


def _write_term(page: _Page, term: Term, operator: str, column: int) -> None:
    for comment in term.before:
        page.write(comment)
        if comment.startswith("//") or "\n" in comment:
            page.new_line(column)
        else:
            page.write(" ")
    page.write(term.text + operator)
    for comment in term.after:
        page.write(" " + comment)
        page.must_break = page.must_break or comment.startswith("//") or "\n" in comment


def set_list(items: Sequence[str], column: int, trail: int) -> str:
    """``items`` joined by commas, filled below ``column`` with ``trail`` columns kept free."""
    page = _Page(column)
    for index, item in enumerate(items):
        last = index == len(items) - 1
        if index:
            behind = trail if last else 1
            if page.column + 1 + len(item) + behind <= COLUMNS:
                page.write(" ")
            else:
                page.new_line(column)
        page.write(item + ("" if last else ","))
    return "\n".join(page.lines)


_CALL = re.compile(r"(\s*(?:[\w.>\[\]-]+ = )?\w+\()(.*)(\);)")


def fit_call(line: str) -> str:
    """A line with one call, its arguments below one another where the line is too long."""
    found = _CALL.fullmatch(line)
    if found is None or len(line.expandtabs(8)) <= COLUMNS:
        return line
    head, arguments, tail = found.groups()
    items = split_list(arguments)
    return head + set_list(items, len(head.expandtabs(8)), len(tail)) + tail


def split_list(text: str) -> list[str]:
    """The items between the commas of a list that stand in no inner parentheses."""
    items = [""]
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and not depth:
            items.append("")
        else:
            items[-1] += character
    return [item.strip() for item in items]
