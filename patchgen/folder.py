"""Whole folders or nothing: written beside the target and renamed when complete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from patchgen.errors import InputError

_MARK = ".partial-"


def refuse_existing(target: Path, *, force: bool) -> None:
    """Raise ``InputError`` early when the target is there and may not be replaced."""
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise InputError("is in the way", path=target, advice="choose another -o DIR")
    if target.is_dir() and any(target.iterdir()) and not force:
        raise InputError("already exists", path=target,
                         advice="use --force to replace it, or another -o DIR")


def write_folder(target: Path, files: Mapping[str, bytes], *, force: bool) -> None:
    """Write ``files`` (relative paths) as the folder ``target``, all or nothing.

    Raises ``InputError`` when the target exists without ``force``, or cannot be written.
    """
    refuse_existing(target, force=force)
    partial = target.parent / f".{target.name}{_MARK}{os.getpid()}"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _sweep(target)
        partial.mkdir()
        for name, data in files.items():
            path = partial / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        _swap(partial, target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=target,
                         advice="free some space or choose another -o DIR") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _swap(partial: Path, target: Path) -> None:
    if not target.exists():
        partial.rename(target)
        return
    old = target.parent / f".{target.name}{_MARK}old-{os.getpid()}"
    target.rename(old)
    try:
        partial.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _sweep(target: Path) -> None:
    """Remove what a killed run left behind; running ones are left alone."""
    for stale in target.parent.glob(f".{target.name}{_MARK}*"):
        owner = stale.name.rpartition("-")[2]
        if owner.isdigit() and not _alive(int(owner)):
            shutil.rmtree(stale, ignore_errors=True)


def _alive(pid: int) -> bool:
    with suppress(ProcessLookupError):
        try:
            os.kill(pid, 0)
        except PermissionError:
            return True
        return True
    return False
