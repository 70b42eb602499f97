"""The shipped series, its steps, and trees to try them on."""

from __future__ import annotations

from functools import lru_cache

from patchgen.profiles import profile_for
from patchgen.render import RenderContext
from patchgen.series.load import Series, load
from patchgen.series.plan import PlanOptions, embedded_base, plan_series
from patchgen.steps.base import StepContext
from patchgen.tree import Tree

NAME = "qce-gcm"


@lru_cache(maxsize=1)
def series() -> Series:
    """The series as it is shipped."""
    return load(NAME)


def context(kernel: str = "6.12") -> StepContext:
    """What its steps may depend on."""
    render = RenderContext(profile_for(kernel), params=dict(series().spec.params))
    return StepContext(render, "A U Thor <author@example.org>")


def embedded(kernel: str = "6.12") -> Tree:
    """The embedded base of the series."""
    return Tree(embedded_base(series(), context(kernel).render))


def steps(*numbers: int):
    """The steps of some patches (from 1), in order."""
    return [step for n in numbers for step in series().spec.patch[n - 1].step]


def only(tree: Tree, *numbers: int) -> Tree:
    """The tree with just these patches of the series."""
    for step in steps(*numbers):
        if step.already_applied(tree, context()) is None:
            tree = step.apply(tree, context())
    return tree


def applied(tree: Tree) -> Tree:
    """The tree with what is missing of the series, planned as the command does."""
    plan = plan_series(series(), tree.base, PlanOptions())
    return plan.patches[-1].after
