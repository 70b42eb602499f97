"""All sources of one driver together: parsed once, indexed for the rules.

A component is what is built into one thing: the ``.c`` and ``.h`` files of a folder. Roles
tell which function is called by whom: ``struct skcipher_alg.encrypt``, an interrupt handler,
a tasklet.
"""

from __future__ import annotations

import bisect
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from patchgen.checks.code.cfg import Graph
from patchgen.checks.code.from_pycparser import Declarations, convert
from patchgen.checks.code.from_treesitter import read_tokens
from patchgen.checks.code.ir import Expr, Function, Struct, Type, Var
from patchgen.checks.code.parse import ParseFailedError, parse_tokens, split_declarations
from patchgen.checks.code.preprocess import Preprocessed, Preprocessor
from patchgen.checks.code.rewrite import drop_unknown_macros, rewrite
from patchgen.checks.code.stubs import StubLibrary, library
from patchgen.checks.code.tokens import Token
from patchgen.checks.code.typenames import declared_typedefs, guess_typedefs
from patchgen.profiles import KernelProfile

Parser = Literal["pycparser", "tree-sitter"]


@dataclass(slots=True)
class Unit:
    """One source file."""

    path: str
    pre: Preprocessed
    declared: Declarations
    parsed_by: Parser
    loose: list[int] = field(default_factory=list)
    """Lines at which a declaration starts that only tree-sitter could read."""

    @property
    def functions(self) -> list[Function]:
        """The functions with bodies, in source order."""
        return self.declared.functions


@dataclass(frozen=True, slots=True)
class Role:
    """A function's place in a struct: ``struct_name.field`` of the variable ``variable``."""

    struct_name: str
    field: str
    variable: str
    line: int
    path: str


class Component:
    """The units of one component and what they declare together."""

    def __init__(self, sources: Mapping[str, str], kernel: KernelProfile) -> None:
        self.kernel = kernel
        self.stubs: StubLibrary = library()
        self.units: dict[str, Unit] = {}
        self._preprocessor = Preprocessor(sources, kernel=kernel.version,
                                          stub_macros=self.stubs.macros)
        self._parse(sources)
        self.functions: dict[str, list[Function]] = {}
        self.structs: dict[str, Struct] = {}
        self.prototypes: dict[str, list[tuple[Unit, Var]]] = {}
        self.globals: dict[str, tuple[Unit, Var]] = {}
        self.roles: dict[str, list[Role]] = {}
        self.callers: dict[str, list[tuple[Function, Expr]]] = {}
        self._graphs: dict[tuple[int, bool], Graph] = {}
        self._index()

    def graph(self, function: Function, *, loops_run: bool = False) -> Graph:
        """The control flow of a function, built once."""
        key = (id(function), loops_run)
        if key not in self._graphs:
            self._graphs[key] = Graph(function, loops_run=loops_run)
        return self._graphs[key]

    @property
    def is_one_module(self) -> bool:
        """Whether the sources make up one module (and not a folder of many drivers)."""
        starts = [u for u in self.units.values() if any(
            (c.name.startswith("module_") and not c.name.startswith("module_param"))
            or c.name.endswith("initcall") for c in u.pre.calls)]
        return len(starts) <= 1

    def all_functions(self) -> Iterator[tuple[Unit, Function]]:
        """Every function with the unit it is in."""
        for unit in self.units.values():
            for function in unit.functions:
                yield unit, function

    def _parse(self, sources: Mapping[str, str]) -> None:
        ready: dict[str, list[Token]] = {}
        for path in sorted(sources, key=lambda p: (p.endswith(".c"), p)):
            tokens = self._preprocessor.file(path).tokens
            ready[path] = drop_unknown_macros(rewrite(tokens))
        names = set(self.stubs.typedefs)
        for tokens in ready.values():
            names |= declared_typedefs(tokens)
        for path, tokens in ready.items():
            self.units[path] = _parse_unit(self._preprocessor.file(path), tokens, names)

    def _index(self) -> None:
        for unit in self.units.values():
            for function in unit.declared.functions:
                self.functions.setdefault(function.name, []).append(function)
            for struct in unit.declared.structs:
                if struct.name and struct.fields:
                    self.structs.setdefault(struct.name, struct)
            for typedef in unit.declared.typedefs:
                if typedef.type.struct is not None:
                    self.structs.setdefault(typedef.name, typedef.type.struct)
            for prototype in unit.declared.prototypes:
                self.prototypes.setdefault(prototype.name, []).append((unit, prototype))
            for var in unit.declared.variables:
                if var.name and ("extern" not in var.storage or var.name not in self.globals):
                    self.globals[var.name] = (unit, var)
        for unit in self.units.values():
            for var in unit.declared.variables:
                if var.init is not None:
                    self._find_roles(unit, var, var.type, var.init)
            for function in unit.functions:
                for call in function.calls:
                    if call.kids[0].kind == "id":
                        self.callers.setdefault(call.name, []).append((function, call))

    def _find_roles(self, unit: Unit, var: Var, kind: Type, init: Expr) -> None:
        struct = self.struct(kind.struct_name) if kind.struct_name else kind.struct
        for entry in init.kids:
            if entry.kind == "field" and entry.name.startswith("["):
                self._find_roles(unit, var, kind, entry.kids[0])
            elif entry.kind in ("init", "literal"):
                inner = entry.kids[0] if entry.kind == "literal" else entry
                self._find_roles(unit, var, kind, inner)
            elif entry.kind == "field":
                self._field_role(unit, var, kind, struct, entry)

    def _field_role(self, unit: Unit, var: Var, kind: Type, struct: Struct | None,
                    entry: Expr) -> None:
        value = entry.kids[0]
        path = [part for part in entry.name.split(".") if part]
        owner = kind.struct_name or ""
        for name in path[:-1]:
            member = struct.field(name) if struct is not None else None
            owner = (member.type.struct_name or "") if member is not None else ""
            struct = self.struct(owner) if owner else (member.type.struct if member else None)
        if value.kind in ("init", "literal"):
            member = struct.field(path[-1]) if struct is not None else None
            inner = value.kids[0] if value.kind == "literal" else value
            target = member.type if member is not None else Type("")
            self._find_roles(unit, var, target, inner)
            return
        if value.kind == "unary" and value.op == "&":
            value = value.kids[0]
        if value.kind == "id":
            role = Role(owner, path[-1], var.name, entry.line, unit.path)
            self.roles.setdefault(value.name, []).append(role)

    def struct(self, name: str) -> Struct | None:
        """The struct of this name: the component's own, or a stub's."""
        found = self.structs.get(name)
        return found if found is not None else self.stubs.struct(name)

    def function(self, name: str, near: str | None = None) -> Function | None:
        """The function of this name; a static one only from its own file (``near``)."""
        for function in self.functions.get(name, ()):
            if near is None or function.path == near or not function.is_static:
                return function
        return None

    def functions_with_role(self, *fields: str) -> Iterator[Function]:
        """The functions that are put into struct members of these names."""
        for _, function in self.all_functions():
            if any(role.field in fields for role in self.roles_of(function)):
                yield function

    def roles_of(self, function: Function) -> list[Role]:
        """The struct members through which the function is called."""
        roles = self.roles.get(function.name, [])
        return [r for r in roles if not function.is_static or r.path == function.path]


