"""pycparser's tree to ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from patchgen.checks.code.ir import Expr, Function, Stmt, Struct, Type, Var

Node = Any


@dataclass(slots=True)
class Declarations:
    """What the file level of one source holds."""

    functions: list[Function] = field(default_factory=list)
    variables: list[Var] = field(default_factory=list)
    prototypes: list[Var] = field(default_factory=list)
    structs: list[Struct] = field(default_factory=list)
    asserts: list[Expr] = field(default_factory=list)
    enumerators: list[str] = field(default_factory=list)
    typedefs: list[Var] = field(default_factory=list)

    def extend(self, other: Declarations) -> None:
        """Add what another list of declarations holds."""
        self.functions += other.functions
        self.variables += other.variables
        self.prototypes += other.prototypes
        self.structs += other.structs
        self.asserts += other.asserts
        self.enumerators += other.enumerators
        self.typedefs += other.typedefs


def convert(nodes: Iterable[Node], path: str, end_of: Callable[[int], int]) -> Declarations:
    """The declarations of pycparser's file-level nodes.

    ``end_of`` gives the line on which the function that starts at a line ends.
    """
    return _Converter(path, end_of).file(nodes)


class _Converter:
    def __init__(self, path: str, end_of: Callable[[int], int]) -> None:
        self._path = path
        self._end_of = end_of
        self._out = Declarations()

    def file(self, nodes: Iterable[Node]) -> Declarations:
        for node in nodes:
            kind = type(node).__name__
            if kind == "FuncDef":
                self._function(node)
            elif kind == "Decl":
                self._file_declaration(node)
            elif kind == "Typedef":
                line, column = _place(node)
                self._out.typedefs.append(Var(node.name, self.type(node.type), line, column))
            elif kind == "StaticAssert":
                self._out.asserts.append(self.expr(node.cond))
        return self._out

    def _file_declaration(self, node: Node) -> None:
        if node.name is None:
            self.type(node.type)
            return
        var = self.var(node)
        (self._out.prototypes if var.is_function else self._out.variables).append(var)

    def _function(self, node: Node) -> None:
        decl = node.decl
        line, _ = _place(decl)
        kind = self.type(decl.type)
        body = node.body.block_items or ()
        self._out.functions.append(Function(
            decl.name, kind, kind.params or (), tuple(self.stmts(body)),
            frozenset([*decl.storage, *decl.funcspec]), line, self._end_of(line), self._path,
        ))

    def var(self, node: Node) -> Var:
        """A ``Decl``."""
        line, column = _place(node)
        init = None if node.init is None else self.expr(node.init)
        return Var(node.name or "", self.type(node.type), line, column, init,
                   frozenset([*node.storage, *node.funcspec]), node.bitsize is not None)

    def type(self, node: Node) -> Type:
        """Any type node; struct definitions in it are noted."""
        dims: list[Expr | None] = []
        pointer = 0
        while True:
            kind = type(node).__name__
            if kind == "PtrDecl":
                if type(node.type).__name__ == "FuncDecl":
                    result = self._function_type(node.type)
                    result.function_pointer = True
                    result.dims = tuple(dims)
                    return result
                pointer += 1
                node = node.type
            elif kind == "ArrayDecl":
                dims.append(None if node.dim is None else self.expr(node.dim))
                node = node.type
            elif kind in ("TypeDecl", "Typename", "Decl"):
                const = "const" in (getattr(node, "quals", None) or ())
                result = self._base(node.type) if kind == "TypeDecl" else self.type(node.type)
                result.const = result.const or const
                result.pointer += pointer
                result.dims = tuple(dims) + result.dims
                return result
            elif kind == "FuncDecl":
                return self._function_type(node)
            else:
                result = self._base(node)
                result.pointer += pointer
                result.dims = tuple(dims)
                return result

    def _function_type(self, node: Node) -> Type:
        result = self.type(node.type)
        params: list[Var] = []
        for param in node.args.params if node.args is not None else ():
            kind = type(param).__name__
            if kind == "EllipsisParam":
                result.variadic = True
            elif kind == "Decl":
                params.append(self.var(param))
            elif kind == "Typename":
                line, column = _place(param)
                params.append(Var("", self.type(param), line, column))
            else:
                line, column = _place(param)
                params.append(Var(getattr(param, "name", ""), Type("int"), line, column))
        if len(params) == 1 and str(params[0].type) == "void":
            params = []
        result.params = tuple(params)
        return result

    def _base(self, node: Node) -> Type:
        kind = type(node).__name__
        if kind == "IdentifierType":
            return Type(" ".join(node.names))
        if kind in ("Struct", "Union", "Enum"):
            word = kind.lower()
            result = Type(f"{word} {node.name or ''}".strip())
            if kind == "Enum":
                if node.values is not None:
                    self._out.enumerators += [e.name for e in node.values.enumerators]
            elif node.decls is not None:
                result.struct = self._struct(node, word)
            return result
        return Type("int")

    def _struct(self, node: Node, word: str) -> Struct:
        line, _ = _place(node)
        members = tuple(self.var(d) for d in node.decls if type(d).__name__ == "Decl")
        struct = Struct(node.name or "", word, members, line, self._path)
        self._out.structs.append(struct)
        return struct

    def stmts(self, nodes: Iterable[Node]) -> list[Stmt]:
        """Statements; labels and cases become statements of their own before what follows."""
        result: list[Stmt] = []
        for node in nodes:
            self._stmt(node, result)
        return result

    def _block(self, node: Node) -> tuple[Stmt, ...]:
        if node is None:
            return ()
        if type(node).__name__ == "Compound":
            return tuple(self.stmts(node.block_items or ()))
        return tuple(self.stmts([node]))

    def _stmt(self, node: Node, out: list[Stmt]) -> None:
        kind = type(node).__name__
        line, _ = _place(node)
        match kind:
            case "Decl":
                if node.name is not None:
                    out.append(Stmt("decl", line, vars=(self.var(node),)))
                else:
                    self.type(node.type)
            case "DeclList":
                out.extend(self.stmts(node.decls))
            case "Compound":
                out.append(Stmt("block", line, body=self._block(node)))
            case "If":
                out.append(Stmt("if", line, self.expr(node.cond), self._block(node.iftrue),
                                self._block(node.iffalse)))
            case "While" | "DoWhile":
                name = "while" if kind == "While" else "do"
                out.append(Stmt(name, line, self.expr(node.cond), self._block(node.stmt)))
            case "For":
                out.append(self._for(node, line))
            case "Switch":
                out.append(Stmt("switch", line, self.expr(node.cond), self._block(node.stmt)))
            case "Case" | "Default":
                out.append(Stmt("case", line, self.expr(node.expr) if kind == "Case" else None))
                out.extend(self.stmts(node.stmts or ()))
            case "Return":
                out.append(Stmt("return", line,
                                None if node.expr is None else self.expr(node.expr)))
            case "Goto":
                out.append(Stmt("goto", line, name=node.name))
            case "Label":
                out.append(Stmt("label", line, name=node.name))
                if node.stmt is not None:
                    self._stmt(node.stmt, out)
            case "Break" | "Continue":
                out.append(Stmt(kind.lower(), line))
            case "EmptyStatement" | "Pragma" | "Typedef" | "StaticAssert":
                if kind == "StaticAssert":
                    self._out.asserts.append(self.expr(node.cond))
            case _:
                out.append(Stmt("expr", line, self.expr(node)))

    def _for(self, node: Node, line: int) -> Stmt:
        init: tuple[Stmt, ...] = ()
        if node.init is not None:
            init = tuple(self.stmts([node.init]))
        return Stmt("for", line, None if node.cond is None else self.expr(node.cond),
                    self._block(node.stmt), init=init,
                    step=None if node.next is None else self.expr(node.next))

    def expr(self, node: Node) -> Expr:
        """Any expression node."""
        handler = _EXPRESSIONS.get(type(node).__name__)
        line, column = _place(node)
        if handler is None:
            return Expr("const", line, column, name="?")
        return handler(self, node, line, column)


def _place(node: Node) -> tuple[int, int]:
    coord = node.coord
    return (0, 0) if coord is None else (coord.line, coord.column or 0)


Handler = Callable[[_Converter, Node, int, int], Expr]


def _call(c: _Converter, node: Node, line: int, column: int) -> Expr:
    callee = c.expr(node.name)
    args = tuple(c.expr(a) for a in node.args.exprs) if node.args is not None else ()
    name = callee.name if callee.kind in ("id", "member") else ""
    return Expr("call", line, column, name=name, kids=(callee, *args))


def _unary(c: _Converter, node: Node, line: int, column: int) -> Expr:
    if node.op in ("sizeof", "_Alignof"):
        if type(node.expr).__name__ == "Typename":
            return Expr("sizeof_type", line, column, type=c.type(node.expr))
        return Expr("sizeof", line, column, kids=(c.expr(node.expr),))
    return Expr("unary", line, column, op=node.op, kids=(c.expr(node.expr),))


def _constant(_: _Converter, node: Node, line: int, column: int) -> Expr:
    kind = "string" if node.type == "string" else "const"
    return Expr(kind, line, column, name=node.value)


def _named(c: _Converter, node: Node, line: int, column: int) -> Expr:
    parts = []
    for part in node.name:
        if type(part).__name__ == "ArrayDesignator":
            parts.append(f"[{c.expr(part.expr).text}]")
        elif type(part).__name__ == "ID":
            parts.append(f".{part.name}")
        else:
            parts.append(f"[{c.expr(part).text}]")
    if node.coord is None and node.name:
        line, column = _place(node.name[0])
    return Expr("field", line, column, name="".join(parts), kids=(c.expr(node.expr),))


_EXPRESSIONS: dict[str, Handler] = {
    "ID": lambda _c, n, li, co: Expr("id", li, co, name=n.name),
    "Constant": _constant,
    "FuncCall": _call,
    "StructRef": lambda c, n, li, co: Expr("member", li, co, name=n.field.name, op=n.type,
                                           kids=(c.expr(n.name),)),
    "ArrayRef": lambda c, n, li, co: Expr("index", li, co,
                                          kids=(c.expr(n.name), c.expr(n.subscript))),
    "UnaryOp": _unary,
    "BinaryOp": lambda c, n, li, co: Expr("binary", li, co, op=n.op,
                                          kids=(c.expr(n.left), c.expr(n.right))),
    "Assignment": lambda c, n, li, co: Expr("assign", li, co, op=n.op,
                                            kids=(c.expr(n.lvalue), c.expr(n.rvalue))),
    "TernaryOp": lambda c, n, li, co: Expr(
        "ternary", li, co, kids=(c.expr(n.cond), c.expr(n.iftrue), c.expr(n.iffalse))),
    "Cast": lambda c, n, li, co: Expr("cast", li, co, type=c.type(n.to_type),
                                      kids=(c.expr(n.expr),)),
    "ExprList": lambda c, n, li, co: Expr("comma", li, co,
                                          kids=tuple(c.expr(e) for e in n.exprs)),
    "InitList": lambda c, n, li, co: Expr("init", li, co,
                                          kids=tuple(c.expr(e) for e in n.exprs or ())),
    "NamedInitializer": _named,
    "CompoundLiteral": lambda c, n, li, co: Expr("literal", li, co, type=c.type(n.type),
                                                 kids=(c.expr(n.init),)),
}
