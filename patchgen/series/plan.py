"""From a series and a base to one tree per patch. Nothing is written, no git is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from patchgen.errors import AlreadyAppliedError, InputError
from patchgen.profiles import DEFAULT_KERNEL, OLDEST_GENERATED, KernelProfile, profile_for
from patchgen.render import RenderContext, component_paths, render
from patchgen.series.identity import PLACEHOLDER, Identity
from patchgen.series.load import Series
from patchgen.series.model import PatchSpec
from patchgen.steps.base import StepContext
from patchgen.tree import Base, EmbeddedBase, FileEntry, Tree


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What the user may choose about a plan."""

    kernel: str | None = None
    """``X.Y``; default: the tree's own version, else the series', else the newest profile."""
    identity: Identity = PLACEHOLDER
    features: frozenset[str] = frozenset()
    """Extra template features that are on from the start (``--features``)."""
    linux: Path | None = None
    """A Linux source that says what configuration symbols mean (``--linux``)."""


@dataclass(frozen=True, slots=True)
class PlannedPatch:
    """One patch: the trees before and after it, and its commit message."""

    subject: str
    body: str
    before: Tree
    after: Tree

    @property
    def paths(self) -> tuple[str, ...]:
        """The files it changes, sorted."""
        return self.after.changes_since(self.before)


