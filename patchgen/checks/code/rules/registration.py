"""Registrations: as many undone as done, and interrupt handlers that tell whose it was."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.component import Component
from patchgen.checks.code.contexts import contexts_of
from patchgen.checks.code.ir import Expr, Function
from patchgen.checks.code.lvalues import normal_key
from patchgen.findings import Finding

_PAIR = re.compile(r"(crypto_(?:engine_)?)(un)?register_(skciphers|ahashes|shashes|aeads|algs|rngs|"
                   r"scomps|acomps)")


@registry.check(
    "unregister-count", scope="code", severity="error",
    rule="As many algorithms are unregistered as were registered.",
    why="The ones left out point into the module after it is unloaded; one too many is memory "
        "behind the array.",
    fix="use ARRAY_SIZE() of the array in both places",
)
def unregister_count(component: Component) -> Iterator[Finding]:
    """Counts of one array that differ between register and unregister calls."""
    check = registry.get("unregister-count")
    registered: dict[tuple[str, str], Expr] = {}
    undone: list[tuple[Function, str, Expr]] = []
    for _, function in component.all_functions():
        for call in function.calls:
            match = _PAIR.fullmatch(call.name)
            if match is None or len(call.args) < 2:
                continue
            key = normal_key(call.args[0].text)
            if match[2]:
                undone.append((function, match[3], call))
            else:
                registered.setdefault((match[3], key), call)
    for function, kind, call in undone:
        known = registered.get((kind, normal_key(call.args[0].text)))
        if known is None or known.args[1].text == call.args[1].text:
            continue
        if _is_count(known.args[1]) and _is_count(call.args[1]):
            yield check.finding(
                f"{call.args[1].text} of {call.args[0].text} are unregistered, but "
                f"{known.args[1].text} were registered", file=function.path, line=call.line)


def _is_count(expr: Expr) -> bool:
    return expr.kind == "const" or expr.text.startswith("ARRAY_SIZE(") or expr.text.isupper() or (
        expr.kind == "binary" and any(_is_count(kid) for kid in expr.kids))


_STATUS = re.compile(r"readl\w*|ioread32\w*|readb|readw|regmap_read|\w*_read\w*|\w*read_reg\w*")


@registry.check(
    "irq-none", scope="code", severity="warning",
    rule="An interrupt handler returns IRQ_NONE when its device had nothing pending.",
    why="The kernel turns off a line that nobody handles; a handler that claims every interrupt "
        "hides a stuck line, and the machine drowns in it.",
    fix="test the status that was read and return IRQ_NONE when no bit is set",
)
def irq_none(component: Component) -> Iterator[Finding]:
    """Handlers that read a status and return IRQ_HANDLED whatever it is."""
    check = registry.get("irq-none")
    contexts = contexts_of(component)
    for _, function in component.all_functions():
        if contexts.atomic.get(id(function)) != "an interrupt handler":
            continue
        reached = [f for f, _ in contexts.reachable(function).values()]
        reads = any(_STATUS.fullmatch(c.name) for f in reached for c in f.calls)
        answers = {e.name for s in function.statements if s.kind == "return" and s.expr
                   for e in s.expr.walk() if e.kind == "id"}
        answers |= {e.kids[1].name for e in function.exprs if e.kind == "assign"
                    and e.kids[1].kind == "id"}
        if reads and "IRQ_NONE" not in answers \
                and answers & {"IRQ_HANDLED", "IRQ_WAKE_THREAD"} \
                and not function.calls_to("IRQ_RETVAL") and not any(
                    s.kind == "return" and s.expr is not None and s.expr.kind == "call"
                    for s in function.statements):
            yield check.finding(f"{function.name}() never returns IRQ_NONE", file=function.path,
                                line=function.line)
