"""Steps ``c-parameter`` and ``c-argument``: a function's signature and the calls of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import msgspec

from patchgen.errors import InputError
from patchgen.steps.base import StepContext
from patchgen.steps.c_anchor import bind, files, the_one, twice
from patchgen.steps.c_edit import Edit, column_of, commit
from patchgen.steps.c_layout import COLUMNS, set_list
from patchgen.steps.c_pattern import Bindings, compile_pattern, fill, find, plain
from patchgen.steps.c_source import (
    CSource,
    Function,
    ancestors,
    function_declarator,
    load,
    walk,
)
from patchgen.steps.rewrite_base import (
    Alternatives,
    CStep,
    FunctionStep,
    check_pattern,
    patterns_of,
    rendered,
    several,
)
from patchgen.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

Position = Annotated[int, msgspec.Meta(ge=1, le=20)]


class CallRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one kind of call passes from now on."""

    match: Alternatives
    """The call as it was, with its old argument (or without one)."""
    argument: str
    given: Alternatives = ()
    """A pattern that must fit in the calling function; binds names for ``argument``."""

    def __post_init__(self) -> None:
        for pattern in (*several(self.match), *several(self.given)):
            check_pattern(pattern)


class ParameterStep(CStep, tag="c-parameter", frozen=True, kw_only=True):
    """Adds or changes one parameter: definition, declarations and every call in the files."""

    files: tuple[str, ...]
    function: str
    position: Position
    declaration: str
    """The parameter as it shall be, such as ``unsigned int max_len``."""
    call: tuple[CallRule, ...] = ()
    keep: tuple[str, ...] = ()
    """Calls that already pass what the new parameter means."""

    def __post_init__(self) -> None:
        if compile_pattern(self.declaration).node.type != "parameter_declaration":
            raise ValueError("declaration: write a parameter, such as 'unsigned int max_len'")
        for pattern in self.keep:
            check_pattern(pattern)

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        uses = self._uses(tree)
        source, function = uses.definition
        if self._edits(uses, context):
            return None
        return source.where(function.node)

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """See ``CStep.change``."""
        for source, edits in self._edits(self._uses(tree), context).items():
            tree = commit(tree, source, edits)
        return tree

    def _uses(self, tree: Tree) -> _Uses:
        sources = [load(tree, path) for path in files(tree, self.files)]
        return _collect(sources, self.function)

    def _edits(self, uses: _Uses, context: StepContext) -> dict[CSource, list[Edit]]:
        """The edits of each file; empty when nothing is left to do."""
        edits: dict[CSource, list[Edit]] = {}
        source, function = uses.definition
        own = [*self._signature(source, function.declarator), *self._renames(source, function)]
        if own:
            source.refuse_unknown_syntax(function)
            edits.setdefault(source, []).extend(own)
        for source, declarator in uses.prototypes:
            mine = self._signature(source, declarator, same_name=False)
            edits.setdefault(source, []).extend(mine)
        for source, call in uses.calls:
            edits.setdefault(source, []).extend(self._call(source, call, bool(own), context))
        return {source: mine for source, mine in edits.items() if mine}

    def _signature(
        self, source: CSource, declarator: Node, *, same_name: bool = True
    ) -> list[Edit]:
        parameters = declarator.child_by_field_name("parameters")
        assert parameters is not None
        there = _parameters(source, parameters)
        if len(there) < self.position - 1:
            raise InputError(f"{self.function}() has {len(there)} parameters, so none can be the "
                             f"{self.position}th", path=source.path, line=source.line(declarator),
                             advice="the function is not the one this series knows")
        if len(there) >= self.position:
            now = there[self.position - 1]
            if _same_parameter(source, now, self.declaration, same_name=same_name):
                return []
        return _list_edit(source, parameters, there, self.position, self.declaration)

    def _renames(self, source: CSource, function: Function) -> list[Edit]:
        """Uses of the old name in the body take the new one."""
        parameters = function.declarator.child_by_field_name("parameters")
        assert parameters is not None
        there = _parameters(source, parameters)
        if len(there) < self.position:
            return []
        old = _parameter_name(source, there[self.position - 1])
        new = _written_name(self.declaration)
        if old in (None, new):
            return []
        return [Edit(n.start_byte, n.end_byte, new) for n in walk(function.body)
                if n.type == "identifier" and source.text(n) == old]

    def _call(
        self, source: CSource, call: Node, changing: bool, context: StepContext
    ) -> list[Edit]:
        arguments = call.child_by_field_name("arguments")
        assert arguments is not None
        there = _items(arguments)
        for rule in self.call:
            for pattern in patterns_of(rule.match, context):
                found = [m for m in find(source, call, compile_pattern(pattern))
                         if m.node.id == call.id]
                if found:
                    bindings = _given(source, call, rule, found[0].bindings, context)
                    new = fill(rendered(rule.argument, context), bindings)
                    return _list_edit(source, arguments, there, self.position, new)
        if not changing and len(there) >= self.position:
            return []
        if any(find(source, call, compile_pattern(p)) for p in patterns_of(self.keep, context)):
            return []
        shown = plain(source.text(call).encode("utf-8"))
        raise InputError(f"no such anchor: the series does not know what {shown} should pass",
                         path=source.path, line=source.line(call),
                         advice="change this call by hand, or add a rule for it to the series")


