"""Unpacked kernel sources: a folder the user names, or Debian's source package unpacked once."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

from patchgen import process

PACKAGES = Path("/usr/src")
UNPACK_SECONDS = 600.0


def trees_folder() -> Path:
    """Where unpacked trees are kept: ``$PATCHGEN_KERNEL_TREES`` or the user's cache."""
    named = os.environ.get("PATCHGEN_KERNEL_TREES")
    if named:
        return Path(named)
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "patchgen" / "trees"


def unpacked_source(version: str) -> Path | None:
    """The folder with the source of Linux ``X.Y``, unpacked when need be.

    None when neither a folder ``linux-source-X.Y`` nor Debian's package
    ``linux-source-X.Y`` is there.
    """
    folder = trees_folder() / f"linux-source-{version}"
    if (folder / "Makefile").is_file():
        return folder
    archive = PACKAGES / f"linux-source-{version}.tar.xz"
    if not archive.is_file():
        return None
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "Makefile").is_file():
            _unpack(archive, folder)
    return folder


def _unpack(archive: Path, folder: Path) -> None:
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    process.run(["tar", "--extract", "--file", archive, "--directory", partial,
                 "--strip-components=1"], timeout=UNPACK_SECONDS)
    partial.rename(folder)
