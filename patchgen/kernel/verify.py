"""``patchgen verify``: build every patch on real kernels, boot the result, gather evidence."""

from __future__ import annotations

import platform
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from patchgen import process
from patchgen.errors import InputError, MissingError
from patchgen.kernel.arches import ARCHES, BOARDS
from patchgen.kernel.boots import Boots
from patchgen.kernel.evidence import Evidence, Result
from patchgen.kernel.folders import build_states
from patchgen.kernel.kconfig import last_wins
from patchgen.kernel.tree_checks import bindings, checkpatch, kconfig_symbols
from patchgen.kernel.workspace import Workspace, open_workspace
from patchgen.series.evidence import fingerprint
from patchgen.series.plan import Plan
from patchgen.series.verify_model import BootSpec, BuildSpec, VerifyMatrix

Progress = Callable[[str], None]

_TOOLS = ("make", "gcc", "flex", "bison", "bc", "perl", "modinfo")
_CHECKPATCH_KNOWN = ("FILE_PATH_CHANGES",)
"""New files are covered by the MAINTAINERS entry that a later patch of the series adds."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the caller asks for."""

    arch: str | None = None
    """Only this architecture; None: the whole matrix."""
    boot: bool = False
    each_patch: bool = False
    jobs: int = 2
    randconfigs: int | None = None
    """Instead of the matrix' own number."""
    boots: tuple[str, ...] = ()
    """Only these boots of the matrix; default: all of the architecture."""


@dataclass
class Run:
    """A verification on its way: what is known of it and where it stands."""

    plan: Plan
    matrix: VerifyMatrix
    wanted: Wanted
    workspace: Workspace
    progress: Progress
    cancel: threading.Event = field(default_factory=threading.Event)
    results: list[Result] = field(default_factory=list)
    configs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    commands: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def kernel(self) -> str:
        """``6.12``."""
        return ".".join(self.workspace.version.split(".")[:2])

    def builds(self) -> tuple[BuildSpec, ...]:
        """The configurations to build on this kernel and architecture."""
        return tuple(b for b in self.matrix.build
                     if self._fits(b.kernels) and self.wanted.arch in (None, b.arch))

    def boots(self) -> tuple[BootSpec, ...]:
        """The boots to do on this kernel and architecture; none unless they are asked for."""
        if not self.wanted.boot:
            return ()
        return tuple(b for b in self.matrix.boot
                     if self._fits(b.kernels)
                     and self.wanted.arch in (None, BOARDS[b.board].arch)
                     and (not self.wanted.boots or b.name in self.wanted.boots))

    def _fits(self, kernels: Sequence[str]) -> bool:
        return not kernels or self.kernel in kernels

    def config_lines(self, name: str, *groups: Sequence[str]) -> tuple[str, ...]:
        """The lines of a build, later groups winning, and a note of them for the evidence."""
        lines = last_wins(line for group in groups for line in group)
        self.configs[name] = lines
        return lines


def verify(
    plan: Plan, mails: Mapping[str, bytes], wanted: Wanted, *, version: int,
    progress: Progress = lambda _: None,
) -> Evidence:
    """Do what ``[verify]`` of the series says on the plan's base.

    ``mails`` are the series as it would be sent. Raises ``MissingError`` when a tool or the
    tree is missing, ``InputError`` when the series or the tree does not fit; a patch that
    does not build or boot is evidence.
    """
    started = time.monotonic()
    matrix = plan.series.spec.verify
    if matrix is None:
        raise InputError("the series says nothing about how to verify it",
                         path=plan.series.folder / "series.toml", advice="add a [verify] table")
    with open_workspace(plan.base, progress) as workspace:
        run = Run(plan, matrix, wanted, workspace, progress)
        _check_request(run)
        require_tools(run)
        workspace.farm.sync(plan.trees[-1])
        _check_sources(run, mails)
        build_states(run)
        boots = Boots(run)
        passed = boots.run_all() if run.boots() else ()
        return Evidence(
            series=plan.series.name, version=version,
            kernel=plan.base.description.split(" (")[0].removeprefix("Linux "),
            base=plan.base.description,
            patches=tuple(p.subject for p in plan.patches), fingerprint=fingerprint(plan),
            tools=tool_versions(run), configs=run.configs, results=tuple(run.results),
            commands=run.commands, algorithms=passed, has_model=matrix.engine is not None,
            seconds=time.monotonic() - started, boards=boots.passed)


def _check_request(run: Run) -> None:
    if run.kernel not in run.matrix.kernels:
        raise InputError(f"the series is not made for Linux {run.kernel}",
                         path=run.workspace.farm.source,
                         advice=f"give a tree of {' or '.join(run.matrix.kernels)}")
    if run.wanted.arch is not None and run.wanted.arch not in ARCHES:
        raise InputError(f"--arch {run.wanted.arch}: no such architecture",
                         advice=f"there are: {', '.join(ARCHES)}")
    if not run.builds() and not run.boots():
        known = {b.arch for b in run.matrix.build} | {BOARDS[b.board].arch
                                                      for b in run.matrix.boot}
        raise InputError(f"the series has nothing for {run.wanted.arch} on {run.kernel}",
                         advice=f"it has: {', '.join(sorted(known))}")


def require_tools(run: Run) -> None:
    """Raise ``MissingError`` that names every missing tool with one line that installs all."""
    needed = dict.fromkeys(_TOOLS)
    arches = {b.arch for b in run.builds()} | {BOARDS[b.board].arch for b in run.boots()}
    needed |= dict.fromkeys(ARCHES[a].compiler for a in sorted(arches))
    needed |= dict.fromkeys(BOARDS[b.board].qemu[0] for b in run.boots())
    missing = [name for name in needed if not process.have_tool(name)]
    packages = [process.TOOLS[name].install.split()[-1] if name in process.TOOLS else name
                for name in missing]
    if "x86_64" in arches and not missing and not _has_header("gelf.h"):
        missing, packages = ["gelf.h of libelf"], ["libelf-dev"]
    if missing:
        raise MissingError(f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not "
                           f"installed; install with: apt-get install {' '.join(packages)}")


def _has_header(name: str) -> bool:
    done = process.run(["gcc", "-E", "-x", "c", "-include", name, "/dev/null"], timeout=30,
                       check=False)
    return done.returncode == 0


def _check_sources(run: Run, mails: Mapping[str, bytes]) -> None:
    before, after = run.plan.trees[0], run.plan.trees[-1]
    run.progress("checkpatch")
    run.results.append(checkpatch(run.workspace.farm, mails, known=_CHECKPATCH_KNOWN))
    run.progress("Kconfig symbols")
    run.results.append(kconfig_symbols(run.workspace.farm, before, after))
    run.progress("devicetree bindings")
    run.results.extend(bindings(before, after))


def tool_versions(run: Run) -> dict[str, str]:
    """The first line that each tool says of its version."""
    names = ["make", "sparse", "ccache"]
    names += sorted({ARCHES[b.arch].compiler for b in run.builds()})
    names += sorted({BOARDS[b.board].qemu[0] for b in run.boots()})
    found = {"machine": platform.machine()}
    for name in names:
        if process.have_tool(name):
            done = process.run([name, "--version"], timeout=30, check=False)
            found[name] = next(iter((done.text or done.error_text).splitlines()), "?")
    return found

