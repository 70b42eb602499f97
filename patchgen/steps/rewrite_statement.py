"""Steps on the statements of a function: insert, replace, delete, declare a variable."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from patchgen.errors import InputError
from patchgen.steps.base import StepContext
from patchgen.steps.c_anchor import Place, no_anchor, the_one
from patchgen.steps.c_edit import (
    Edit,
    commit,
    delete_lines,
    indentation,
    insert_after,
    insert_before,
    line_end,
    line_start,
    replace_statement,
)
from patchgen.steps.c_pattern import Match, compile_pattern, fill, find
from patchgen.steps.c_source import CSource, walk
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


class InsertStep(FunctionStep, tag="c-insert", frozen=True, kw_only=True):
    """Inserts statements before or after a statement, or at the end of its block."""

    text: str
    before: Alternatives = ()
    after: Alternatives = ()
    end_of: Alternatives = ()
    holds: str | None = None
    """The anchor must contain this; of nested ones the innermost counts."""
    instead_of: Alternatives = ()
    """Statements inside the anchor in whose place the text goes, where there is one."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if sum(map(bool, (self.before, self.after, self.end_of))) != 1:
            raise ValueError("before: name one of before, after and end_of")
        for group in (self.before, self.after, self.end_of, self.instead_of):
            for pattern in several(group):
                check_pattern(pattern)

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """See ``CStep.change``."""
        place = self.place(tree, context)
        source = place.source
        patterns = patterns_of(self.before or self.after or self.end_of, context)
        anchor = the_one(source, place.function.node, patterns, place.bindings,
                         holds=self.holds)
        text = fill(rendered(self.text, context), anchor.bindings)
        old = self._replaced(source, anchor, context)
        if old is not None:
            return commit(tree, source, replace_statement(source, old, text))
        if self.before:
            return commit(tree, source, insert_before(source, anchor.node, text))
        if self.after:
            return commit(tree, source, insert_after(source, anchor.node, text))
        return commit(tree, source, _at_end(source, anchor.node, text))

    def _replaced(self, source: CSource, anchor: Match, context: StepContext) -> Node | None:
        for pattern in patterns_of(self.instead_of, context):
            found = find(source, anchor.node, compile_pattern(pattern), anchor.bindings)
            if found:
                return the_one(source, anchor.node, [pattern], anchor.bindings).node
        return None


def _at_end(source: CSource, statement: Node, text: str) -> list[Edit]:
    body = statement.child_by_field_name("body") or statement.child_by_field_name("consequence")
    if body is None or body.type != "compound_statement":
        raise InputError("the anchor has no block to put a statement at the end of",
                         path=source.path, line=source.line(statement),
                         advice="put its body in braces first")
    inside = [child for child in body.named_children if child.type != "comment"]
    if not inside:
        raise no_anchor(source, body, "$_;", what=" in an empty block")
    return insert_after(source, inside[-1], text)


class ReplaceStep(FunctionStep, tag="c-replace", frozen=True, kw_only=True):
    """Replaces one statement (or, with ``every``, all that fit) by others."""

    match: Alternatives
    with_: str = msgspec.field(name="with")
    holds: str | None = None
    every: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for pattern in several(self.match):
            check_pattern(pattern)

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """See ``CStep.change``."""
        place = self.place(tree, context)
        patterns = patterns_of(self.match, context)
        found = self._every(place, patterns[0]) if self.every else ()
        if not found:
            found = (the_one(place.source, place.function.node, patterns, place.bindings,
                             holds=self.holds),)
        text = rendered(self.with_, context)
        edits = [edit for m in found
                 for edit in replace_statement(place.source, m.node, fill(text, m.bindings))]
        return commit(tree, place.source, edits)

    def _every(self, place: Place, pattern: str) -> tuple[Match, ...]:
        return find(place.source, place.function.node, compile_pattern(pattern), place.bindings)


