"""Which C files belong together: what one module is built from, with its headers."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping

from patchgen.errors import InputError
from patchgen.tree import Tree

_COMPOSITE = re.compile(r"^(?P<name>[\w.-]+)-(?:y|m|objs|\$\([^)]*\))\s*[:+]?=\s*(?P<objects>.*)$",
                        re.MULTILINE)
_INCLUDE = re.compile(r"^\s*#\s*include\s+\"([^\"]+)\"", re.MULTILINE)
_MOST_HEADERS = 60


def read_text(tree: Tree, path: str) -> str | None:
    """A file of a tree as text; bytes that are not UTF-8 are replaced, None without a file."""
    try:
        entry = tree.entry(path)
    except InputError:
        return None
    return None if entry is None else entry.data.decode("utf-8", "replace")


def group_sources(tree: Tree, paths: Iterable[str]) -> list[dict[str, str]]:
    """Components (path to text) that cover all the C files and headers of ``paths``."""
    todo = sorted(p for p in paths if p.endswith((".c", ".h")))
    components: list[dict[str, str]] = []
    placed: set[str] = set()
    makefiles: dict[str, list[set[str]]] = {}
    for path in [p for p in todo if p.endswith(".c")] + [p for p in todo if p.endswith(".h")]:
        if path in placed:
            continue
        folder = posixpath.dirname(path)
        if folder not in makefiles:
            makefiles[folder] = _composites(tree, folder)
        members = next((m for m in makefiles[folder] if path in m), {path})
        sources = _with_headers(tree, members)
        if path in sources:
            components.append(sources)
            placed.update(sources)
    return components


def _composites(tree: Tree, folder: str) -> list[set[str]]:
    """The sets of C files that the folder's Makefile links into one object."""
    text = read_text(tree, posixpath.join(folder, "Makefile")) or ""
    found: dict[str, set[str]] = {}
    for match in _COMPOSITE.finditer(text.replace("\\\n", " ")):
        if match["name"] in ("obj", "lib", "ccflags", "asflags", "subdir-ccflags"):
            continue
        objects = {posixpath.normpath(posixpath.join(folder, o[:-2] + ".c"))
                   for o in match["objects"].split() if o.endswith(".o") and "$" not in o}
        found.setdefault(match["name"], set()).update(objects)
    return list(found.values())


def _with_headers(tree: Tree, members: Iterable[str]) -> dict[str, str]:
    """The members and every header that they include by a relative name, transitively."""
    sources: dict[str, str] = {}
    todo = sorted(members)
    while todo and len(sources) < _MOST_HEADERS:
        path = todo.pop(0)
        if path in sources or path.startswith(".."):
            continue
        text = read_text(tree, path)
        if text is None:
            continue
        sources[path] = text
        folder = posixpath.dirname(path)
        todo += [posixpath.normpath(posixpath.join(folder, name))
                 for name in _INCLUDE.findall(text)]
    return sources


def group_parts(parts: Mapping[str, str]) -> list[dict[str, str]]:
    """Texts of which only functions are known: each file for itself."""
    return [{path: text} for path, text in sorted(parts.items())]
