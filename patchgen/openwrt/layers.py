"""The layers of an OpenWrt tree: generic, target, subtarget, and which one sets what.

``include/target.mk`` merges ``target/linux/generic/config-X.Y``, ``TARGET/config-X.Y`` and
``TARGET/SUBTARGET/config-X.Y``; a level without ``config-X.Y`` falls back to its
``config-default``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from patchgen.errors import InputError
from patchgen.openwrt import algebra
from patchgen.openwrt.config import ConfigFile, Value
from patchgen.profiles import KernelVersion
from patchgen.tree import Tree

ROOT = "target/linux"
GENERIC = "generic"
_VERSIONED = re.compile(r"config-(\d+\.\d+)\Z")
_ASSIGNMENT = re.compile(r"^[ \t]*([A-Z_]+)[ \t]*:?=[ \t]*(.*?)[ \t]*$", re.M)
_NOT_SUBTARGETS = ("patches", "files", "image", "base-files", "dts", "modules", "config-",
                   "backport", "hack", "pending", "profiles", "src")
_ARCHITECTURES = {
    "ARM64": "arm64", "ARM": "arm", "MIPS": "mips", "X86": "x86", "PPC": "powerpc",
    "RISCV": "riscv", "LOONGARCH": "loongarch", "ARC": "arc",
}
_MAKEFILE_ARCHITECTURES = {
    "aarch64": "arm64", "aarch64_be": "arm64", "arm": "arm", "armeb": "arm", "mips": "mips",
    "mipsel": "mips", "mips64": "mips", "mips64el": "mips", "i386": "x86", "x86_64": "x86",
    "powerpc": "powerpc", "powerpc64": "powerpc", "riscv64": "riscv",
    "loongarch64": "loongarch", "arc": "arc",
}


def version_key(kernel: str) -> KernelVersion:
    """The order of kernel versions as numbers: 5.4 before 5.10."""
    return KernelVersion.parse(kernel)


@dataclass(frozen=True)
class Layer:
    """One configuration file in its place: ``generic``, ``mvebu`` or ``mvebu/cortexa53``."""

    name: str
    config: ConfigFile

    @property
    def path(self) -> str:
        """The file, relative to the OpenWrt tree."""
        return self.config.path

    @property
    def applies_to_all_versions(self) -> bool:
        """Whether this is a ``config-default``."""
        return self.path.endswith("/config-default")


@dataclass(frozen=True)
class Stack:
    """The layers of one subtarget (or target without subtargets) for one kernel version."""

    target: str
    subtarget: str | None
    kernel: str
    layers: tuple[Layer, ...]
    variables: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """``mvebu/cortexa53``, or ``octeontx`` for a target without subtargets."""
        return self.target if self.subtarget is None else f"{self.target}/{self.subtarget}"

    @property
    def top(self) -> Layer:
        """The most specific layer there is: the one that enable commits edit."""
        return self.layers[-1]

    @cached_property
    def below(self) -> dict[str, Value]:
        """The merge of all layers under ``top``."""
        merged: dict[str, Value] = {}
        for layer in self.layers[:-1]:
            merged.update(layer.config.values)
        return merged

    @cached_property
    def merged(self) -> dict[str, Value]:
        """The configuration the build starts from."""
        return algebra.overlay(self.below, self.top.config.values)

    def with_top(self, data: bytes) -> Stack:
        """The same stack with other bytes in its most specific layer."""
        top = replace(self.top, config=ConfigFile.parse(data, self.top.path))
        return replace(self, layers=(*self.layers[:-1], top))

    def layer_of(self, symbol: str) -> Layer | None:
        """The layer whose line decides the symbol, or None when no layer has it."""
        for layer in reversed(self.layers):
            if symbol in layer.config.values:
                return layer
        return None

    def get(self, variable: str) -> str:
        """A variable of the subtarget's or target's makefile (``CPU_TYPE``), or ``""``."""
        return dict(self.variables).get(variable, "")

    @cached_property
    def arch(self) -> str | None:
        """The kernel's name of the architecture (``arm64``), None when nothing says it."""
        for symbol, arch in _ARCHITECTURES.items():
            if self.merged.get(symbol) == "y":
                return arch
        return _MAKEFILE_ARCHITECTURES.get(self.get("ARCH"))


