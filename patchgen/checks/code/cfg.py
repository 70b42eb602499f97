"""The control flow of one function as a graph of small steps.

``&&``, ``||`` and ``!`` in conditions become branches of their own, so that every branch
tests one thing. Each step lists what it does in order: reads, calls, writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from patchgen.checks.code.ir import Expr, Function, Stmt, Var
from patchgen.checks.code.kernel_api import PURE_MACROS, WRITES_ARGUMENTS
from patchgen.checks.code.rewrite import ASM_CALL, ELVIS_NAME, STATEMENT_EXPRESSION

EffectKind = Literal["read", "call", "write", "address", "declare"]


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing a step does.

    ``read``: an identifier or lvalue; ``call``; ``write``: an assignment, ``++`` or an
    initializer (``target`` is what is written, ``value`` what with); ``address``: ``&x``;
    ``declare``: a local variable without initializer comes into being.
    """

    kind: EffectKind
    expr: Expr
    target: str = ""
    value: Expr | None = None
    op: str = "="


class Step:
    """One node of the graph; ``kind`` is entry, exit, expr, branch, switch, goto or return."""

    __slots__ = ("_effects", "expr", "index", "kind", "line", "next", "var")

    def __init__(self, index: int, kind: str, line: int, expr: Expr | None = None,
                 var: Var | None = None) -> None:
        self.index = index
        self.kind = kind
        self.line = line
        self.expr = expr
        self.var = var
        self.next: list[tuple[Step, bool | str | None]] = []
        self._effects: tuple[Effect, ...] | None = None

    def __repr__(self) -> str:
        return f"<{self.index} {self.kind} {self.expr.text if self.expr else ''} @{self.line}>"

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What the step does, in order of evaluation."""
        if self._effects is None:
            self._effects = tuple(self._all_effects())
        return self._effects

    def _all_effects(self) -> Iterator[Effect]:
        if self.var is not None:
            place = Expr("id", self.var.line, self.var.column, name=self.var.name)
            if self.var.init is not None:
                yield from effects_of(self.var.init)
                yield Effect("write", place, self.var.name, self.var.init)
            else:
                yield Effect("declare", place, self.var.name)
        if self.expr is not None:
            yield from effects_of(self.expr)


def effects_of(expr: Expr) -> Iterator[Effect]:
    """The effects of evaluating an expression, in order."""
    kind = expr.kind
    if kind == "assign":
        target = expr.kids[0]
        yield from effects_of(expr.kids[1])
        yield from _place_effects(target)
        if expr.op != "=":
            yield Effect("read", target)
        yield Effect("write", expr, target.text, expr.kids[1], expr.op)
    elif kind == "unary" and expr.op in ("++", "--", "p++", "p--"):
        target = expr.kids[0]
        yield from _place_effects(target)
        yield Effect("read", target)
        yield Effect("write", expr, target.text, None, expr.op)
    elif kind == "unary" and expr.op == "&":
        yield from _place_effects(expr.kids[0])
        yield Effect("address", expr, expr.kids[0].text)
    elif kind == "call" and expr.name in ("struct_size", "sizeof_field"):
        yield from effects_of(expr.args[-1])
    elif kind == "call":
        if expr.kids[0].kind != "id":
            yield from effects_of(expr.kids[0])
        for position, argument in enumerate(expr.args):
            if argument.kind in ("id", "member") and _writes(expr.name, position):
                yield Effect("address", argument, argument.text)
            else:
                yield from effects_of(argument)
        if expr.name not in (ASM_CALL, STATEMENT_EXPRESSION):
            yield Effect("call", expr)
    elif kind in ("sizeof", "sizeof_type", "offsetof"):
        return
    elif kind == "id":
        yield Effect("read", expr)
    elif kind == "member":
        yield from effects_of(expr.kids[0])
        yield Effect("read", expr)
    else:
        for kid in expr.kids:
            yield from effects_of(kid)


def _writes(name: str, position: int) -> bool:
    """Whether a macro may write to an argument that is passed by name."""
    known = WRITES_ARGUMENTS.get(name)
    if known is not None:
        return position in known
    return "for_each" in name or (name.isupper() and name not in PURE_MACROS)


def _place_effects(target: Expr) -> Iterator[Effect]:
    """What is evaluated to find the place that an assignment writes."""
    if target.kind == "member":
        if target.op == "->":
            yield from effects_of(target.kids[0])
        else:
            yield from _place_effects(target.kids[0])
    elif target.kind == "index":
        base = target.kids[0]
        yield from _place_effects(base) if base.kind != "id" else iter(())
        yield from effects_of(target.kids[1])
    elif target.kind == "unary" and target.op == "*":
        yield from effects_of(target.kids[0])
    elif target.kind not in ("id",):
        for kid in target.kids:
            yield from effects_of(kid)


def _choice(expr: Expr | None) -> Expr | None:
    """The ternary that an expression is, when both of its values are written out."""
    if expr is None or expr.kind != "ternary" or expr.kids[1].text == ELVIS_NAME:
        return None
    return expr


def _assigned(assign: Expr, value: Expr) -> Expr:
    return Expr("assign", assign.line, assign.column, op=assign.op, kids=(assign.kids[0], value))


Edge = tuple[Step, bool | str | None]


class Graph:
    """The steps of a function, from ``entry`` to ``exit``.

    ``loops_run``: every loop body runs at least once (for rules that would otherwise ask what
    happens when a list is empty).
    """

    def __init__(self, function: Function, *, loops_run: bool = False) -> None:
        self.function = function
        self._loops_run = loops_run
        self.steps: list[Step] = []
        self.entry = self._step("entry", function.line)
        self.exit = self._step("exit", function.end_line)
        self._labels: dict[str, Step] = {}
        self._breaks: list[list[Edge]] = []
        self._continues: list[Step] = []
        open_ends = self._block(function.body, [(self.entry, None)])
        if open_ends:
            end = self._step("return", function.end_line)
            self._join(open_ends, end)
            end.next.append((self.exit, None))

    def _step(self, kind: str, line: int, expr: Expr | None = None,
              var: Var | None = None) -> Step:
        step = Step(len(self.steps), kind, line, expr, var)
        self.steps.append(step)
        return step

    @staticmethod
    def _join(ends: list[Edge], target: Step) -> None:
        for step, edge in ends:
            step.next.append((target, edge))

    def _block(self, stmts: tuple[Stmt, ...], ends: list[Edge]) -> list[Edge]:
        for stmt in stmts:
            ends = self._statement(stmt, ends)
        return ends

    def _statement(self, stmt: Stmt, ends: list[Edge]) -> list[Edge]:
        match stmt.kind:
            case "block":
                return self._block(stmt.body, ends)
            case "expr":
                return self._plain(stmt.expr, stmt.line, ends)
            case "decl":
                for var in stmt.vars:
                    ends = self._declaration(var, var.line or stmt.line, ends)
                return ends
            case "if":
                assert stmt.expr is not None
                yes, no = self._condition(stmt.expr, ends)
                return self._block(stmt.body, yes) + self._block(stmt.orelse, no)
            case "while" | "for" | "do":
                return self._loop(stmt, ends)
            case "switch":
                return self._switch(stmt, ends)
            case "return":
                self._return(stmt.expr, stmt.line, ends)
                return []
            case "goto":
                jump = self._step("goto", stmt.line)
                self._join(ends, jump)
                jump.next.append((self._label(stmt.name, stmt.line), None))
                return []
            case "label":
                label = self._label(stmt.name, stmt.line)
                self._join(ends, label)
                return [(label, None)]
            case "break":
                if self._breaks:
                    self._breaks[-1].extend(ends)
                return []
            case "continue":
                if self._continues:
                    self._join(ends, self._continues[-1])
                return []
            case _:
                return ends

    def _label(self, name: str, line: int) -> Step:
        if name not in self._labels:
            self._labels[name] = self._step("expr", line)
        return self._labels[name]

    def _return(self, expr: Expr | None, line: int, ends: list[Edge]) -> None:
        choice = _choice(expr)
        if choice is not None:
            yes, no = self._condition(choice.kids[0], ends)
            self._return(choice.kids[1], line, yes)
            self._return(choice.kids[2], line, no)
            return
        step = self._step("return", line, expr)
        self._join(ends, step)
        step.next.append((self.exit, None))

    def _declaration(self, var: Var, line: int, ends: list[Edge]) -> list[Edge]:
        choice = _choice(var.init)
        if choice is not None:
            yes, no = self._condition(choice.kids[0], ends)
            parts = ((replace(var, init=choice.kids[1]), yes),
                     (replace(var, init=choice.kids[2]), no))
            return [end for part, open_ends in parts
                    for end in self._declaration(part, line, open_ends)]
        step = self._step("expr", line, var=var)
        self._join(ends, step)
        return [(step, None)]

    def _plain(self, expr: Expr | None, line: int, ends: list[Edge]) -> list[Edge]:
        if expr is None:
            return ends
        if expr.kind == "comma":
            for kid in expr.kids:
                ends = self._plain(kid, kid.line or line, ends)
            return ends
        choice = _choice(expr.kids[1]) if expr.kind == "assign" else None
        if choice is not None:
            yes, no = self._condition(choice.kids[0], ends)
            return (self._plain(_assigned(expr, choice.kids[1]), line, yes)
                    + self._plain(_assigned(expr, choice.kids[2]), line, no))
        step = self._step("expr", expr.line or line, expr)
        self._join(ends, step)
        return [(step, None)]

    def _condition(self, expr: Expr, ends: list[Edge]) -> tuple[list[Edge], list[Edge]]:
        """The open ends where the condition holds, and where it does not."""
        if expr.kind == "binary" and expr.op == "&&":
            yes, no = self._condition(expr.kids[0], ends)
            yes_two, no_two = self._condition(expr.kids[1], yes)
            return yes_two, no + no_two
        if expr.kind == "binary" and expr.op == "||":
            yes, no = self._condition(expr.kids[0], ends)
            yes_two, no_two = self._condition(expr.kids[1], no)
            return yes + yes_two, no_two
        if expr.kind == "unary" and expr.op == "!":
            yes, no = self._condition(expr.kids[0], ends)
            return no, yes
        if expr.kind == "comma":
            for kid in expr.kids[:-1]:
                ends = self._plain(kid, kid.line, ends)
            return self._condition(expr.kids[-1], ends)
        if expr.kind == "const" and expr.name.rstrip("uUlL").isdigit():
            step = self._step("expr", expr.line)
            self._join(ends, step)
            always = bool(expr.name.rstrip("uUlL").strip("0"))
            return ([(step, None)], []) if always else ([], [(step, None)])
        step = self._step("branch", expr.line, expr)
        self._join(ends, step)
        return [(step, True)], [(step, False)]

    def _loop(self, stmt: Stmt, ends: list[Edge]) -> list[Edge]:
        ends = self._block(stmt.init, ends)
        head = self._step("expr", stmt.line)
        after = self._step("expr", stmt.step.line if stmt.step else stmt.line, stmt.step)
        self._breaks.append([])
        self._continues.append(after)
        if stmt.kind == "do":
            self._join(ends, head)
            body = self._block(stmt.body, [(head, None)])
            self._join(body, after)
            assert stmt.expr is not None
            yes, no = self._condition(stmt.expr, [(after, None)])
            self._join(yes, head)
        else:
            first: list[Edge] = []
            if self._loops_run and stmt.expr is not None:
                first, _ = self._condition(stmt.expr, ends)
            else:
                self._join(ends, head)
            if stmt.expr is None:
                yes, no = [(head, None)], []
            else:
                yes, no = self._condition(stmt.expr, [(head, None)])
            body = self._block(stmt.body, first + yes)
            self._join(body, after)
            after.next.append((head, None))
        self._continues.pop()
        return no + self._breaks.pop()

    def _switch(self, stmt: Stmt, ends: list[Edge]) -> list[Edge]:
        step = self._step("switch", stmt.line, stmt.expr)
        self._join(ends, step)
        self._breaks.append([])
        flow: list[Edge] = []
        has_default = False
        for inner in stmt.body:
            if inner.kind == "case":
                text = "default" if inner.expr is None else inner.expr.text
                has_default = has_default or inner.expr is None
                flow = [*flow, (step, text)]
            else:
                flow = self._statement(inner, flow)
        if not has_default:
            flow = [*flow, (step, "default")]
        return flow + self._breaks.pop()
