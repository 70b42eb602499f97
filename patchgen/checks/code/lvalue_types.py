"""The declared types of lvalues, as far as the component and the stubs know them."""

from __future__ import annotations

from patchgen.checks.code.component import Component
from patchgen.checks.code.ir import Expr, Function, Type


def lvalue_type(component: Component, function: Function, expr: Expr) -> Type | None:
    """The declared type of an identifier or member, None when it is not known."""
    if expr.kind == "id":
        for var in (*function.locals, *function.params):
            if var.name == expr.name:
                return var.type
        found = component.globals.get(expr.name)
        return found[1].type if found else None
    if expr.kind == "member":
        outer = lvalue_type(component, function, expr.kids[0])
        if outer is None:
            return None
        struct = component.struct(outer.struct_name) if outer.struct_name else outer.struct
        member = struct.field(expr.name) if struct is not None else None
        return member.type if member is not None else None
    if expr.kind == "index":
        outer = lvalue_type(component, function, expr.kids[0])
        if outer is None:
            return None
        return Type(outer.base, outer.pointer - (not outer.dims), outer.dims[1:], outer.const,
                    struct=outer.struct)
    if expr.kind == "unary" and expr.op == "*":
        outer = lvalue_type(component, function, expr.kids[0])
        if outer is None:
            return None
        return Type(outer.base, max(outer.pointer - 1, 0), (), outer.const, struct=outer.struct)
    if expr.kind == "cast":
        return expr.type
    return None
