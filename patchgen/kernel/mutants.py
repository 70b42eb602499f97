"""Proof that the proof can fail: defects put into the driver, each in a boot of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import msgspec

from patchgen.errors import InputError
from patchgen.kernel.arches import BOARDS
from patchgen.kernel.boot import Booted, boot
from patchgen.kernel.boots import Boots, Image, has_kmemleak
from patchgen.kernel.engine import Modules, build_modules, driver_files, write_modules
from patchgen.kernel.evidence import Result
from patchgen.kernel.initrd import Initrd, build_init, write_initrd
from patchgen.kernel.judge import judge_boot
from patchgen.kernel.plans import NO_TESTS, Loading, Stage, boot_stages, plan_text
from patchgen.kernel.verify import Run, Wanted, require_tools
from patchgen.kernel.workspace import open_workspace
from patchgen.series.plan import Plan
from patchgen.series.verify_model import BootSpec, EngineSpec

MUTANT_SECONDS = 300.0


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One replacement in a file of the driver."""

    file: str
    old: str
    new: str
    all: bool = False
    """Replace every occurrence; else there must be exactly one."""


class Mutation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A defect: how to put it in, where it shows, what the report has to say."""

    id: str
    defect: str
    mechanism: str
    boot: str
    """Name of a boot of the matrix."""
    stages: tuple[str, ...]
    report: str
    """Regular expression; one line of the report has to match."""
    edit: tuple[Edit, ...] = ()
    tests: bool = False
    """Let the kernel's self-tests run too; they take most of the time."""
    model_params: str = ""
    """Parameters of the engine model: a defect of the model instead of the driver."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mutation: tuple[Mutation, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutation: the results of its boot, and the line that tells the reason."""

    mutation: Mutation
    results: tuple[Result, ...]
    reason: str | None
    """None when no line of the report says what was expected."""

    @property
    def failed_as_expected(self) -> bool:
        """Whether verify failed and named the reason."""
        return self.reason is not None and any(r.verdict == "failed" for r in self.results)


def load_mutations(path: Path) -> tuple[Mutation, ...]:
    """Read a file of mutations; raises ``InputError`` naming it when it is not one."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=_File).mutation
    except msgspec.DecodeError as error:
        raise InputError(str(error), path=path) from error


def mutate(files: dict[str, str], mutation: Mutation) -> dict[str, str]:
    """The driver's files with the defect; raises ``InputError`` when it no longer fits."""
    changed = dict(files)
    for edit in mutation.edit:
        text = changed.get(edit.file, "")
        count = text.count(edit.old)
        if count == 0 or (count > 1 and not edit.all):
            raise InputError(f"{mutation.id}: {edit.old.strip().splitlines()[0]!r} is there "
                             f"{count} times", path=edit.file,
                             advice="the driver changed: adapt the mutation")
        changed[edit.file] = text.replace(edit.old, edit.new)
    return changed


