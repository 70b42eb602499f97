"""Step ``c-condition``: widen, narrow or replace the condition of an ``if`` or a loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import msgspec

from patchgen.errors import InputError
from patchgen.steps.base import StepContext
from patchgen.steps.c_anchor import Place, no_anchor, twice
from patchgen.steps.c_edit import (
    Edit,
    block_comment,
    column_of,
    commit,
    in_block,
    indentation,
    line_start,
    starts_line,
)
from patchgen.steps.c_layout import (
    Condition,
    exchange,
    join,
    parse_condition,
    read_condition,
    set_condition,
)
from patchgen.steps.c_pattern import (
    Bindings,
    bare,
    chain,
    compile_pattern,
    fill,
    find,
    find_terms,
    operator_of,
)
from patchgen.steps.c_source import CSource, ancestors, walk
from patchgen.steps.rewrite_base import (
    Alternatives,
    FunctionStep,
    check_pattern,
    patterns_of,
    rendered,
    several,
)
from patchgen.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

Keyword = Literal["if", "while", "for"]


@dataclass(frozen=True, slots=True)
class _Anchor:
    statement: Node
    condition: Node
    terms: tuple[Node, ...]
    bindings: Bindings


class ConditionStep(FunctionStep, tag="c-condition", frozen=True, kw_only=True):
    """Changes a condition where the terms of ``match`` stand; exactly one of three ways.

    ``or``: terms become ``(terms) || text``. ``and``: terms become ``terms && text``.
    ``with``: the text stands in their place. Without ``match`` the whole condition is meant.
    """

    statement: Keyword = "if"
    holds: str | None = None
    """The statement must contain this; of nested ones the innermost counts."""
    match: Alternatives = ()
    or_: str | None = msgspec.field(name="or", default=None)
    and_: str | None = msgspec.field(name="and", default=None)
    with_: str | None = msgspec.field(name="with", default=None)
    comment: str | None = None
    """A comment to go above the statement, wrapped to fit."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if sum(text is not None for text in (self.or_, self.and_, self.with_)) != 1:
            raise ValueError("or: name one of or, and, with")
        for pattern in (*several(self.match), *([self.holds] if self.holds else [])):
            check_pattern(pattern)

    def is_done(self, tree: Tree, context: StepContext) -> str | None:
        """See ``FunctionStep.is_done``."""
        found = super().is_done(tree, context)
        if found is not None:
            return found
        written = rendered(self.or_ or self.and_ or self.with_ or "", context)
        if "${" in written:
            return None
        place = self.place(tree, context)
        new = compile_pattern(written)
        for _, condition in self._statements(place, context):
            there = find_terms(place.source, condition, new, place.bindings)
            if there:
                return place.source.where(there[0][0][0])
        return None

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """See ``CStep.change``."""
        place = self.place(tree, context)
        source = place.source
        anchor = self._anchor(place, context)
        new = self._changed(source, anchor, parse_condition(self._text(anchor, context)))
        start, end = _inner_span(anchor.condition)
        trail = len(source.data[end:].split(b"\n", 1)[0].decode("utf-8"))
        edits = [Edit(start, end, set_condition(new, column_of(source, start), trail))]
        if self.comment:
            edits.append(self._comment_edit(source, anchor.statement, context))
        return commit(tree, source, edits)

    def _text(self, anchor: _Anchor, context: StepContext) -> str:
        text = self.or_ or self.and_ or self.with_ or ""
        return fill(rendered(text, context), anchor.bindings)

    def _changed(self, source: CSource, anchor: _Anchor, text: Condition) -> Condition:
        condition = read_condition(source.data, anchor.condition)
        nodes = frozenset(bare(term).id for term in anchor.terms)
        if self.with_ is not None:
            return exchange(condition, nodes, text)
        return join(condition, nodes, "||" if self.or_ else "&&", text)

    def _anchor(self, place: Place, context: StepContext) -> _Anchor:
        source, scope = place.source, place.function.node
        statements = self._statements(place, context)
        patterns = patterns_of(self.match, context)
        if not patterns:
            if len(statements) == 1:
                condition = statements[0][1]
                return _Anchor(*statements[0], tuple(_all_terms(condition)), place.bindings)
            if statements:
                raise twice(f"{self.statement} statement", [(source, s) for s, _ in statements])
            raise no_anchor(source, scope, self.holds or f"{self.statement} ($_) {{ $$$; }}",
                            what=f" for the {self.statement} statement")
        for pattern in patterns:
            found = [
                _Anchor(statement, condition, terms, bindings)
                for statement, condition in statements
                for terms, bindings in find_terms(source, condition, compile_pattern(pattern),
                                                  place.bindings)
            ]
            if len(found) == 1:
                return found[0]
            if found:
                raise twice(f"`{pattern}`", [(source, a.terms[0]) for a in found])
        raise no_anchor(source, scope, patterns[0], what=" in a condition")

    def _statements(self, place: Place, context: StepContext) -> Sequence[tuple[Node, Node]]:
        source = place.source
        found = []
        for node in walk(place.function.node):
            if node.type != f"{self.statement}_statement":
                continue
            # Masked for_each macros look like loops, but have no condition.
            if not source.text(node).startswith(self.statement):
                continue
            condition = node.child_by_field_name("condition")
            if condition is None:
                continue
            if self.holds is None or find(source, node,
                                          compile_pattern(rendered(self.holds, context)),
                                          place.bindings):
                found.append((node, condition))
        if self.holds is None:
            return found
        outer = {parent.id for node, _ in found for parent in ancestors(node)}
        return [(node, condition) for node, condition in found if node.id not in outer]

    def _comment_edit(self, source: CSource, statement: Node, context: StepContext) -> Edit:
        by = indentation(source, statement)
        text = block_comment(rendered(self.comment or "", context), by)
        at = statement.start_byte
        if starts_line(source, statement):
            at = line_start(source, at)
            return Edit(at, at, text)
        if not in_block(statement):
            raise InputError("no line of its own for a comment above this statement",
                             path=source.path, line=source.line(statement),
                             advice="put the statement on its own line first")
        return Edit(len(source.data[:at].rstrip(b" \t")), at, f"\n{text}{by}")


def _all_terms(condition: Node) -> list[Node]:
    operator = operator_of(condition)
    return chain(condition, operator) if operator in ("&&", "||") else [condition]


def _inner_span(condition: Node) -> tuple[int, int]:
    """Start and end of a condition without the parentheses of its statement."""
    if condition.type == "parenthesized_expression":
        return condition.start_byte + 1, condition.end_byte - 1
    return condition.start_byte, condition.end_byte