class ArgumentStep(FunctionStep, tag="c-argument", frozen=True, kw_only=True):
    """Changes one argument of one call in a function."""

    match: Alternatives
    """The call as it is."""
    position: Position
    argument: str

    def __post_init__(self) -> None:
        super().__post_init__()
        for pattern in several(self.match):
            check_pattern(pattern)

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """See ``CStep.change``."""
        place = self.place(tree, context)
        found = the_one(place.source, place.function.node, patterns_of(self.match, context),
                        place.bindings)
        arguments = found.node.child_by_field_name("arguments")
        if arguments is None or len(_items(arguments)) < self.position - 1:
            raise InputError("this is no call with that many arguments", path=place.source.path,
                             line=place.source.line(found.node))
        new = fill(rendered(self.argument, context), found.bindings)
        edits = _list_edit(place.source, arguments, _items(arguments), self.position, new)
        return commit(tree, place.source, edits)


@dataclass(frozen=True, slots=True)
class _Uses:
    definition: tuple[CSource, Function]
    prototypes: tuple[tuple[CSource, Node], ...]
    """Declarators of the declarations."""
    calls: tuple[tuple[CSource, Node], ...]


def _collect(sources: Sequence[CSource], name: str) -> _Uses:
    definitions = [(s, f) for s in sources for f in s.functions() if f.name == name]
    if len(definitions) > 1:
        raise twice(f"definition of {name}()", [(s, f.node) for s, f in definitions])
    if not definitions:
        raise _undefined(sources, name)
    prototypes, calls = [], []
    for source in sources:
        for node in walk(source.root):
            if node.type == "declaration":
                prototypes += [(source, d) for d in _declared(source, node, name)]
            elif node.type == "call_expression" and _callee(source, node) == name:
                calls.append((source, node))
            elif node.type == "preproc_arg" and name in source.text(node):
                raise InputError(f"{name} is used inside a macro", path=source.path,
                                 line=source.line(node), advice="change that call by hand first")
    return _Uses(definitions[0], tuple(prototypes), tuple(calls))


def _undefined(sources: Sequence[CSource], name: str) -> InputError:
    import difflib

    everywhere = {f.name: (s, f) for s in sources for f in s.functions()}
    near = difflib.get_close_matches(name, everywhere, 3, 0.3)
    shown = [f"{n} ({everywhere[n][0].where(everywhere[n][1].node)})" for n in near]
    home = everywhere[near[0]][0] if near else sources[0]
    return InputError(f"no such anchor: no file of the set defines {name}()", path=home.path,
                      line=1, advice=f"nearest: {', '.join(shown) or 'nothing like it'}")


def _declared(source: CSource, node: Node, name: str) -> Iterator[Node]:
    declarator = function_declarator(node)
    if declarator is not None:
        inner = declarator.child_by_field_name("declarator")
        if inner is not None and source.text(inner) == name:
            yield declarator


def _callee(source: CSource, call: Node) -> str | None:
    function = call.child_by_field_name("function")
    return None if function is None else source.text(function)


def _given(
    source: CSource, call: Node, rule: CallRule, bindings: Bindings, context: StepContext
) -> Bindings:
    alternatives = patterns_of(rule.given, context)
    if not alternatives:
        return bindings
    home = next((p for p in ancestors(call) if p.type == "function_definition"), None)
    if home is None:
        raise InputError("this call stands in no function", path=source.path,
                         line=source.line(call))
    return bind(source, home, alternatives, bindings)


def _items(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type != "comment"]


def _parameters(source: CSource, parameters: Node) -> list[Node]:
    there = _items(parameters)
    return [] if [source.text(p) for p in there] == ["void"] else there


def _written_name(declaration: str) -> str:
    return declaration.rstrip(" []").rsplit(None, 1)[-1].lstrip("*")


def _parameter_name(source: CSource, parameter: Node) -> str | None:
    declarator = parameter.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "identifier":
        declarator = declarator.child_by_field_name("declarator") or next(
            (c for c in declarator.named_children if c.type == "identifier"), None)
    return None if declarator is None else source.text(declarator)


def _same_parameter(source: CSource, node: Node, wanted: str, *, same_name: bool) -> bool:
    now = plain(source.text(node).encode("utf-8"))
    name = _parameter_name(source, node)
    new = _written_name(wanted)
    if same_name:
        return now == plain(wanted.encode("utf-8"))
    bare_type = now if name is None else now.removesuffix(name).rstrip()
    return bare_type == plain(wanted.encode("utf-8")).removesuffix(new).rstrip()


def _list_edit(
    source: CSource, node: Node, there: Sequence[Node], position: int, new: str
) -> list[Edit]:
    """``new`` as the item at ``position`` of a parenthesised list, the list set anew.

    With a comment inside the list only the item itself is touched.
    """
    items = [plain(source.text(item).encode("utf-8")) for item in there]
    changed = position <= len(items)
    if changed and items[position - 1] == plain(new.encode("utf-8")):
        return []
    if any(child.type == "comment" for child in node.children):
        if changed:
            item = there[position - 1]
            return [Edit(item.start_byte, item.end_byte, new)]
        at = there[-1].end_byte if there else node.start_byte + 1
        return [Edit(at, at, f", {new}" if there else new)]
    items[position - 1 : position] = [new]
    column = column_of(source, node.start_byte) + 1
    rest = source.data[node.end_byte - 1 :].split(b"\n", 1)[0].decode("utf-8")
    return [Edit(node.start_byte + 1, node.end_byte - 1,
                 set_list(items, column, min(len(rest), COLUMNS // 2)))]
