"""All boots of a matrix: images, modules, initrds, QEMU in the background, verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from patchgen.errors import InputError
from patchgen.kernel.arches import ARCHES, BOARDS, BOOT_FRAGMENTS, fragment_lines
from patchgen.kernel.boot import Booted, boot
from patchgen.kernel.engine import Modules, build_modules, driver_files, write_modules
from patchgen.kernel.evidence import Result
from patchgen.kernel.initrd import Initrd, build_init, write_initrd
from patchgen.kernel.judge import judge_boot
from patchgen.kernel.kconfig import configure
from patchgen.kernel.make import Kernel
from patchgen.kernel.plans import Loading, Stage, boot_stages, plan_text
from patchgen.kernel.randconfig import sweep
from patchgen.kernel.replay import replay_result
from patchgen.kernel.tree_checks import module_facts
from patchgen.series.verify_model import BootSpec

if TYPE_CHECKING:
    from patchgen.kernel.verify import Run


@dataclass(frozen=True, slots=True)
class Image:
    """A kernel that boots, with the modules built against it."""

    kernel: Kernel
    path: Path
    modules: Modules | None


@dataclass(frozen=True, slots=True)
class Boot:
    """One boot that has been started."""

    spec: BootSpec
    stages: tuple[Stage, ...]
    future: Future[Booted]


def has_kmemleak(kernel: Kernel) -> bool:
    """Whether a kernel's configuration has the leak detector."""
    return "CONFIG_DEBUG_KMEMLEAK=y" in kernel.path(".config").read_text("utf-8").splitlines()


class Boots:
    """Builds images one after the other and boots each in the background meanwhile."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._images: dict[str, Image] = {}
        self._started: list[Boot] = []
        self.passed: tuple[str, ...] = ()

    def run_all(self) -> tuple[str, ...]:
        """Do every boot; returns the algorithms that passed on all of them."""
        run = self._run
        run.workspace.farm.sync(run.plan.trees[-1])
        pool = ThreadPoolExecutor(max_workers=max(1, run.wanted.jobs))
        try:
            for spec in run.boots():
                self._start(spec, pool)
            self._random()
            for started in self._started:
                self._finish(started)
        except BaseException:
            run.cancel.set()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        return self._verdict()

    def image(self, spec: BootSpec) -> Image | None:
        """The image of a boot, built once for all that share it; None when it failed."""
        run, board = self._run, BOARDS[spec.board]
        engine = run.matrix.engine
        names = (*BOOT_FRAGMENTS, *(("engine-model",) if engine else ()), *board.fragments,
                 *spec.fragments)
        key = f"image-{board.name}" + "".join(f"-{name}" for name in spec.fragments)
        lines = run.config_lines(key, *(fragment_lines(n) for n in names), run.matrix.options,
                                 spec.options)
        if key in self._images:
            return self._images[key]
        kernel = Kernel(run.workspace.farm, run.workspace.build_folder(key), ARCHES[board.arch],
                        jobs=run.wanted.jobs, cancel=run.cancel,
                        progress=lambda file: run.progress(f"{key}: {file}"))
        try:
            run.progress(f"{key}: configuring")
            configure(run.workspace.farm, kernel.folder, kernel.arch, "tinyconfig", lines)
        except InputError as error:
            run.results.append(Result("image", key, "failed", str(error)))
            return None
        built = kernel.make(board.target, "modules")
        run.results.append(Result(
            "image", key, "passed" if built.ok else "failed",
            f"{board.target} and modules built" if built.ok else built.failures[0],
            seconds=built.seconds, log=built.failures))
        if not built.ok:
            return None
        modules = self._modules(kernel, key) if engine else None
        if engine and modules is None:
            return None
        self._images[key] = Image(kernel, kernel.path(board.image), modules)
        return self._images[key]

    def _modules(self, kernel: Kernel, key: str) -> Modules | None:
        run, engine = self._run, self._run.matrix.engine
        assert engine is not None
        folder = kernel.path("patchgen-modules")
        drivers: dict[str, Mapping[str, str]] = {
            "driver": driver_files(run.plan.trees[-1], engine.folder)}
        write_modules(folder, engine, run.plan.profile, drivers)
        modules = build_modules(kernel, folder, engine, drivers)
        if not modules.built.ok:
            run.results.append(Result("modules", key, "failed", modules.built.failures[0],
                                      log=modules.built.failures))
            return None
        run.results.append(Result("modules", key, "passed",
                                  "driver and engine model built as modules",
                                  seconds=modules.built.seconds))
        run.results.append(module_facts(
            kernel.path(engine.folder, f"{engine.module}.ko"), engine.module))
        return modules

    def _start(self, spec: BootSpec, pool: ThreadPoolExecutor) -> None:
        run, board = self._run, BOARDS[spec.board]
        image = self.image(spec)
        if image is None:
            run.results.append(Result("boot", spec.name, "failed", "there is no image to boot"))
            return
        loading = Loading(image.modules.before if image.modules else (),
                          kmemleak=has_kmemleak(image.kernel))
        stages = boot_stages(loading, run.matrix.engine, spec.stages)
        init = build_init(board, run.plan.profile, run.workspace.folder)
        initrd = image.kernel.path(f"patchgen-{spec.name}.cpio.gz")
        write_initrd(Initrd(dict(image.modules.files) if image.modules else {},
                            {"main": plan_text(stages)}), init, image.kernel.folder, initrd)
        future = pool.submit(
            boot, board, image.path, initrd, append=spec.append, cancel=run.cancel,
            console=run.workspace.folder / f"console-{spec.name}.log",
            on_stage=lambda stage: run.progress(f"boot {spec.name}: {stage}"))
        self._started.append(Boot(spec, stages, future))

    def _finish(self, started: Boot) -> None:
        run, spec = self._run, started.spec
        run.progress(f"boot {spec.name}: waiting")
        booted = started.future.result()
        run.commands[spec.name] = booted.command
        results = judge_boot(spec.name, booted, started.stages, run.matrix.algorithms,
                             with_model=run.matrix.engine is not None)
        run.results.extend(results)
        record = booted.console.stage("record")
        if record is not None:
            run.results.append(replay_result(spec.name, record.lines))
        if all(result.verdict == "passed" for result in results):
            self.passed = (*self.passed, spec.name)

    def _random(self) -> None:
        run = self._run
        count = run.matrix.randconfigs if run.wanted.randconfigs is None else run.wanted.randconfigs
        if not count or not self._images or run.matrix.symbol is None:
            return
        image = next(iter(self._images.values()))
        folder = run.workspace.build_folder("random")
        kernel = Kernel(run.workspace.farm, folder, image.kernel.arch, jobs=run.wanted.jobs,
                        cancel=run.cancel, progress=lambda file: run.progress(f"random: {file}"))
        changed = run.plan.trees[-1].changes_since(run.plan.trees[0])
        run.results.extend(sweep(kernel, image.kernel.folder, run.matrix.symbol, count, changed))

    def _verdict(self) -> tuple[str, ...]:
        if not self.passed or len(self.passed) < len(self._run.boots()):
            return ()
        return self._run.matrix.algorithms
