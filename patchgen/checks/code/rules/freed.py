"""What was given back is not used any more."""

from __future__ import annotations

from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.code.cfg import Effect, Step
from patchgen.checks.code.component import Component
from patchgen.checks.code.facts import Facts
from patchgen.checks.code.ir import Expr
from patchgen.checks.code.paths import Trail, Walker
from patchgen.findings import Finding

_FREES = {"kfree": 0, "kfree_sensitive": 0, "kvfree": 0, "vfree": 0, "kmem_cache_free": 1,
          "crypto_free_skcipher": 0, "crypto_free_ahash": 0, "crypto_free_shash": 0,
          "crypto_free_aead": 0, "iounmap": 0, "dma_pool_free": 1, "free_irq": 0,
          "dma_unmap_single": 1, "dma_unmap_page": 1, "dma_free_coherent": 2}


@registry.check(
    "use-after-free", scope="code", severity="error",
    rule="Nothing uses memory, or gives it back, after it was given back.",
    why="The memory belongs to somebody else by then.",
    fix="use it first and free it last, once",
)
def use_after_free(component: Component) -> Iterator[Finding]:
    """Dereferences and second releases of a variable on one path after its release."""
    check = registry.get("use-after-free")
    for _, function in component.all_functions():
        if not any(c.name in _FREES for c in function.calls):
            continue
        found: dict[int, tuple[Expr, str, int]] = {}

        def effect(_: Step, what: Effect, state: frozenset[tuple[str, int]], __: Facts,
                   found: dict[int, tuple[Expr, str, int]] = found
                   ) -> frozenset[tuple[str, int]]:
            if what.kind in ("write", "declare", "address"):
                target = what.target
                for name, line in state:
                    if what.kind == "write" and target.startswith(f"{name}->"):
                        found.setdefault(what.expr.line, (what.expr, name, line))
                return frozenset(s for s in state if s[0] != target and not s[0].startswith(
                    (f"{target}->", f"{target}.", f"{target}[")) and f"[{target}]" not in s[0])
            if what.kind == "read" and what.expr.kind == "member" and what.expr.op == "->":
                base = what.expr.kids[0].text
                for name, line in state:
                    if name == base:
                        found.setdefault(what.expr.line, (what.expr, name, line))
            if what.kind == "call" and what.expr.name in _FREES:
                position = _FREES[what.expr.name]
                if position >= len(what.expr.args):
                    return state
                argument = what.expr.args[position]
                if argument.kind not in ("id", "member"):
                    return state
                for name, line in state:
                    if name == argument.text:
                        found.setdefault(what.expr.line, (what.expr, name, line))
                return state | {(argument.text, what.expr.line)}
            if what.kind == "call":
                names = {a.text for a in what.expr.args}
                return frozenset(s for s in state if not any(
                    s[0].startswith(f"{n}->") for n in names))
            return state

        def at_return(_: Step, __: object, ___: Facts, ____: Trail) -> None:
            return

        walker = Walker(component.graph(function, loops_run=True), effect=effect,
                        at_return=at_return)
        walker.walk(frozenset())
        for expr, name, line in found.values() if walker.complete else ():
            what = "is given back again" if expr.kind == "call" else "is used"
            yield check.finding(f"{name} {what} after it was given back at line {line}",
                                file=function.path, line=expr.line)
