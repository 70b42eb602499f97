"""From an OpenWrt tree to the patches it needs: refresh first, then enable, per subtarget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import groupby
from typing import Literal

import msgspec

from patchgen.openwrt.choice import Choice, Override, choose
from patchgen.openwrt.config import Value
from patchgen.openwrt.facts import facts_for
from patchgen.openwrt.layers import OpenWrt, Stack, version_key
from patchgen.openwrt.messages import enable_body, enable_subject, refresh_body, refresh_subject
from patchgen.openwrt.refresh import reasons, refresh
from patchgen.openwrt.symbols import SymbolTable
from patchgen.tree import Tree


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a refresh answers to a prompt, where that is not what the layers say."""

    targets: tuple[str, ...]
    symbol: str
    value: str
    reason: str


@dataclass(frozen=True)
class Options:
    """What a computed series depends on besides the tree."""

    overrides: tuple[Override, ...] = ()
    answers: tuple[Answer, ...] = ()
    kernel: str | None = None
    """Only this kernel version; None: every version that the tree has."""
    tables: Mapping[str, SymbolTable] = field(default_factory=dict)
    """Symbol tables read from a Linux source, by kernel version; others come from the facts."""

    def table(self, kernel: str) -> SymbolTable:
        """The symbols of a kernel version on arm64."""
        return self.tables.get(kernel) or facts_for(kernel)


@dataclass(frozen=True)
class ConfigPatch:
    """One commit: what it is for, its message, and the files as they are after it."""

    kind: Literal["refresh", "enable", "restore"]
    name: str
    """The layer: ``mvebu/cortexa53``."""
    kernels: tuple[str, ...]
    subject: str
    body: str
    files: Mapping[str, bytes]
    choice: Choice | None = None


@dataclass(frozen=True)
class Shared:
    """A file that arm64 subtargets share with others, so nothing can be enabled in it."""

    path: str
    stacks: tuple[str, ...]


def _wanted(stack: Stack, openwrt: OpenWrt, options: Options) -> Choice | None:
    return choose(stack, options.table(stack.kernel), overrides=options.overrides,
                  filter_=openwrt.filter)


def _sound(stack: Stack) -> None:
    for layer in stack.layers:
        layer.config.require_sound()


def _answers(stack: Stack, options: Options) -> list[Answer]:
    return [
        answer for answer in options.answers
        if any(fnmatchcase(stack.name, pattern) for pattern in answer.targets)
    ]


def _refreshed(
    stack: Stack, why: tuple[str, ...], openwrt: OpenWrt, options: Options
) -> tuple[bytes, str]:
    """The refreshed file and the body of its commit."""
    answers = _answers(stack, options)
    values: dict[str, Value] = {a.symbol: None if a.value == "n" else a.value for a in answers}
    result = refresh(stack, options.table(stack.kernel), openwrt.filter, values)
    return result.data, refresh_body(result, why, {a.symbol: a.reason for a in answers})


def _merged_choice(choices: list[Choice]) -> Choice:
    """One choice for a message: the union over kernel versions and subtargets."""
    first = choices[0]

    def union(name: str) -> tuple[object, ...]:
        return tuple(dict.fromkeys(item for c in choices for item in getattr(c, name)))

    merged = {name: union(name) for name in
              ("drivers", "missing", "gates", "dependencies", "overrides", "left_out")}
    return replace(first, **merged)  # type: ignore[arg-type]


def shared_files(openwrt: OpenWrt) -> tuple[Shared, ...]:
    """Files that are the top layer of arm64 subtargets and of others."""
    found = []
    ordered = sorted(openwrt.stacks, key=lambda s: s.top.path)
    for path, group in groupby(ordered, key=lambda s: s.top.path):
        stacks = list(group)
        archs = {stack.arch for stack in stacks}
        if "arm64" in archs and len(archs) > 1:
            found.append(Shared(path, tuple(sorted(s.name for s in stacks))))
    return tuple(found)


def compute_patches(tree: Tree, options: Options) -> tuple[ConfigPatch, ...]:
    """The patches that bring every arm64 subtarget to what the choice rule says.

    For each layer, in alphabetical order: a refresh of every file that is out of order or
    unanswered, then one patch for all its kernel versions. A layer that needs no driver gets
    no patch at all. Raises ``InputError`` for a tree without layers and for a file of such a
    layer that cannot be read.
    """
    openwrt = OpenWrt(tree)
    shared = {entry.path for entry in shared_files(openwrt)}
    stacks = [
        stack for stack in openwrt.stacks
        if stack.arch == "arm64" and stack.top.path not in shared
        and stack.top.name != "generic"
        and options.kernel in (None, stack.kernel)
    ]
    patches: list[ConfigPatch] = []
    stacks.sort(key=lambda s: (s.top.name, version_key(s.kernel)))
    for name, group in groupby(stacks, key=lambda s: s.top.name):
        patches.extend(_layer_patches(name, list(group), openwrt, options))
    return tuple(patches)


def _layer_patches(
    name: str, stacks: list[Stack], openwrt: OpenWrt, options: Options
) -> Iterator[ConfigPatch]:
    contents: dict[str, bytes] = {}
    choices: list[tuple[Stack, Choice]] = []
    for stack in stacks:
        choice = _wanted(stack, openwrt, options)
        if choice is None or not choice.additions:
            continue
        _sound(stack)
        path = stack.top.path
        if path not in contents:
            why = reasons(stack, options.table(stack.kernel))
            if why:
                contents[path], body = _refreshed(stack, why, openwrt, options)
                if contents[path] != stack.top.config.to_bytes():
                    yield ConfigPatch("refresh", name, (stack.kernel,),
                                      refresh_subject(name, stack.kernel), body,
                                      {path: contents[path]})
        if path in contents:
            stack = stack.with_top(contents[path])
            choice = _wanted(stack, openwrt, options) or choice
        contents[path] = stack.top.config.with_values(choice.additions)
        choices.append((stack, choice))
    if choices:
        merged = _merged_choice([choice for _, choice in choices])
        kernels = tuple(dict.fromkeys(stack.kernel for stack, _ in choices))
        yield ConfigPatch("enable", name, kernels, enable_subject(name, merged),
                          enable_body(merged, kernels), contents, merged)
