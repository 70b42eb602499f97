"""Trees for the OpenWrt tests: the real files from before and after, where they are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchgen.tree import EmbeddedBase, FileEntry, Tree

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "openwrt"
REAL = pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data/openwrt is not there")


def files_of(folder: Path, prefix: str = "") -> dict[str, FileEntry]:
    """Every configuration file below a folder, by its path with a prefix."""
    return {
        prefix + path.relative_to(folder).as_posix(): FileEntry(path.read_bytes())
        for path in sorted(folder.rglob("config-*"))
    }


def tree_of(state: str) -> Tree:
    """The real layers before (``pre``) or after (``post``), with generic in both."""
    files = files_of(DATA / "pre") | files_of(DATA / state)
    return Tree(EmbeddedBase(files))


def merged_tree(layers: str = "post") -> Tree:
    """The layers of 5.10 with mvebu's of 5.15 beside them, as a later tree had them."""
    files = files_of(DATA / "pre") | files_of(DATA / layers)
    return Tree(EmbeddedBase(files | files_of(DATA / "mvebu-5.15", "target/linux/mvebu/")))


def fake_tree(files: dict[str, str]) -> Tree:
    """A tree of files below ``target/linux``."""
    return Tree(EmbeddedBase({
        f"target/linux/{name}": FileEntry(text.encode()) for name, text in files.items()
    }))
