"""Output folders appear whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from patchgen.errors import InputError
from patchgen.folder import write_folder

FILES = {"a.patch": b"one\n", "prerequisites/b.patch": b"two\n"}


def listing(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_new_folder_is_written_with_its_parents(tmp_path: Path) -> None:
    target = tmp_path / "out" / "deep" / "v1"
    write_folder(target, FILES, force=False)
    assert listing(target) == FILES
    assert list(target.parent.iterdir()) == [target]


def test_an_existing_folder_needs_force(tmp_path: Path) -> None:
    target = tmp_path / "v1"
    write_folder(target, FILES, force=False)
    with pytest.raises(InputError, match="already exists; use --force"):
        write_folder(target, {"c": b"3"}, force=False)
    assert listing(target) == FILES
    write_folder(target, {"c": b"3"}, force=True)
    assert listing(target) == {"c": b"3"}
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_in_the_way(tmp_path: Path) -> None:
    target = tmp_path / "v1"
    target.write_text("mine")
    with pytest.raises(InputError, match="is in the way"):
        write_folder(target, FILES, force=True)
    assert target.read_text() == "mine"


def test_a_failing_write_leaves_the_old_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "v1"
    write_folder(target, FILES, force=False)

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="v1: cannot be written: No space left on device"):
        write_folder(target, {"c": b"3"}, force=True)
    monkeypatch.undo()
    assert listing(target) == FILES
    assert list(tmp_path.iterdir()) == [target]


def test_what_a_killed_run_left_is_swept(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    stale = tmp_path / f".v1.partial-{dead.pid}"
    stale.mkdir()
    running = tmp_path / f".v1.partial-{os.getppid()}"
    running.mkdir()
    write_folder(tmp_path / "v1", FILES, force=False)
    assert not stale.exists()
    assert running.exists()