@dataclass(frozen=True, slots=True)
class Applied:
    """A patch that the tree already has, and where that shows."""

    number: int
    subject: str
    where: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything a series will be, before git makes diffs of it."""

    series: Series
    profile: KernelProfile
    identity: Identity
    base: Base
    start: Tree
    """The base as it is, or the rendered embedded base."""
    prerequisites: tuple[PlannedPatch, ...]
    patches: tuple[PlannedPatch, ...]
    applied: tuple[Applied, ...] = ()
    warnings: tuple[str, ...] = field(default=())
    options: PlanOptions = field(default_factory=PlanOptions)
    cover_values: Mapping[str, str] = field(default_factory=dict)
    """What a generator has for the cover letter."""

    @property
    def trees(self) -> tuple[Tree, ...]:
        """Tree 0 (what patch 1 applies to) to tree n."""
        first = self.prerequisites[-1].after if self.prerequisites else self.start
        return (first, *(patch.after for patch in self.patches))


def embedded_base(series: Series, context: RenderContext) -> EmbeddedBase:
    """The base rendered from the components the series names, with no feature on."""
    files = {
        path: FileEntry(render(component, path, context).encode("utf-8"))
        for component in series.spec.base.components
        for path in component_paths(component)
    }
    return EmbeddedBase(files, kernel_version=str(context.kernel.version))


def plan_series(series: Series, base: Base | None, options: PlanOptions) -> Plan:
    """Apply every patch of the series to the base (None: the embedded one).

    Raises ``AlreadyAppliedError`` when the tree has the series (or, unless the series is
    ``partial``, any patch of it), ``InputError`` when a step finds no place.
    """
    profile, warnings = _profile(series, base, options)
    params = {"maintainer": str(options.identity), **series.spec.params}
    context = RenderContext(profile, options.features, params)
    prerequisites: tuple[PlannedPatch, ...] = ()
    if base is None:
        base = embedded_base(series, context)
        start = Tree(base)
    else:
        start = Tree(base)
        prerequisites = _prerequisites(series, start, context, options.identity)
    tree = prerequisites[-1].after if prerequisites else start
    applied: list[Applied] = []
    cover: Mapping[str, str] = {}
    if series.spec.generator is not None:
        step_context = StepContext(context, str(options.identity), linux=options.linux,
                                   only_kernel=options.kernel)
        patches = _generated(series, tree, step_context)
        cover = series.spec.generator.cover_values(tree, step_context)
    else:
        patches, applied = _stepwise(series, tree, context, options.identity)
    return Plan(series, profile, options.identity, base, start, prerequisites, patches,
                tuple(applied), warnings, options, cover)


def _profile(
    series: Series, base: Base | None, options: PlanOptions
) -> tuple[KernelProfile, tuple[str, ...]]:
    there = base.kernel_version if base else None
    profile = profile_for(options.kernel or there or series.spec.kernel or DEFAULT_KERNEL)
    if there and options.kernel and profile_for(there).version != profile.version:
        return profile, (f"--kernel {options.kernel} is not what the tree says ({there})",)
    generated = any(step.__struct_config__.tag == "template"
                    for patch in (*series.spec.prerequisite, *series.spec.patch)
                    for step in patch.step)
    if generated and profile.version < OLDEST_GENERATED:
        raise InputError(f"the templates of {series.name} need Linux {OLDEST_GENERATED} or newer, "
                         f"this is {profile.version}", advice="give a newer --tree or --kernel")
    return profile, ()


def _prerequisites(
    series: Series, tree: Tree, context: RenderContext, identity: Identity
) -> tuple[PlannedPatch, ...]:
    """What a real tree needs first; a prerequisite that it has already is left out."""
    planned = []
    step_context = StepContext(context, str(identity))
    for spec, message in zip(series.spec.prerequisite, series.prerequisite_messages, strict=True):
        after = tree
        for step in spec.step:
            if step.already_applied(after, step_context) is None:
                after = step.apply(after, step_context)
        if after.changes_since(tree):
            planned.append(PlannedPatch(spec.subject, message, tree, after))
            tree = after
    return tuple(planned)


def _generated(series: Series, tree: Tree, context: StepContext) -> tuple[PlannedPatch, ...]:
    generator = series.spec.generator
    assert generator is not None
    planned = []
    for patch in generator.patches(tree, context):
        planned.append(PlannedPatch(patch.subject, patch.body, tree, patch.tree))
        tree = patch.tree
    if not planned:
        raise AlreadyAppliedError(f"{series.name}: the tree already is as this series would "
                                  "make it; nothing was written")
    return tuple(planned)


def _stepwise(
    series: Series, tree: Tree, context: RenderContext, identity: Identity
) -> tuple[tuple[PlannedPatch, ...], list[Applied]]:
    planned: list[PlannedPatch] = []
    applied: list[Applied] = []
    for number, spec in enumerate(series.spec.patch, start=1):
        found, after, context = _apply(spec, tree, context, identity)
        if found is not None:
            applied.append(Applied(number, spec.subject, found))
            continue
        planned.append(PlannedPatch(spec.subject, series.messages[number - 1], tree, after))
        tree = after
    if applied and not (series.spec.partial and planned):
        raise AlreadyAppliedError(_already(series, applied), applied)
    return tuple(planned), applied


def _apply(
    spec: PatchSpec, tree: Tree, context: RenderContext, identity: Identity
) -> tuple[str | None, Tree, RenderContext]:
    """Where the patch already is (or None), the tree after it, the context after it."""
    before = tree
    where: str | None = None
    for step in spec.step:
        step_context = StepContext(context, str(identity))
        found = step.already_applied(tree, step_context)
        if found is None:
            try:
                tree = step.apply(tree, step_context)
            except InputError:
                # No place for it: either the tree is odd, or it is past this patch already.
                where = where or _trace_of(spec, before, step_context)
                if where is None:
                    raise
                return where, before, context
        else:
            where = where or found
        switched = step.switches()
        if switched:
            context = context.with_features(*switched)
    if where is None and not tree.changes_since(before):
        raise InputError(f"patch {spec.subject!r} changes nothing on this tree",
                         advice="look at its steps in series.toml")
    complete = where is not None and not tree.changes_since(before)
    if where is not None and not complete and not _may_be_partial(spec):
        # Half of a patch is there: neither the patch nor its absence describes the tree.
        return where, before, context
    return (where if complete else None), tree, context


def _trace_of(spec: PatchSpec, tree: Tree, context: StepContext) -> str | None:
    """Where a tree shows that a step of the patch is already applied, or None."""
    return next((found for step in spec.step
                 if (found := step.already_applied(tree, context)) is not None), None)


def _may_be_partial(spec: PatchSpec) -> bool:
    return all(type(step).partial for step in spec.step)


def _already(series: Series, applied: list[Applied]) -> str:
    first = applied[0]
    total = len(series.spec.patch)
    which = (f"all {total} patches are" if len(applied) == total
             else f"patch {first.number} ({first.subject}) is" if len(applied) == 1
             else f"{len(applied)} of {total} patches are")
    return (f"{series.name}: {which} already applied, see {first.where}; "
            "nothing was written; give a tree without them")