@dataclass(frozen=True, slots=True)
class _Parsed:
    declared: Declarations
    parsed_by: Parser
    loose: list[int]


_PARSED: OrderedDict[int, _Parsed] = OrderedDict()
_KEEP = 12
"""Files whose trees are kept: the same file is often read again, patch after patch."""


def _parse_unit(pre: Preprocessed, tokens: list[Token], names: set[str]) -> Unit:
    known = names | guess_typedefs(tokens, names)
    used = known & {token.value for token in tokens if token.type == "ID"}
    key = hash((pre.path, tuple(sorted(used)),
                tuple((t.value, t.lineno, t.column) for t in tokens)))
    if key in _PARSED:
        _PARSED.move_to_end(key)
    else:
        _PARSED[key] = _parse(pre.path, tokens, known, names)
        if len(_PARSED) > _KEEP:
            _PARSED.popitem(last=False)
    parsed = _PARSED[key]
    return Unit(pre.path, pre, parsed.declared, parsed.parsed_by, parsed.loose)


def _parse(path: str, tokens: list[Token], known: set[str], declared_names: set[str]) -> _Parsed:
    ends = _function_ends(tokens)

    def end_of(line: int) -> int:
        position = bisect.bisect_left(ends, line)
        return ends[position] if position < len(ends) else line

    try:
        nodes = parse_tokens(tokens, known, path)
        return _Parsed(convert(nodes, path, end_of), "pycparser", [])
    except (ParseFailedError, RecursionError):
        pass
    for token in tokens:
        if token.type == "TYPEID":  # the parser has marked them
            token.type = "ID"
    declared = Declarations()
    loose: list[int] = []
    for piece in split_declarations(tokens):
        types = declared_names | guess_typedefs(piece, declared_names)
        try:
            declared.extend(convert(parse_tokens(piece, types, path), path, end_of))
        except (ParseFailedError, RecursionError):
            loose.append(piece[0].lineno)
            declared.extend(read_tokens(piece, path))
    return _Parsed(declared, "tree-sitter", loose)


def _function_ends(tokens: list[Token]) -> list[int]:
    ends: list[int] = []
    depth = 0
    for token in tokens:
        if token.type == "LBRACE":
            depth += 1
        elif token.type == "RBRACE":
            depth = max(0, depth - 1)
            if depth == 0:
                ends.append(token.lineno)
    return ends
