"""The wheel carries templates, series and reference: it works without the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="needs hatchling (dependency group test)")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this checkout, unpacked as pip would."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
                   cwd=ROOT, check=True, capture_output=True)
    site = folder / "site"
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    return site


def test_it_holds_the_data_files(unpacked: Path) -> None:
    data = unpacked / "patchgen" / "_data"
    shipped = {str(p.relative_to(ROOT)) for top in ("templates", "series")
               for p in (ROOT / top).rglob("*") if p.is_file()}
    assert {str(p.relative_to(data)) for p in data.rglob("*") if p.is_file()} == shipped
    assert (unpacked / "reference" / "aes.py").is_file()
    assert list((unpacked / "patchgen" / "checks" / "stubs").rglob("*.h"))


def test_the_main_job_runs_from_an_empty_folder(unpacked: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "patchgen", "series", "realtek"], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked), "PYTHONSAFEPATH": "1"},
        capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "outgoing/realtek/v4").glob("*.patch"))) == 7
