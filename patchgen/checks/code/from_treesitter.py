"""tree-sitter's tree of C to ours, for what pycparser could not read.

tree-sitter always gives a tree: where the text makes no sense there is an ERROR node, which is
passed over. Only lines are kept, not columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from patchgen.checks.code.from_pycparser import Declarations
from patchgen.checks.code.ir import Expr, Function, Stmt, Struct, Type, Var
from patchgen.checks.code.tokens import Token

Node = Any
_DEEPEST = 120
"""Nesting beyond this is left out: no driver has it, and the stack has an end."""
_POSTFIX = {"++": "p++", "--": "p--"}


def text_of(tokens: Sequence[Token]) -> str:
    """The tokens as text, each on the line it came from."""
    lines: list[list[str]] = []
    first = tokens[0].lineno if tokens else 1
    for token in tokens:
        while len(lines) <= token.lineno - first:
            lines.append([])
        lines[max(0, token.lineno - first)].append(token.value)
    return "\n".join(" ".join(words) for words in lines)


def read_tokens(tokens: Sequence[Token], path: str) -> Declarations:
    """The declarations and functions of some tokens, as far as the grammar makes sense of them."""
    import tree_sitter
    import tree_sitter_c

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language()))
    text = text_of(tokens).encode("utf-8", "replace")
    tree = parser.parse(text)
    converter = _Converter(text, tokens[0].lineno if tokens else 1, path)
    converter.file(tree.root_node)
    return converter.out


class _Converter:
    def __init__(self, text: bytes, first_line: int, path: str) -> None:
        self._text = text
        self._first = first_line
        self._path = path
        self.out = Declarations()
        self._depth = 0

    def _line(self, node: Node) -> int:
        return int(node.start_point[0]) + self._first

    def _str(self, node: Node | None) -> str:
        if node is None:
            return ""
        return self._text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def file(self, root: Node) -> None:
        for node in root.named_children:
            if node.type == "function_definition":
                self._function(node)
            elif node.type == "declaration":
                for var in self._declaration(node):
                    where = self.out.prototypes if var.is_function else self.out.variables
                    where.append(var)
            elif node.type in ("struct_specifier", "union_specifier"):
                self._base(node)
            elif node.type in ("ERROR", "linkage_specification"):
                self.file(node)

    def _function(self, node: Node) -> None:
        declarator = node.child_by_field_name("declarator")
        base = self._base(node.child_by_field_name("type"))
        var = self._declarator(declarator, base)
        body = node.child_by_field_name("body")
        if not var.name or var.type.params is None or body is None:
            return
        self.out.functions.append(Function(
            var.name, var.type, var.type.params, tuple(self._stmts(body)), self._storage(node),
            var.line or self._line(node), int(node.end_point[0]) + self._first, self._path,
            exact=False,
        ))

    def _storage(self, node: Node) -> frozenset[str]:
        return frozenset(self._str(c) for c in node.children
                         if c.type in ("storage_class_specifier", "inline"))

    def _declaration(self, node: Node) -> Iterator[Var]:
        base = self._base(node.child_by_field_name("type"))
        base.const = any(c.type == "type_qualifier" and self._str(c) == "const"
                         for c in node.children)
        storage = self._storage(node)
        for child in node.children_by_field_name("declarator"):
            init = None
            if child.type == "init_declarator":
                value = child.child_by_field_name("value")
                init = None if value is None else self.expr(value)
                child = child.child_by_field_name("declarator")
            copy = Type(base.base, const=base.const, struct=base.struct)
            var = self._declarator(child, copy)
            var.init = init
            var.storage = storage
            yield var

    def _declarator(self, node: Node | None, kind: Type) -> Var:
        """The variable that a declarator makes of a base type."""
        while node is not None:
            if node.type in ("identifier", "field_identifier", "type_identifier"):
                return Var(self._str(node), kind, self._line(node))
            if node.type in ("pointer_declarator", "abstract_pointer_declarator"):
                kind.pointer += 1
            elif node.type in ("array_declarator", "abstract_array_declarator"):
                size = node.child_by_field_name("size")
                kind.dims = (None if size is None else self.expr(size), *kind.dims)
            elif node.type in ("function_declarator", "abstract_function_declarator"):
                inner = node.child_by_field_name("declarator")
                kind.params = self._params(node.child_by_field_name("parameters"))
                kind.function_pointer = inner is not None and inner.type in (
                    "parenthesized_declarator", "abstract_parenthesized_declarator")
                if kind.function_pointer:
                    inner = next((c for c in inner.named_children), None)
                    inner = inner.child_by_field_name("declarator") if inner is not None else None
                node = inner
                continue
            inner = node.child_by_field_name("declarator")
            node = inner if inner is not None else next(
                (c for c in node.named_children if "declarator" in c.type
                 or c.type == "identifier"), None)
        return Var("", kind, 0)

    def _params(self, node: Node | None) -> tuple[Var, ...]:
        params = []
        for child in node.named_children if node is not None else ():
            if child.type != "parameter_declaration":
                continue
            base = self._base(child.child_by_field_name("type"))
            base.const = any(c.type == "type_qualifier" for c in child.children)
            params.append(self._declarator(child.child_by_field_name("declarator"), base))
        if len(params) == 1 and not params[0].name and str(params[0].type) == "void":
            return ()
        return tuple(params)

    def _base(self, node: Node | None) -> Type:
        if node is None:
            return Type("int")
        word = node.type.removesuffix("_specifier")
        if word in ("struct", "union", "enum"):
            name = self._str(node.child_by_field_name("name"))
            kind = Type(f"{word} {name}".strip())
            body = node.child_by_field_name("body")
            if body is not None and word != "enum":
                kind.struct = self._struct(body, name, word, self._line(node))
            return kind
        return Type(" ".join(self._str(node).split()))

    def _struct(self, body: Node, name: str, word: str, line: int) -> Struct:
        fields: list[Var] = []
        for child in body.named_children:
            if child.type == "field_declaration":
                found = list(self._declaration(child))
                fields.extend(found or [Var("", self._base(child.child_by_field_name("type")),
                                            self._line(child))])
        struct = Struct(name, word, tuple(fields), line, self._path)
        self.out.structs.append(struct)
        return struct

    def _stmts(self, node: Node) -> list[Stmt]:
        result: list[Stmt] = []
        for child in node.named_children if node.type == "compound_statement" else [node]:
            self._stmt(child, result)
        return result

    def _block(self, node: Node | None) -> tuple[Stmt, ...]:
        return () if node is None else tuple(self._stmts(node))

    def _stmt(self, node: Node, out: list[Stmt]) -> None:
        if self._depth > _DEEPEST:
            return
        self._depth += 1
        self._statement(node, out)
        self._depth -= 1

    def _statement(self, node: Node, out: list[Stmt]) -> None:
        line = self._line(node)
        field = node.child_by_field_name
        match node.type:
            case "declaration":
                out.extend(Stmt("decl", v.line or line, vars=(v,))
                           for v in self._declaration(node) if v.name)
            case "compound_statement":
                out.append(Stmt("block", line, body=self._block(node)))
            case "if_statement":
                other = field("alternative")
                if other is not None and other.type == "else_clause":
                    other = next(iter(other.named_children), None)
                out.append(Stmt("if", line, self._value(field("condition")),
                                self._block(field("consequence")), self._block(other)))
            case "while_statement" | "do_statement":
                out.append(Stmt(node.type.removesuffix("_statement"), line,
                                self._value(field("condition")), self._block(field("body"))))
            case "for_statement":
                init: list[Stmt] = []
                if field("initializer") is not None:
                    self._stmt(field("initializer"), init)
                out.append(Stmt("for", line, self._maybe(field("condition")),
                                self._block(field("body")), init=tuple(init),
                                step=self._maybe(field("update"))))
            case "switch_statement":
                out.append(Stmt("switch", line, self._value(field("condition")),
                                self._block(field("body"))))
            case "case_statement":
                value = field("value")
                out.append(Stmt("case", line, self._maybe(value)))
                for child in node.named_children:
                    if value is None or child.id != value.id:
                        self._stmt(child, out)
            case "return_statement":
                inner = next(iter(node.named_children), None)
                out.append(Stmt("return", line, self._maybe(inner)))
            case "goto_statement":
                out.append(Stmt("goto", line, name=self._str(field("label"))))
            case "labeled_statement":
                out.append(Stmt("label", line, name=self._str(field("label"))))
                for child in node.named_children[1:]:
                    self._stmt(child, out)
            case "break_statement" | "continue_statement":
                out.append(Stmt(node.type.removesuffix("_statement"), line))
            case "expression_statement":
                out.extend(Stmt("expr", line, self.expr(child)) for child in node.named_children)
            case "ERROR" | "comment":
                pass
            case _:
                out.append(Stmt("expr", line, self.expr(node)))

    def _maybe(self, node: Node | None) -> Expr | None:
        return None if node is None else self.expr(node)

    def _value(self, node: Node | None) -> Expr:
        return Expr("const", 0, 0, name="?") if node is None else self.expr(node)

    def expr(self, node: Node) -> Expr:
        """Any expression node; what is unknown becomes a constant that says nothing."""
        handler = _EXPRESSIONS.get(node.type)
        if handler is None or self._depth > _DEEPEST:
            return Expr("const", self._line(node), 0, name="?")
        self._depth += 1
        try:
            return handler(self, node, self._line(node))
        finally:
            self._depth -= 1

    def kids(self, node: Node, *fields: str) -> tuple[Expr, ...]:
        """The expressions in these fields."""
        return tuple(self._value(node.child_by_field_name(name)) for name in fields)

    def operator(self, node: Node) -> str:
        """The operator of a node."""
        found = node.child_by_field_name("operator")
        return self._str(found)

    def string(self, node: Node | None) -> str:
        """The text of a node."""
        return self._str(node)

    def type_name(self, node: Node | None) -> Type:
        """The type of a cast or sizeof."""
        if node is None:
            return Type("int")
        base = self._base(node.child_by_field_name("type"))
        return self._declarator(node.child_by_field_name("declarator"), base).type


Handler = Callable[[_Converter, Node, int], Expr]


def _leaf(kind: str) -> Handler:
    return lambda c, n, line: Expr(kind, line, 0, name=c.string(n))


def _call(c: _Converter, node: Node, line: int) -> Expr:
    callee = c.kids(node, "function")[0]
    arguments = node.child_by_field_name("arguments")
    args = tuple(c.expr(a) for a in arguments.named_children) if arguments is not None else ()
    name = callee.name if callee.kind in ("id", "member") else ""
    return Expr("call", line, 0, name=name, kids=(callee, *args))


def _update(c: _Converter, node: Node, line: int) -> Expr:
    operator = c.operator(node)
    argument = node.child_by_field_name("argument")
    postfix = argument is not None and argument.start_byte == node.start_byte
    return Expr("unary", line, 0, op=_POSTFIX[operator] if postfix else operator,
                kids=c.kids(node, "argument"))


def _sizeof(c: _Converter, node: Node, line: int) -> Expr:
    kind = node.child_by_field_name("type")
    if kind is not None:
        return Expr("sizeof_type", line, 0, type=c.type_name(kind))
    return Expr("sizeof", line, 0, kids=c.kids(node, "value"))


def _pair(c: _Converter, node: Node, line: int) -> Expr:
    name = "".join(c.string(d).replace(" ", "") for d in node.children_by_field_name("designator"))
    return Expr("field", line, 0, name=name, kids=c.kids(node, "value"))


def _inner(c: _Converter, node: Node, line: int) -> Expr:
    first = next(iter(node.named_children), None)
    return Expr("const", line, 0, name="?") if first is None else c.expr(first)


_EXPRESSIONS: dict[str, Handler] = {
    "identifier": _leaf("id"), "number_literal": _leaf("const"), "char_literal": _leaf("const"),
    "string_literal": _leaf("string"), "concatenated_string": _leaf("string"),
    "true": _leaf("id"), "false": _leaf("id"), "null": _leaf("id"),
    "parenthesized_expression": _inner, "call_expression": _call,
    "update_expression": _update, "sizeof_expression": _sizeof, "initializer_pair": _pair,
    "field_expression": lambda c, n, li: Expr(
        "member", li, 0, name=c.string(n.child_by_field_name("field")), op=c.operator(n),
        kids=c.kids(n, "argument")),
    "subscript_expression": lambda c, n, li: Expr("index", li, 0,
                                                  kids=c.kids(n, "argument", "index")),
    "unary_expression": lambda c, n, li: Expr("unary", li, 0, op=c.operator(n),
                                              kids=c.kids(n, "argument")),
    "pointer_expression": lambda c, n, li: Expr("unary", li, 0, op=c.operator(n),
                                                kids=c.kids(n, "argument")),
    "binary_expression": lambda c, n, li: Expr("binary", li, 0, op=c.operator(n),
                                               kids=c.kids(n, "left", "right")),
    "assignment_expression": lambda c, n, li: Expr("assign", li, 0, op=c.operator(n),
                                                   kids=c.kids(n, "left", "right")),
    "comma_expression": lambda c, n, li: Expr("comma", li, 0, kids=c.kids(n, "left", "right")),
    "conditional_expression": lambda c, n, li: Expr(
        "ternary", li, 0, kids=c.kids(n, "condition", "consequence", "alternative")),
    "cast_expression": lambda c, n, li: Expr(
        "cast", li, 0, type=c.type_name(n.child_by_field_name("type")), kids=c.kids(n, "value")),
    "initializer_list": lambda c, n, li: Expr(
        "init", li, 0, kids=tuple(c.expr(k) for k in n.named_children)),
    "compound_literal_expression": lambda c, n, li: Expr(
        "literal", li, 0, type=c.type_name(n.child_by_field_name("type")),
        kids=c.kids(n, "value")),
}
