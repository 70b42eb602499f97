"""The initrd: our own init, the modules, and plans that say what to do with them."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from patchgen import process
from patchgen.kernel.arches import ARCHES, Board
from patchgen.profiles import KernelProfile
from patchgen.render import RenderContext, render

_FLAGS = ("-Os", "-ffreestanding", "-fno-builtin", "-fno-stack-protector", "-fno-pic", "-static",
          "-nostdlib", "-Wall", "-Werror")
_NODES = (
    "dir /dev 0755 0 0", "nod /dev/console 0600 0 0 c 5 1", "nod /dev/kmsg 0644 0 0 c 1 11",
    "dir /proc 0755 0 0", "dir /sys 0755 0 0", "dir /plan 0755 0 0", "dir /mod 0755 0 0",
)


@dataclass(frozen=True, slots=True)
class Initrd:
    """What goes in: modules by the name they get below ``/mod``, plans by name."""

    modules: Mapping[str, Path]
    plans: Mapping[str, str] = field(default_factory=dict)


def build_init(board: Board, profile: KernelProfile, folder: Path) -> Path:
    """Compile the program of the initrd for a board; returns its path. Kept by content."""
    text = render("boot-init", "init.c", RenderContext(profile))
    name = hashlib.sha256(text.encode()).hexdigest()[:12]
    binary = folder / f"init-{board.name}-{name}"
    if not binary.is_file():
        source = folder / f"init-{board.name}.c"
        source.write_text(text, "utf-8")
        partial = folder / f"{binary.name}.partial"
        compiler = ARCHES[board.arch].compiler
        process.run([compiler, *_FLAGS, *board.init_flags, "-o", partial, source], timeout=60)
        partial.rename(binary)
    return binary


def write_initrd(content: Initrd, init: Path, build: Path, target: Path) -> None:
    """Write a gzip-compressed initrd with the tree's own ``gen_init_cpio`` of a build folder."""
    folder = target.with_suffix(".d")
    folder.mkdir(exist_ok=True)
    lines = [*_NODES, f"file /init {init} 0755 0 0"]
    for name, path in sorted(content.modules.items()):
        lines.append(f"file /mod/{name} {path} 0644 0 0")
    for name, text in sorted(content.plans.items()):
        plan = folder / f"plan-{name}"
        plan.write_text(text, "utf-8")
        lines.append(f"file /plan/{name} {plan} 0644 0 0")
    listing = folder / "list"
    listing.write_text("\n".join(lines) + "\n", "utf-8")
    done = process.run([build / "usr/gen_init_cpio", listing], timeout=60)
    target.write_bytes(gzip.compress(done.stdout, compresslevel=1, mtime=0))
