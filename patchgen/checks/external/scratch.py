"""The changed files of a series, laid out in a scratch folder for programs that read files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from patchgen.tree import DirectoryBase, Tree, clean_path


@dataclass(frozen=True)
class Sources:
    """C files as the series leaves them, and the lines that it wrote in each."""

    after: Tree
    paths: tuple[str, ...]
    lines: Mapping[str, frozenset[int]]

    @property
    def root(self) -> Path | None:
        """The unpacked tree on disk, None for another kind of base."""
        return self.after.base.root if isinstance(self.after.base, DirectoryBase) else None

    def data(self, path: str) -> bytes:
        """The bytes of a file."""
        entry = self.after.entry(path)
        return entry.data if entry is not None else b""

    def is_written(self, path: str, line: int) -> bool:
        """Whether the series wrote the line."""
        return line in self.lines.get(path, frozenset())


def lay_out(sources: Sources, folder: Path, paths: Iterable[str]) -> None:
    """Write files below a folder, under their own paths (which cannot leave it)."""
    for path in paths:
        target = folder / clean_path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(sources.data(path))
