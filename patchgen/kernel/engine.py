"""Modules for a boot: the driver unmodified, the model of its hardware, the test driver.

They are built outside of the kernel's tree (``M=``) against the kernel that boots, so a
change of the driver costs a few seconds and no new image.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from patchgen import process
from patchgen.errors import InputError
from patchgen.kernel.make import Built, Kernel
from patchgen.profiles import KernelProfile
from patchgen.render import RenderContext, component_paths, render
from patchgen.series.verify_model import EngineSpec
from patchgen.tree import Tree

DriverFiles = Mapping[str, str]
"""File name to text: the driver's folder."""


@dataclass(frozen=True, slots=True)
class Modules:
    """What was built: modules by the name they get in the initrd, and what must load first."""

    built: Built
    files: Mapping[str, Path]
    before: tuple[str, ...]


def driver_files(tree: Tree, folder: str) -> dict[str, str]:
    """The files of the driver's folder in a tree; raises ``InputError`` when there are none."""
    names = [n for n in tree.list_dir(folder) if tree.exists(f"{folder}/{n}")]
    if not names:
        raise InputError("the series puts no file there", path=folder,
                         advice="name the driver's folder in [verify.engine]")
    return {name: tree.read(f"{folder}/{name}") for name in names}


def write_modules(
    folder: Path, engine: EngineSpec, profile: KernelProfile, drivers: Mapping[str, DriverFiles]
) -> None:
    """Lay out the module folder; files that did not change keep their times.

    ``drivers`` holds the driver and its variants by the name of their folder; ``driver`` is
    the one that the series adds.
    """
    context = RenderContext(profile)
    wanted = {path: render(engine.component, path, context)
              for path in component_paths(engine.component)}
    extra = "".join(f"obj-m += {name}/\n" for name in drivers if name != "driver")
    wanted["Kbuild"] += extra
    for name, files in drivers.items():
        wanted |= {f"{name}/{file}": text for file, text in files.items()}
    for path, text in wanted.items():
        target = folder / path
        if not target.is_file() or target.read_text("utf-8") != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")


def build_modules(
    kernel: Kernel, folder: Path, engine: EngineSpec, drivers: Mapping[str, DriverFiles]
) -> Modules:
    """Build the module folder; the result says what failed. Needs a kernel that is built."""
    built = kernel.make("modules", variables=(f"M={folder}",))
    files = {"engine_model.ko": folder / "engine_model.ko",
             "engine_test.ko": folder / "engine_test.ko"}
    files |= {f"{name}.ko": folder / name / module_file(engine, name) for name in drivers}
    if not built.ok:
        return Modules(built, files, ())
    in_tree = {path.stem.replace("-", "_"): path for path in kernel.folder.rglob("*.ko")
               if not path.relative_to(kernel.folder).parts[0].startswith("patchgen-")}
    before: dict[str, Path] = {}
    for path in files.values():
        _add_needed(path, in_tree, before)
    if "tcrypt" in in_tree:
        files["tcrypt.ko"] = in_tree["tcrypt"]
        _add_needed(in_tree["tcrypt"], in_tree, before)
    return Modules(built, files | {f"{n}.ko": p for n, p in before.items()},
                   tuple(f"{name}.ko" for name in before))


def module_file(engine: EngineSpec, driver: str) -> str:
    """The module of a driver's folder: ``driver`` has the series' name, a variant its own."""
    return f"{engine.module if driver == 'driver' else driver}.ko"


def _add_needed(module: Path, in_tree: Mapping[str, Path], found: dict[str, Path]) -> None:
    """Add what a module depends on to ``found``, in the order of loading."""
    for name in depends(module):
        if name in in_tree and name not in found:
            _add_needed(in_tree[name], in_tree, found)
            found[name] = in_tree[name]


def depends(module: Path) -> tuple[str, ...]:
    """The modules that a module says it needs (``modinfo -F depends``)."""
    done = process.run(["modinfo", "-F", "depends", module], timeout=60)
    return tuple(name for name in done.text.strip().split(",") if name)