class DeleteStep(FunctionStep, tag="c-delete", frozen=True, kw_only=True):
    """Deletes a statement, or a run of statements up to one that fits ``until``."""

    match: Alternatives
    until: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for pattern in (*several(self.match), *([self.until] if self.until else [])):
            check_pattern(pattern)

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """See ``CStep.change``."""
        place = self.place(tree, context)
        source = place.source
        first = the_one(source, place.function.node, patterns_of(self.match, context),
                        place.bindings)
        last = self._last(source, first, context)
        run = range(first.node.start_byte, last.end_byte)
        _refuse_used_labels(source, place.function.node, run)
        return commit(tree, source, delete_lines(source, first.node, last))

    def _last(self, source: CSource, first: Match, context: StepContext) -> Node:
        if self.until is None:
            return first.node
        wanted = compile_pattern(rendered(self.until, context))
        node: Node | None = first.node
        while node is not None:
            found = find(source, node, wanted, first.bindings)
            if any(m.node.id == node.id for m in found):
                return node
            node = node.next_named_sibling
        raise no_anchor(source, first.node, self.until, what=" behind the first statement")


def _refuse_used_labels(source: CSource, function: Node, run: range) -> None:
    """Raise ``InputError`` when a label in the run is still jumped to from outside of it."""
    labels = set()
    jumps = []
    for node in walk(function):
        inside = node.start_byte in run
        label = node.child_by_field_name("label")
        if label is None:
            continue
        if node.type == "labeled_statement" and inside:
            labels.add(source.text(label))
        elif node.type == "goto_statement" and not inside:
            jumps.append((source.text(label), node))
    for name, jump in jumps:
        if name in labels:
            raise InputError(f"label {name} cannot go: there is a goto to it", path=source.path,
                             line=source.line(jump), advice="change that goto first")


class LocalStep(FunctionStep, tag="c-local", frozen=True, kw_only=True):
    """Declares a local variable behind the other declarations at the top of a function."""

    declaration: str

    def __post_init__(self) -> None:
        super().__post_init__()
        sample = re.sub(r"\$\{\w+(-\w+)?\}", "any", self.declaration)
        if "{{" not in sample and compile_pattern(sample).node.type != "declaration":
            raise ValueError("declaration: write one, such as 'unsigned int length;'")

    def is_done(self, tree: Tree, context: StepContext) -> str | None:
        """See ``FunctionStep.is_done``."""
        found = super().is_done(tree, context)
        if found is not None:
            return found
        place = self.place(tree, context)
        wanted = compile_pattern(self._text(place, context))
        same = find(place.source, place.function.body, wanted)
        return place.source.where(same[0].node) if same else None

    def _text(self, place: Place, context: StepContext) -> str:
        return fill(rendered(self.declaration, context), place.bindings).strip()

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """See ``CStep.change``."""
        place = self.place(tree, context)
        source, body = place.source, place.function.body
        there = [c for c in body.named_children if c.type != "comment"]
        text = self._text(place, context)
        declarations = []
        for child in there:
            if child.type != "declaration":
                break
            declarations.append(child)
        if declarations:
            return commit(tree, source, _declare(source, declarations, text))
        at = line_end(source, body.start_byte)
        by = indentation(source, there[0]) if there else "\t"
        if at != line_start(source, at):
            raise InputError("the body of the function starts on the line of its brace",
                             path=source.path, line=source.line(body),
                             advice="set it in kernel style first")
        return commit(tree, source, [Edit(at, at, f"{by}{text}\n\n")])


def _declare(source: CSource, there: list[Node], text: str) -> list[Edit]:
    """The declaration behind the others, but before shorter ones without a value.

    Kernel code likes long declarations first; those without a value depend on nothing.
    """
    behind = len(there)
    while behind and _has_no_value(there[behind - 1]) and (
        len(source.text(there[behind - 1])) < len(text)
    ):
        behind -= 1
    if behind == len(there):
        return insert_after(source, there[-1], text)
    return insert_before(source, there[behind], text)


def _has_no_value(declaration: Node) -> bool:
    return not any(node.type == "init_declarator" for node in declaration.named_children)
