"""What all steps share that rewrite C at structural anchors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import msgspec

from patchgen.errors import InputError, PatchgenError
from patchgen.render import environment
from patchgen.resources import template_roots
from patchgen.steps.base import Step, StepContext
from patchgen.steps.c_anchor import Place, bind, files, function_in
from patchgen.steps.c_pattern import Bindings, compile_pattern, find
from patchgen.steps.c_source import CSource, Function, load
from patchgen.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

Alternatives = str | tuple[str, ...]
"""One pattern, or several of which the first that fits counts."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an operation would do to a tree, or has found done."""

    state: Literal["applied", "already applied", "no such anchor"]
    file: str | None
    line: int | None
    message: str


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that is true of a function once a change is in it; all parts must hold."""

    holds: Alternatives = ()
    """One of these patterns fits somewhere."""
    lacks: Alternatives = ()
    """None of these patterns fits anywhere."""
    not_before: str | None = None
    """No place that fits this one comes before the first place of ``holds``."""

    def __post_init__(self) -> None:
        if not self.holds and not self.lacks:
            raise ValueError("done_when: needs holds or lacks")
        for pattern in (*several(self.holds), *several(self.lacks)):
            check_pattern(pattern)


class AnchorError(PatchgenError):
    """A change has no place, or more than one: the tree is not what the series knows (exit 2)."""

    exit_code = 2

    def __init__(self, error: InputError) -> None:
        self.path = error.path
        self.line = error.line
        super().__init__(str(error))


class CStep(Step, frozen=True, kw_only=True):
    """Base of the steps that change C files at anchors found by structure.

    In every text of such a step ``$name`` is what a pattern has bound, and ``{{ name }}`` is
    a parameter of the series (or anything else that Jinja renders from our templates).
    """

    partial: ClassVar[bool] = True

    def apply(self, tree: Tree, context: StepContext) -> Tree:
        """See ``Step.apply``; raises ``AnchorError`` when there is no place for the change.

        That other steps of the patch are already applied does not excuse a missing place.
        """
        try:
            return self.change(tree, context)
        except InputError as error:
            raise AnchorError(error) from error

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """The tree with the change; raises ``InputError`` when there is no place for it."""
        raise NotImplementedError


class FunctionStep(CStep, frozen=True, kw_only=True):
    """Base of the steps whose anchor lies in one function."""

    file: Alternatives
    """The file, or files (globs allowed) of which one defines the function."""
    function: str
    """Name of the function; ``*`` and ``?`` are wildcards."""
    function_holds: Alternatives = ()
    """Of the functions of that name, the one in which one of these patterns fits."""
    given: tuple[Alternatives, ...] = ()
    """Patterns that must fit in the function; what they bind is usable everywhere else."""
    done_when: tuple[Fact, ...] = ()
    """The change is there when one of these facts is true of the function."""
    had: str | None = None
    """A file that held this before the series, and has no place for the change, has it in
    another form."""

    def __post_init__(self) -> None:
        given = [pattern for group in self.given for pattern in several(group)]
        had = [self.had] if self.had else []
        for pattern in (*several(self.function_holds), *given, *had):
            check_pattern(pattern)

    def locate(self, tree: Tree) -> tuple[CSource, Function]:
        """The file and the function; raises ``InputError`` unless there is exactly one."""
        source, function = function_in(
            tree, several(self.file), self.function, several(self.function_holds))
        source.refuse_unknown_syntax(function)
        return source, function

    def place(self, tree: Tree, context: StepContext) -> Place:
        """The function with everything ``given`` bound; raises ``InputError``."""
        source, function = self.locate(tree)
        bindings: Bindings = {}
        for alternatives in self.given:
            patterns = [rendered(p, context) for p in several(alternatives)]
            bindings = bind(source, function.node, patterns, bindings)
        return Place(source, function, bindings)

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        elsewhere = self._in_another_form(tree, context)
        if elsewhere is not None:
            try:
                found = self.is_done(tree, context)
                if found is None:
                    self.change(tree, context)
            except InputError:
                return elsewhere
            return found
        return self.is_done(tree, context)

    def is_done(self, tree: Tree, context: StepContext) -> str | None:
        """Where the change is, or None; raises ``InputError`` when there is no function."""
        source, function = self.locate(tree)
        return first_true(self.done_when, source, function.node, context)

    def _in_another_form(self, tree: Tree, context: StepContext) -> str | None:
        if self.had is None:
            return None
        before = Tree(tree.base)
        for path in files(before, several(self.file)):
            source = load(before, path)
            found = find(source, source.root, compile_pattern(rendered(self.had, context)))
            if found:
                return source.where(found[0].node)
        return None


def first_true(
    facts: Sequence[Fact], source: CSource, scope: Node, context: StepContext
) -> str | None:
    """``file:line`` of the first fact that is true below ``scope``, or None."""
    places = (_is_true(fact, source, scope, context) for fact in facts)
    return next((where for where in places if where is not None), None)


def _is_true(fact: Fact, source: CSource, scope: Node, context: StepContext) -> str | None:
    for pattern in several(fact.lacks):
        if find(source, scope, compile_pattern(rendered(pattern, context))):
            return None
    if not fact.holds:
        return source.where(scope)
    for pattern in several(fact.holds):
        found = find(source, scope, compile_pattern(rendered(pattern, context)))
        if not found:
            continue
        first = found[0].node
        earlier = [] if fact.not_before is None else [
            m for m in find(source, scope, compile_pattern(fact.not_before))
            if m.node.start_byte < first.start_byte]
        if not earlier:
            return source.where(first)
    return None


def outcome_of(step: Step, tree: Tree, context: StepContext) -> Outcome:
    """What a step does on this tree: applied, already applied, or no such anchor."""
    try:
        found = step.already_applied(tree, context)
        if found is not None:
            path, _, line = found.rpartition(":")
            return Outcome("already applied", path, int(line), f"already there: {found}")
        after = step.apply(tree, context)
    except (InputError, AnchorError) as error:
        return Outcome("no such anchor", error.path, error.line, str(error))
    path = after.changes_since(tree)[0]
    number = _first_difference(tree.read(path), after.read(path))
    return Outcome("applied", path, number, f"applied at {path}:{number}")


def several(alternatives: Alternatives) -> tuple[str, ...]:
    """A tuple of patterns from one or more."""
    return (alternatives,) if isinstance(alternatives, str) else tuple(alternatives)


def check_pattern(pattern: str) -> None:
    """Raise ``ValueError`` for a pattern that is not C (parameters of the series apart)."""
    if "{{" in pattern:
        return
    try:
        compile_pattern(pattern)
    except InputError as error:
        raise ValueError(str(error)) from error


def rendered(text: str, context: StepContext) -> str:
    """``text`` with the parameters of the series (and template parts) filled in."""
    if "{{" not in text and "{%" not in text:
        return text
    import jinja2

    render = context.render
    try:
        template = environment(template_roots()).from_string(text)
        return template.render(kernel=render.kernel, **render.params)
    except jinja2.TemplateError as error:
        raise InputError(f"a text of the series does not render: {error}",
                         advice="see [params] in series.toml") from error


def patterns_of(alternatives: Alternatives, context: StepContext) -> Sequence[str]:
    """The patterns with the parameters of the series filled in."""
    return [rendered(pattern, context) for pattern in several(alternatives)]


def _first_difference(before: str, after: str) -> int:
    """The first line (from 1) at which two texts differ."""
    old, new = before.split("\n"), after.split("\n")
    pairs = enumerate(zip(old, new, strict=False), start=1)
    return next((number for number, (a, b) in pairs if a != b), min(len(old), len(new)) + 1)
