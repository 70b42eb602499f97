"""Building what the series touches: after each patch or after the last, in every configuration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from patchgen import process
from patchgen.errors import InputError
from patchgen.kernel.arches import ARCHES
from patchgen.kernel.evidence import Result
from patchgen.kernel.kconfig import configure
from patchgen.kernel.make import Kernel
from patchgen.series.plan import Plan
from patchgen.series.verify_model import BuildSpec
from patchgen.tree import Tree

if TYPE_CHECKING:
    from patchgen.kernel.verify import Run

WARNINGS = ("W=1", "KCFLAGS=-Wmaybe-uninitialized")
_SOURCES = (".c", ".h", ".S")


def source_folders(plan: Plan) -> tuple[str, ...]:
    """The folders with C or assembly that the series changes, sorted."""
    changed = plan.trees[-1].changes_since(plan.trees[0])
    return tuple(sorted({
        str(PurePosixPath(p).parent) for p in changed
        if p.endswith(_SOURCES) and not p.startswith(("include/", "Documentation/"))
        and "/include/" not in p
    }))


def enabling_files(plan: Plan) -> tuple[str, ...]:
    """Kconfig files and Makefiles that switch the series on from a folder above its sources.

    They come last in a well-ordered series; to compile the patches before, a build borrows
    them from the end of the series.
    """
    changed = plan.trees[-1].changes_since(plan.trees[0])
    own = source_folders(plan)
    return tuple(p for p in changed
                 if PurePosixPath(p).name.startswith(("Kconfig", "Makefile", "Kbuild"))
                 and str(PurePosixPath(p).parent) not in own)


def state(plan: Plan, number: int) -> Tree:
    """The tree after a patch, with the enabling files of the end."""
    tree, last = plan.trees[number], plan.trees[-1]
    for path in enabling_files(plan):
        entry = last.entry(path)
        if entry is not None:
            tree = tree.write(path, entry.data)
    return tree


def built_folders(plan: Plan, tree: Tree) -> tuple[str, ...]:
    """The folders of the series that have something to build in this tree."""
    return tuple(f for f in source_folders(plan)
                 if tree.exists(f"{f}/Makefile") or tree.exists(f"{f}/Kbuild"))


def build_states(run: Run) -> None:
    """Build the folders in every configuration, after each patch if that is wanted."""
    last = len(run.plan.trees) - 1
    kernels: dict[str, Kernel] = {}
    for number in range(1, last + 1) if run.wanted.each_patch else (last,):
        tree = state(run.plan, number)
        run.workspace.farm.sync(tree)
        folders = built_folders(run.plan, tree)
        for spec in run.builds():
            where = f"patch {number}/{last}, {spec.name}"
            if not folders:
                run.results.append(Result("build", spec.name, "passed", "nothing to compile yet",
                                          patch=number))
                continue
            try:
                kernel = _kernel(run, spec, kernels, where)
            except InputError as error:
                run.results.append(Result("build", spec.name, "failed", str(error), patch=number))
                continue
            run.progress(where)
            run.results.append(_build(run, kernel, spec, folders, number))


def _kernel(run: Run, spec: BuildSpec, kernels: dict[str, Kernel], where: str) -> Kernel:
    """The build folder of a configuration, configured and prepared."""
    arch = ARCHES[spec.arch]
    lines = run.config_lines(spec.name, run.matrix.options, spec.options)
    kernel = kernels.get(spec.name)
    if kernel is None:
        kernel = Kernel(run.workspace.farm, run.workspace.build_folder(f"build-{spec.name}"), arch,
                        jobs=run.wanted.jobs, cancel=run.cancel,
                        progress=lambda file: run.progress(f"{where}: {file}"))
        kernels[spec.name] = kernel
        run.progress(f"{where}: configuring")
        configure(run.workspace.farm, kernel.folder, arch, spec.base, lines)
        built = kernel.make("modules_prepare")
        if not built.ok:
            raise InputError(f"the tree cannot be prepared for {spec.name}: {built.failures[0]}")
    return kernel


def _build(
    run: Run, kernel: Kernel, spec: BuildSpec, folders: Sequence[str], number: int
) -> Result:
    sparse = ("C=2", "CHECK=sparse") if process.have_tool("sparse") else ()
    built = kernel.make(*(f"{folder}/" for folder in folders), variables=(*WARNINGS, *sparse))
    changed = run.plan.trees[number].changes_since(run.plan.trees[0])
    remarks = [str(r) for r in built.ours(changed)]
    objects = sum(len(list(kernel.path(folder).glob("*.o"))) for folder in folders)
    problems = [*built.failures, *remarks]
    if not problems and not objects:
        problems.append("make built nothing: is the series' symbol on in this configuration?")
    checked = "W=1, -Wmaybe-uninitialized" + (", sparse" if sparse else "")
    detail = f"{objects} objects without a warning ({checked})"
    if not sparse:
        detail += "; sparse skipped: not installed, apt-get install sparse"
    return Result("build", spec.name, "failed" if problems else "passed",
                  problems[0] if problems else detail, patch=number, seconds=built.seconds,
                  log=tuple(problems[:20]))
