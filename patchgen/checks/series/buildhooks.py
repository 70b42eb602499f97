"""Which patch of a series makes a source file part of the build (kbuild's Makefile lines)."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from patchgen.checks.series.context import SeriesContext
from patchgen.errors import InputError

MAKEFILE = re.compile(r"(?:^|/)(?:Makefile|Kbuild)$")
KCONFIG = re.compile(r"(?:^|/)Kconfig[^/]*$")
_ASSIGN = re.compile(r"\s*(?P<name>[\w.$(){}/-]+?)\s*(?:\+=|:=|=)\s*(?P<values>.*?)\s*\\?$")
_SOURCE = re.compile(r"\s*source\s+\"(?P<path>[^\"$]+)\"")
_SUFFIXES = (".c", ".S", ".rs")


@dataclass(frozen=True, slots=True)
class Hook:
    """One name that a patch adds to a build file: an object, a folder, a Kconfig file.

    ``target`` is a path without suffix for objects (``drivers/crypto/foo``), with a final
    ``/`` for folders; ``into`` is the composite object that takes it, None for ``obj-…``.
    """

    patch: int
    path: str
    line: int
    target: str
    into: str | None
    is_kconfig: bool = False


def find_hooks(context: SeriesContext) -> list[Hook]:
    """Every name that added lines of Makefiles and Kconfigs bring into the build."""
    hooks: list[Hook] = []
    for patch, change in context.changes():
        folder = posixpath.dirname(change.path)
        if MAKEFILE.search(change.path):
            name = ""
            for line, text in change.added():
                hooks += _makefile_hooks(patch.number, change.path, folder, line, text, name)
                match = _ASSIGN.match(text)
                name = match["name"] if match else name
        elif KCONFIG.search(change.path):
            for line, text in change.added():
                match = _SOURCE.match(text)
                if match:
                    hooks.append(Hook(patch.number, change.path, line, match["path"], None, True))
    return hooks


def _makefile_hooks(
    patch: int, path: str, folder: str, line: int, text: str, before: str
) -> list[Hook]:
    match = _ASSIGN.match(text)
    if match is None and not text.strip().endswith((".o", "\\")):
        return []
    name = match["name"] if match else before
    values = (match["values"] if match else text.rstrip("\\ ")).split("#")[0].split()
    if name.endswith(("-flags-y", "flags")) or name.startswith(("CFLAGS", "AFLAGS", "ccflags")):
        return []
    into = (
        None
        if name.startswith(("obj-", "lib-"))
        else posixpath.join(folder, re.sub(r"-(?:y|m|objs|\$\(.*\)|\$\{.*\})$", "", name))
    )
    found: list[Hook] = []
    for value in values:
        if "$" in value or not (value.endswith((".o", "/"))):
            continue
        target = posixpath.normpath(posixpath.join(folder, value))
        target = target + "/" if value.endswith("/") else target[:-2]
        if not target.startswith(".."):
            found.append(Hook(patch, path, line, target, into))
    return found


def sources_of(target: str) -> tuple[str, ...]:
    """The source files that an object may be made of."""
    return tuple(target + suffix for suffix in _SUFFIXES)


def in_tree(context: SeriesContext, path: str) -> bool | None:
    """Whether the base has a file; None when no tree is given."""
    if context.tree is None:
        return None
    try:
        return context.tree.exists(path)
    except InputError:
        return None


def built_since(context: SeriesContext, hooks: list[Hook]) -> dict[str, int]:
    """For each C source that the series creates and builds: the patch from which it is built."""
    found: dict[str, int] = {}
    for path, made in context.created.items():
        target, suffix = posixpath.splitext(path)
        if suffix not in _SUFFIXES:
            continue
        numbers = _hook_numbers(context, hooks, target, set())
        if numbers:
            found[path] = max(made, *numbers)
    return found


def _hook_numbers(
    context: SeriesContext, hooks: list[Hook], target: str, seen: set[str]
) -> list[int]:
    """Patches of the Makefile lines on the way from an object to the kernel's top Makefile."""
    if target in seen:
        return []
    seen.add(target)
    own = [h for h in hooks if h.target == target and not h.is_kconfig]
    if not own:
        return []
    hook = own[0]
    numbers = [hook.patch]
    if hook.into is not None and hook.into != target:
        outer = _hook_numbers(context, hooks, hook.into, seen)
        if not outer and hook.path in context.created:
            return []
        numbers += outer
    folder = posixpath.dirname(hook.path) + "/"
    if hook.path in context.created:
        above = [h.patch for h in hooks if h.target == folder]
        if not above:
            return []
        numbers += above[:1]
    return numbers