def prove_mutations(
    plan: Plan, wanted: Wanted, mutations: Sequence[Mutation],
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[Outcome, ...]:
    """Boot every mutation of a series on the plan's base.

    Raises ``MissingError`` without the tools, ``InputError`` when a mutation does not fit or
    build.
    """
    matrix = plan.series.spec.verify
    if matrix is None or matrix.engine is None:
        raise InputError("mutations need an engine model",
                         path=plan.series.folder / "series.toml", advice="add [verify.engine]")
    with open_workspace(plan.base, progress) as workspace:
        run = Run(plan, matrix, wanted, workspace, progress)
        require_tools(run)
        return run_mutations(run, mutations)


def run_mutations(run: Run, mutations: Sequence[Mutation]) -> tuple[Outcome, ...]:
    """Boot every mutation; the images are those of the series' own boots."""
    specs = {spec.name: spec for spec in run.matrix.boot}
    run.workspace.farm.sync(run.plan.trees[-1])
    boots = Boots(run)
    outcomes: list[Outcome] = []
    for name in dict.fromkeys(m.boot for m in mutations):
        image = boots.image(specs[name])
        if image is None:
            raise InputError(f"there is no image for {name}: {run.results[-1].detail}")
        outcomes += _on_image(run, specs[name], image, [m for m in mutations if m.boot == name])
    order = [m.id for m in mutations]
    return tuple(sorted(outcomes, key=lambda o: order.index(o.mutation.id)))


def _on_image(
    run: Run, spec: BootSpec, image: Image, mutations: Sequence[Mutation]
) -> list[Outcome]:
    engine = run.matrix.engine
    assert engine is not None
    modules = _build(run, image, engine, mutations)
    stages = {m.id: _stages(m, modules, engine, image) for m in mutations}
    initrd = image.kernel.path(f"patchgen-mutants-{spec.name}.cpio.gz")
    write_initrd(Initrd(dict(modules.files), {k: plan_text(s) for k, s in stages.items()}),
                 build_init(BOARDS[spec.board], run.plan.profile, run.workspace.folder),
                 image.kernel.folder, initrd)

    def one(mutation: Mutation) -> Outcome:
        run.progress(f"mutation {mutation.id}")
        booted = boot(BOARDS[spec.board], image.path, initrd, append=spec.append,
                      plan=mutation.id, seconds=MUTANT_SECONDS, cancel=run.cancel,
                      console=run.workspace.folder / f"console-mutation-{mutation.id}.log")
        return judge_mutation(run, mutation, booted, stages[mutation.id])

    with ThreadPoolExecutor(max_workers=max(1, run.wanted.jobs)) as pool:
        try:
            return list(pool.map(one, mutations))
        except BaseException:
            run.cancel.set()
            raise


def judge_mutation(
    run: Run, mutation: Mutation, booted: Booted, stages: Sequence[Stage]
) -> Outcome:
    """Look for the reason among everything the report quotes."""
    wanted = run.matrix.algorithms if mutation.tests else ()
    results = judge_boot(mutation.boot, booted, stages, wanted, with_model=mutation.tests)
    quoted = [line for r in results if r.verdict == "failed" for line in (r.detail, *r.log)]
    reason = next((line for line in quoted if re.search(mutation.report, line)), None)
    return Outcome(mutation, results, reason)


def _build(
    run: Run, image: Image, engine: EngineSpec, mutations: Sequence[Mutation]
) -> Modules:
    files = driver_files(run.plan.trees[-1], engine.folder)
    drivers = {"driver": files}
    for mutation in mutations:
        changed = mutate(files, mutation)
        name = mutant_module(engine, mutation)
        changed["Makefile"] = changed["Makefile"].replace(engine.module, name)
        drivers[name] = changed
    folder = image.kernel.path("patchgen-mutants")
    write_modules(folder, engine, run.plan.profile, drivers)
    run.progress("building mutations")
    modules = build_modules(image.kernel, folder, engine, drivers)
    if not modules.built.ok:
        raise InputError(f"mutations do not build: {modules.built.failures[0]}")
    return modules


def mutant_module(engine: EngineSpec, mutation: Mutation) -> str:
    """The module of a mutated driver: modules of one build need names of their own."""
    return f"{engine.module}_{mutation.id.lower()}"


def _stages(
    mutation: Mutation, modules: Modules, engine: EngineSpec, image: Image
) -> tuple[Stage, ...]:
    name = mutant_module(engine, mutation)
    loading = Loading(modules.before, f"{name}.ko", mutation.model_params,
                      kmemleak=has_kmemleak(image.kernel))
    spec = msgspec.structs.replace(engine, module=name)
    stages = boot_stages(loading, spec, mutation.stages or ("none",))
    if mutation.tests:
        return stages
    first = stages[0]
    return (Stage(first.name, first.shows, (NO_TESTS, *first.lines)), *stages[1:])
