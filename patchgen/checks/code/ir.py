"""What the rules see of C: small trees of expressions, statements, types and functions.

Two parsers produce it (pycparser, and tree-sitter where that one gives up), so a rule never
knows which one read a file. Lines and columns count from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


class Expr:
    """One expression.

    ``kind`` is one of: ``id``, ``const``, ``string``, ``call`` (kids: callee, arguments),
    ``member`` (kid: base; op ``.`` or ``->``), ``index``, ``unary`` (op; ``p++`` postfix),
    ``binary``, ``assign`` (op ``=``, ``+=`` …), ``ternary``, ``cast``, ``comma``, ``init``
    (braces), ``field`` (designated entry: name ``.x`` or ``[i]``), ``literal`` (compound
    literal), ``sizeof`` (of an expression), ``sizeof_type``, ``offsetof``.
    ``name`` is the identifier, member, callee or constant.
    """

    __slots__ = ("_text", "column", "kids", "kind", "line", "name", "op", "type")

    def __init__(self, kind: str, line: int, column: int, *, name: str = "", op: str = "",
                 kids: tuple[Expr, ...] = (), type: Type | None = None) -> None:
        self.kind = kind
        self.line = line
        self.column = column
        self.name = name
        self.op = op
        self.kids = kids
        self.type = type
        self._text: str | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.text}>"

    @property
    def args(self) -> tuple[Expr, ...]:
        """The arguments of a call."""
        return self.kids[1:] if self.kind == "call" else ()

    @property
    def text(self) -> str:
        """The expression as C text with canonical spacing and no needless parentheses."""
        if self._text is None:
            self._text = _text(self)
        return self._text

    def walk(self) -> Iterator[Expr]:
        """The expression and everything in it, outer before inner, left to right."""
        stack = [self]
        while stack:
            expr = stack.pop()
            yield expr
            if expr.kids:
                stack.extend(reversed(expr.kids))

    def calls(self) -> Iterator[Expr]:
        """Every call in it."""
        return (e for e in self.walk() if e.kind == "call")


def _operand(expr: Expr) -> str:
    if expr.kind in ("binary", "ternary", "assign", "comma"):
        return f"({expr.text})"
    return expr.text


def _text(expr: Expr) -> str:
    kids = expr.kids
    match expr.kind:
        case "id" | "const" | "string":
            return expr.name
        case "call":
            return f"{_operand(kids[0])}({', '.join(k.text for k in kids[1:])})"
        case "member":
            return f"{_operand(kids[0])}{expr.op}{expr.name}"
        case "index":
            return f"{_operand(kids[0])}[{kids[1].text}]"
        case "unary":
            if expr.op in ("p++", "p--"):
                return f"{_operand(kids[0])}{expr.op[1:]}"
            return f"{expr.op}{_operand(kids[0])}"
        case "binary":
            return f"{_operand(kids[0])} {expr.op} {_operand(kids[1])}"
        case "assign":
            return f"{kids[0].text} {expr.op} {kids[1].text}"
        case "ternary":
            return f"{_operand(kids[0])} ? {kids[1].text} : {kids[2].text}"
        case "cast":
            return f"({expr.type}){_operand(kids[0])}"
        case "sizeof":
            return f"sizeof({kids[0].text})"
        case "sizeof_type":
            return f"sizeof({expr.type})"
        case "offsetof":
            return f"offsetof({expr.type}, {expr.name})"
        case "field":
            return f"{expr.name} = {kids[0].text}"
        case "init":
            return "{ " + ", ".join(k.text for k in kids) + " }"
        case "literal":
            return f"({expr.type}){kids[0].text}"
        case _:
            return ", ".join(k.text for k in kids)


@dataclass(slots=True)
class Type:
    """A type: base name, pointer depth, array dimensions (None: empty brackets).

    For a function or a pointer to one, ``params`` is not None and the other members describe
    what it returns. ``struct`` holds the members when they are written in place.
    """

    base: str
    pointer: int = 0
    dims: tuple[Expr | None, ...] = ()
    const: bool = False
    params: tuple[Var, ...] | None = None
    variadic: bool = False
    function_pointer: bool = False
    struct: Struct | None = None

    def __str__(self) -> str:
        return self.base + (" " + "*" * self.pointer if self.pointer else "") + "".join(
            f"[{d.text if d else ''}]" for d in self.dims
        )

    @property
    def struct_name(self) -> str | None:
        """``x`` for any depth of pointers to or arrays of ``struct x``."""
        return self.base.removeprefix("struct ") if self.base.startswith("struct ") else None

    @property
    def is_pointer(self) -> bool:
        """Whether it is a pointer (not an array of them)."""
        return not self.dims and (self.pointer > 0 or self.function_pointer)


@dataclass(slots=True)
class Var:
    """A variable, parameter, struct member or prototype."""

    name: str
    type: Type
    line: int
    column: int = 0
    init: Expr | None = None
    storage: frozenset[str] = frozenset()
    bitfield: bool = False

    @property
    def is_function(self) -> bool:
        """Whether this declares a function (a prototype)."""
        return self.type.params is not None and not self.type.function_pointer


@dataclass(slots=True)
class Struct:
    """A struct, union or enum with its members."""

    name: str
    kind: str
    fields: tuple[Var, ...]
    line: int
    path: str = ""

    def field(self, name: str) -> Var | None:
        """The member of this name, also inside anonymous members."""
        for member in self.fields:
            if member.name == name:
                return member
            if not member.name and member.type.struct is not None:
                inner = member.type.struct.field(name)
                if inner is not None:
                    return inner
        return None


@dataclass(slots=True)
class Stmt:
    """One statement.

    ``kind``: ``expr``, ``decl`` (vars), ``if``, ``while``, ``do``, ``for``, ``switch``,
    ``case`` (expr None: default), ``return``, ``goto``, ``label``, ``break``, ``continue``,
    ``block``. ``init`` and ``step`` belong to ``for``.
    """

    kind: str
    line: int
    expr: Expr | None = None
    body: tuple[Stmt, ...] = ()
    orelse: tuple[Stmt, ...] = ()
    init: tuple[Stmt, ...] = ()
    step: Expr | None = None
    name: str = ""
    vars: tuple[Var, ...] = ()

    def walk(self) -> Iterator[Stmt]:
        """The statement and all in it, in source order."""
        yield self
        for inner in (*self.init, *self.body, *self.orelse):
            yield from inner.walk()

    def expressions(self) -> Iterator[Expr]:
        """The expressions of this statement itself, not of those inside it."""
        for var in self.vars:
            if var.init is not None:
                yield var.init
        if self.expr is not None:
            yield self.expr
        if self.step is not None:
            yield self.step


@dataclass(slots=True)
class Function:
    """A function with a body."""

    name: str
    type: Type
    params: tuple[Var, ...]
    body: tuple[Stmt, ...]
    storage: frozenset[str]
    line: int
    end_line: int
    path: str
    exact: bool = True
    """False when only the tree-sitter grammar could read it."""
    _statements: tuple[Stmt, ...] | None = field(default=None, repr=False)
    _exprs: tuple[Expr, ...] | None = field(default=None, repr=False)
    _calls: tuple[Expr, ...] | None = field(default=None, repr=False)

    @property
    def is_static(self) -> bool:
        """Whether it is private to its file."""
        return "static" in self.storage

    @property
    def statements(self) -> tuple[Stmt, ...]:
        """Every statement, in source order."""
        if self._statements is None:
            self._statements = tuple(s for top in self.body for s in top.walk())
        return self._statements

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """Every expression and what is in it, in source order."""
        if self._exprs is None:
            self._exprs = tuple(
                e for s in self.statements for top in s.expressions() for e in top.walk()
            )
        return self._exprs

    @property
    def calls(self) -> tuple[Expr, ...]:
        """Every call, in source order (outer before inner)."""
        if self._calls is None:
            self._calls = tuple(e for e in self.exprs if e.kind == "call")
        return self._calls

    def calls_to(self, *names: str) -> list[Expr]:
        """The calls of functions of these names."""
        return [call for call in self.calls if call.name in names]

    @property
    def locals(self) -> list[Var]:
        """The variables declared in the body."""
        return [var for s in self.statements if s.kind == "decl" for var in s.vars]