class OpenWrt:
    """An OpenWrt tree seen through its kernel configuration; files are read once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._files: dict[str, ConfigFile | None] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        if not self._list(f"{ROOT}/{GENERIC}"):
            raise InputError(
                f"there is no {ROOT}/{GENERIC} in {tree.base.description}",
                advice="give --tree the top folder of an OpenWrt checkout",
            )

    def _list(self, folder: str) -> tuple[str, ...]:
        if folder not in self._names:
            self._names[folder] = self.tree.list_dir(folder)
        return self._names[folder]

    def config(self, path: str) -> ConfigFile | None:
        """A configuration file of the tree, parsed, or None."""
        if path not in self._files:
            entry = self.tree.entry(path)
            self._files[path] = None if entry is None else ConfigFile.parse(entry.data, path)
        return self._files[path]

    def _level(self, folder: str, name: str, kernel: str) -> Layer | None:
        names = self._list(folder)
        for file in (f"config-{kernel}", "config-default"):
            if file in names:
                config = self.config(f"{folder}/{file}")
                if config is not None:
                    return Layer(name, config)
        return None

    @cached_property
    def filter(self) -> dict[str, Value]:
        """``generic/config-filter``: the symbols and patterns no layer may hold."""
        entry = self.tree.entry(f"{ROOT}/{GENERIC}/config-filter")
        return algebra.load(entry.data.decode("utf-8", "replace")) if entry else {}

    @cached_property
    def kernels(self) -> tuple[str, ...]:
        """The kernel versions that generic has a configuration for, oldest first."""
        return self._versions(f"{ROOT}/{GENERIC}")

    def _versions(self, folder: str) -> tuple[str, ...]:
        found = (_VERSIONED.match(name) for name in self._list(folder))
        return tuple(sorted((f[1] for f in found if f), key=version_key))

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The targets of the tree, sorted."""
        return tuple(
            name for name in self._list(ROOT)
            if name != GENERIC and (self._has_config(name) or self.subtargets(name))
        )

    def _has_config(self, below: str) -> bool:
        return any(name.startswith("config-") for name in self._list(f"{ROOT}/{below}"))

    def _makefile(self, path: str) -> dict[str, str]:
        entry = self.tree.entry(path)
        if entry is None:
            return {}
        text = entry.data.decode("utf-8", "replace")
        return {found[1]: found[2] for found in _ASSIGNMENT.finditer(text)}

    def subtargets(self, target: str) -> tuple[str, ...]:
        """The subtargets of a target: folders with a ``target.mk`` or a configuration."""
        found = []
        for name in self._list(f"{ROOT}/{target}"):
            if name.startswith(_NOT_SUBTARGETS) or "." in name:
                continue
            inside = self._list(f"{ROOT}/{target}/{name}")
            if "target.mk" in inside or self._has_config(f"{target}/{name}"):
                found.append(name)
        return tuple(found)

    def _kernels_of(self, target: str, subtarget: str | None, makefile: dict[str, str]) -> tuple[
        str, ...
    ]:
        """Versions with a file of their own at either level, and those the makefile names."""
        versions = set(self._versions(f"{ROOT}/{target}"))
        if subtarget is not None:
            versions.update(self._versions(f"{ROOT}/{target}/{subtarget}"))
        for variable in ("KERNEL_PATCHVER", "KERNEL_TESTING_PATCHVER"):
            if makefile.get(variable) in self.kernels and not versions:
                versions.add(makefile[variable])
        if not versions:
            versions = set(self.kernels)
        return tuple(sorted(versions, key=version_key))

    def missing_generic(self) -> tuple[tuple[str, str], ...]:
        """(file, version) of configurations whose version generic does not have."""
        missing = []
        for target in self.targets:
            for subtarget in (None, *self.subtargets(target)):
                folder = f"{ROOT}/{target}" + (f"/{subtarget}" if subtarget else "")
                missing += [
                    (f"{folder}/config-{version}", version)
                    for version in self._versions(folder) if version not in self.kernels
                ]
        return tuple(missing)

    @cached_property
    def stacks(self) -> tuple[Stack, ...]:
        """Every subtarget with every kernel version it has, sorted by name and version."""
        return tuple(self._stacks())

    def _stacks(self) -> Iterator[Stack]:
        for target in self.targets:
            makefile = self._makefile(f"{ROOT}/{target}/Makefile")
            subtargets: tuple[str | None, ...] = self.subtargets(target) or (None,)
            for subtarget in subtargets:
                variables = dict(makefile)
                if subtarget is not None:
                    variables |= self._makefile(f"{ROOT}/{target}/{subtarget}/target.mk")
                for kernel in self._kernels_of(target, subtarget, variables):
                    stack = self._stack(target, subtarget, kernel, variables)
                    if stack is not None:
                        yield stack

    def _stack(
        self, target: str, subtarget: str | None, kernel: str, variables: dict[str, str]
    ) -> Stack | None:
        generic = self.config(f"{ROOT}/{GENERIC}/config-{kernel}")
        if generic is None:
            return None
        layers = [Layer(GENERIC, generic)]
        level = self._level(f"{ROOT}/{target}", target, kernel)
        if level:
            layers.append(level)
        if subtarget is not None:
            level = self._level(f"{ROOT}/{target}/{subtarget}", f"{target}/{subtarget}", kernel)
            if level:
                layers.append(level)
        if len(layers) == 1:
            return None
        return Stack(target, subtarget, kernel, tuple(layers), tuple(sorted(variables.items())))
