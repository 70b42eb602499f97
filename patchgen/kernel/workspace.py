"""Where kernels are built: folders that are kept, one set for each source tree."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from patchgen.errors import MissingError
from patchgen.kernel.farm import SourceFarm, source_folder
from patchgen.tree import Base

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Workspace:
    """The folders for one source tree."""

    folder: Path
    farm: SourceFarm
    version: str
    """``6.12``."""

    def build_folder(self, name: str) -> Path:
        """The ``O=`` folder of a configuration; it is made when it is not there."""
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def builds_folder() -> Path:
    """Where build folders are kept: ``$PATCHGEN_KERNEL_BUILDS`` or the user's cache."""
    named = os.environ.get("PATCHGEN_KERNEL_BUILDS")
    if named:
        return Path(named).resolve()
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return (Path(cache) / "patchgen" / "builds").resolve()


@contextmanager
def open_workspace(base: Base, progress: Progress) -> Iterator[Workspace]:
    """The workspace of a base, for this process alone; waits while another one has it."""
    version = base.kernel_version
    if version is None:
        raise MissingError("the tree is not a kernel source tree (its Makefile has no version); "
                           "give --tree one")
    top = builds_folder()
    top.mkdir(parents=True, exist_ok=True)
    source = source_folder(base, top / "exports")
    identity = hashlib.sha256(os.fsencode(source)).hexdigest()[:10]
    folder = top / f"{version}-{identity}"
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting for another patchgen verify on this tree")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield Workspace(folder, SourceFarm(folder / "source", source), version)
