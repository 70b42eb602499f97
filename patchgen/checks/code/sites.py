"""One call that takes something, followed along every path: given back, handed on, or lost."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace

from patchgen.checks.code.cfg import Effect, Step
from patchgen.checks.code.component import Component
from patchgen.checks.code.facts import NEGATIVE, POSITIVE, ZERO, Facts, atom_of
from patchgen.checks.code.ir import Expr, Function
from patchgen.checks.code.kernel_api import LOCKS, MUST_USE, NEON, RESOURCES, Resource
from patchgen.checks.code.lvalues import base, normal_key, same_resource
from patchgen.checks.code.paths import Trail, Walker, outcome
from patchgen.checks.code.summaries import Summaries

_FAIL_SIGNS = {"null": ZERO, "zero": ZERO, "errptr": NEGATIVE, "negative": NEGATIVE,
               "nonzero": NEGATIVE | POSITIVE, "dma": 0, "never": 0}
_BY_TAKE: dict[str, Resource] = {
    name: resource for resource in (*RESOURCES, NEON, *LOCKS) for name in resource.takes
}
_BORROWERS = re.compile(
    r"mem\w+|str\w+|dev_\w+|pr_\w+|printk|print_hex_dump\w*|sg_(?:copy|pcopy|nents|next|last|zero|dma)\w*|sg_page|sg_virt|crypto_\w+|scatterwalk_\w+|"
    r"snprintf|sprintf|scnprintf|dma_\w+|copy_\w+|ksize|virt_to_\w+|is_\w+|IS_ERR\w*|PTR_ERR\w*|"
    r"WARN\w*|BUG_ON|get_unaligned\w*|put_unaligned\w*|\w+_to_cpu\w*|cpu_to_\w+|read[bwlq]\w*|"
    r"write[bwlq]\w*|ioread\w+|iowrite\w+|ahash_request_\w+|skcipher_request_\w+|aead_request_\w+|"
    r"des\w*_expand_key|aes_\w+|kunmap\w*|kmap\w*|clk_\w+|of_\w+|spin_\w+|mutex_\w+|init_\w+|"
    r"INIT_\w+|sha\w+_\w+|hmac_\w+|atomic_\w+|completion_\w+|wait_for_\w+|wait_event\w*"
)


def _sources(value: Expr) -> list[str]:
    """The lvalues that a stored value points to or is computed from."""
    if value.kind == "unary" and value.op == "&":
        return [normal_key(value.text), base(normal_key(value.text))]
    if value.kind in ("binary", "unary"):
        return [normal_key(kid.text) for kid in value.kids]
    return [normal_key(value.text)] if value.kind in ("id", "member", "index", "cast") else []


@dataclass(frozen=True, slots=True)
class _State:
    status: str = "none"
    """none, unchecked (taken, result not looked at yet), held, done, foreign (taken before
    the function was called)."""
    names: tuple[str, ...] = ()
    stored: bool = False
    earlier: bool = False
    """A loop took one before: when the next one fails, that one is still held."""
    verdict: str = ""
    """The variable that holds what dma_mapping_error() said."""


@dataclass(slots=True)
class Site:
    """One call that takes something, and what the walk saw of its ends."""

    call: Expr
    resource: Resource
    result: str
    key: str
    is_local: bool
    by_key: bool
    leaks: list[tuple[Step, str, list[Step]]] = field(default_factory=list)
    released: set[str] = field(default_factory=set)
    again: dict[int, Expr] = field(default_factory=dict)
    unwinds: bool = False
    moves: bool = False
    """The key names another thing each time round the loop around the call."""


class SiteWalk:
    def __init__(self, component: Component, summaries: Summaries, function: Function,
                 site: Site) -> None:
        self._component = component
        self._summaries = summaries
        self._function = function
        self._site = site
        self._fail = _FAIL_SIGNS[site.resource.failure]
        self._guards: dict[tuple[int, bool], bool] = {}

    def run(self) -> bool:
        site = self._site
        graph = self._component.graph(self._function, loops_run=True)
        extra = {site.result} if site.result else {site.call.text}
        walker = Walker(graph, effect=self._effect, at_return=self._at_return,
                        branch=self._branch, keys=frozenset(extra))
        walker.walk(_State())
        return walker.complete

    def _effect(self, _: Step, effect: Effect, state: _State, __: Facts) -> _State:
        site = self._site
        if state.status == "foreign":
            return state
        if effect.kind == "call" and effect.expr is site.call:
            status = "held" if site.resource.failure == "never" else "unchecked"
            earlier = state.status == "held" and site.moves and not site.resource.scoped
            return _State(status, (site.key,) if site.key else (), earlier=earlier)
        if state.status == "none" and site.resource.scoped and effect.kind == "call" \
                and effect.expr.name in site.resource.releases:
            return _State("foreign") if self._releases(effect.expr, state) else state
        if state.status in ("none", "done"):
            return state
        if site.resource.scoped and effect.kind == "call" and effect.expr.name in \
                site.resource.takes and self._takes_again(effect.expr):
            site.again.setdefault(effect.expr.line, effect.expr)
        if effect.kind == "call" and self._releases(effect.expr, state):
            return _State("done")
        if effect.kind == "call" and self._keeps(effect.expr, state):
            return replace(state, stored=True)
        if effect.kind == "write" and effect.value is not None and effect.value is not site.call:
            return self._write(effect, state)
        return state

    def _takes_again(self, call: Expr) -> bool:
        """Whether a call takes what is held already, and cannot be taken twice."""
        resource = self._site.resource
        if resource.kind not in ("spinlock", "mutex", "NEON section"):
            return False
        if resource.key < 0:
            return True
        return bool(call.args) and normal_key(call.args[0].text) == self._site.key

    def _write(self, effect: Effect, state: _State) -> _State:
        assert effect.value is not None
        if effect.value.kind == "call" and self._is_verdict(effect.value, state):
            return replace(state, verdict=effect.target)
        if any(name in state.names for name in _sources(effect.value)):
            name = normal_key(effect.target)
            plain = re.fullmatch(r"\w+", effect.target) is not None
            names = state.names if name in state.names else (*state.names, name)
            return replace(state, names=names[:6], stored=state.stored or not plain)
        return state

    def _releases(self, call: Expr, state: _State) -> bool:
        releases = self._site.resource.releases
        position = releases.get(call.name)
        if position is None:
            if call.name.startswith("devm_add_action"):
                return True
            return self._summaries.calls_any(call, self._function, releases)
        if position < 0 or self._site.resource.key == -2 or position >= len(call.args):
            return True
        if not state.names or not self._site.by_key:
            return True
        given = normal_key(call.args[position].text)
        return any(same_resource(given, name) for name in state.names)

    def _keeps(self, call: Expr, state: _State) -> bool:
        """Whether a call may store the pointer somewhere."""
        if self._site.resource.key != -1 or self._site.resource.failure == "dma":
            return False
        passed = [i for i, a in enumerate(call.args) if normal_key(a.text) in state.names
                  or (a.kind == "unary" and a.op == "&" and base(normal_key(a.text))
                      in state.names)]
        if not passed:
            return False
        callee = self._component.function(call.name, self._function.path)
        if callee is not None:
            return any(_stores(callee, i) for i in passed)
        return _BORROWERS.fullmatch(call.name) is None

    def _branch(self, step: Step, truth: bool, state: _State, facts: Facts) -> _State | None:
        assert step.expr is not None
        atom = atom_of(step.expr)
        signs = atom.when_true if truth else atom.when_false
        if state.status == "held" and signs == ZERO and normal_key(atom.key) in state.names \
                and self._site.resource.key == -1:
            return None
        if state.status in ("held", "unchecked") and self._guards_release(step, truth):
            return _State("done")
        if state.status == "unchecked" or state.status == "held":
            failed = self._failed(step, truth, facts, state)
            if failed is True:
                if state.earlier:
                    return _State("held", state.names, state.stored)
                return _State()
            if failed is False:
                return replace(state, status="held")
        return state

    def _guards_release(self, step: Step, truth: bool) -> bool:
        """Whether the other side of a branch only releases, and then both go on together."""
        key = (step.index, truth)
        if key not in self._guards:
            here = next(t for t, edge in step.next if edge is truth)
            other = next((t for t, edge in step.next if edge is not truth), here)
            self._guards[key] = self._joins_after_release(other, here)
        return self._guards[key]

    def _joins_after_release(self, start: Step, join: Step) -> bool:
        todo = [(start, False, 0)]
        seen: set[tuple[int, bool]] = set()
        while todo:
            step, released, depth = todo.pop()
            if step is join:
                if released:
                    return True
                continue
            if step.kind in ("goto", "return") or depth > 14 or (step.index, released) in seen:
                continue
            seen.add((step.index, released))
            released = released or any(
                e.kind == "call" and e.expr is not self._site.call
                and self._releases(e.expr, _State("held", (self._site.key,)))
                for e in step.effects)
            todo.extend((target, released, depth + 1) for target, _ in step.next)
        return False

    def _failed(self, step: Step, truth: bool, facts: Facts, state: _State) -> bool | None:
        site = self._site
        assert step.expr is not None
        if site.resource.failure == "dma":
            atom = atom_of(step.expr)
            asked = any(self._is_verdict(call, state) for call in step.expr.calls())
            if asked or (state.verdict and atom.key == state.verdict):
                return bool((atom.when_true if truth else atom.when_false) & ~ZERO)
            return None
        atom = atom_of(step.expr)
        if atom.key == (site.result or site.call.text) and atom.constant is not None \
                and site.resource.failure == "zero":
            return atom.equal != truth
        known = facts.get(site.result or site.call.text)
        if known is None or not self._fail or state.status != "unchecked":
            return None
        if not known.signs & ~self._fail:
            return True
        if not known.signs & self._fail:
            return False
        return None

    @staticmethod
    def _is_verdict(call: Expr, state: _State) -> bool:
        return call.name == "dma_mapping_error" and len(call.args) > 1 \
            and normal_key(call.args[1].text) in state.names

    def _at_return(self, step: Step, state: _State, facts: Facts, trail: Trail) -> None:
        site = self._site
        how = outcome(step.expr, facts, pointer=self._function.type.pointer > 0)
        if how == "unknown" and state.status in ("held", "unchecked") and site.resource.key != -1:
            how = "error" if self._may_be_error(step, site.call, trail()) else how
        if state.status == "done":
            site.released.add(how)
            if how == "error" and not site.unwinds:
                site.unwinds = self._ends_in_release(trail())
        if state.status not in ("held", "unchecked"):
            return
        if state.status == "unchecked" and self._fail and site.result:
            known = facts.get(site.result)
            if known is not None and not known.signs & ~self._fail:
                return
        if step.expr is not None and any(
            normal_key(e.text) in state.names for e in step.expr.walk()
        ):
            return
        if how == "ok" and state.stored:
            return
        site.leaks.append((step, f"{how}-stored" if state.stored else how, trail()))


    @staticmethod
    def _may_be_error(step: Step, taken: Expr, trail: list[Step]) -> bool:
        """Whether what is returned is the untested result of a later call that can fail."""
        expr = step.expr
        if expr is not None and expr.kind == "id":
            writes = [e for s in trail for e in s.effects
                      if e.kind == "write" and e.target == expr.text]
            expr = writes[-1].value if writes else None
        return expr is not None and expr.kind == "call" and expr is not taken and (
            MUST_USE.fullmatch(expr.name) is not None or "register" in expr.name)

    def _ends_in_release(self, trail: list[Step]) -> bool:
        """Whether the release belongs to the error path itself: nothing is tried after it."""
        turn = max((i for i, s in enumerate(trail) if s.kind == "goto"), default=-1)
        if turn < 0:
            turn = max((i for i, s in enumerate(trail) if s.kind == "branch"), default=-1)
        names = self._site.resource.releases
        return any(
            effect.kind == "call" and self._summaries.calls_any(
                effect.expr, self._function, names)
            for step in trail[turn + 1 :] for effect in step.effects
        )


def _stores(function: Function, position: int) -> bool:
    if position >= len(function.params):
        return True
    name = function.params[position].name
    for expr in function.exprs:
        if expr.kind == "assign" and expr.kids[0].kind != "id" \
                and normal_key(expr.kids[1].text) == name:
            return True
        if expr.kind == "call" and any(
                normal_key(a.text) == name or (a.op == "&" and base(normal_key(a.text)) == name)
                for a in expr.args) and _BORROWERS.fullmatch(expr.name) is None:
            return True
    return False


def sites(function: Function, wrappers: Mapping[str, Resource],
          known: Container[str] = ()) -> Iterator[Site]:
    """The calls of a function that take something, wrappers of the component among them.

    ``known``: names of global variables; what such a name is given must be taken back from it.
    """
    targets: dict[int, Expr] = {}
    for expr in function.exprs:
        if expr.kind == "assign" and expr.op == "=":
            value = expr.kids[1]
            while value.kind == "cast":
                value = value.kids[0]
            targets[id(value)] = expr.kids[0]
    for var in function.locals:
        if var.init is not None:
            value = var.init
            while value.kind == "cast":
                value = value.kids[0]
            targets[id(value)] = Expr("id", var.line, 0, name=var.name)
    plain = {var.name for var in function.locals if "static" not in var.storage}
    for call in function.calls:
        resource = _BY_TAKE.get(call.name) or wrappers.get(call.name)
        if resource is None or (call.name in wrappers and call.name not in _BY_TAKE
                                and function.name in resource.releases):
            continue
        if resource.kind == "reset line" and any(
                c.line < call.line for c in function.calls_to("reset_control_assert")):
            continue  # a pulse, nothing that has to be undone
        target = targets.get(id(call))
        result = target.text if target is not None else ""
        if resource.key == -1:
            if target is None:
                continue
            key = normal_key(result)
        else:
            key = normal_key(call.args[resource.key].text) if 0 <= resource.key < len(call.args) \
                else ""
        yield Site(call, resource, result, key, resource.key == -1 and result in plain,
                   key in known or _has_release_of(function, resource, key),
                   moves=_moves(function, call, target))


def _moves(function: Function, call: Expr, target: Expr | None) -> bool:
    """Whether a loop around the call changes what the handle is stored in."""
    if target is None or target.kind == "id":
        return False
    names = {e.name for e in target.walk() if e.kind == "id"}
    for stmt in function.statements:
        if stmt.kind not in ("for", "while", "do"):
            continue
        inner = [e for s in stmt.walk() for top in s.expressions() for e in top.walk()]
        if any(e is call for e in inner) and any(
                (e.kind == "assign" or e.op in ("++", "--", "p++", "p--"))
                and e.kids[0].text in names for e in inner if e.kids):
            return True
    return False


def _has_release_of(function: Function, resource: Resource, key: str) -> bool:
    """Whether a release in this function names the resource as the taking call does."""
    for call in function.calls:
        position = resource.releases.get(call.name)
        if position is not None and 0 <= position < len(call.args) \
                and same_resource(normal_key(call.args[position].text), key):
            return True
    return resource.key == -1
