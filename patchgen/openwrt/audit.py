"""What the checks of an OpenWrt tree look at: its layers, and what is known of each kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from patchgen import process
from patchgen.findings import Skip
from patchgen.openwrt.evaluate import Evaluator
from patchgen.openwrt.facts import facts_for
from patchgen.openwrt.layers import GENERIC, Layer, OpenWrt, Stack
from patchgen.openwrt.linux import LinuxTables
from patchgen.openwrt.patched import PatchedSymbols
from patchgen.openwrt.perl import SCRIPT
from patchgen.openwrt.symbols import SymbolTable
from patchgen.tree import Tree


@dataclass(frozen=True)
class LayerUse:
    """One file and every stack that it is a layer of."""

    layer: Layer
    stacks: tuple[Stack, ...]

    @property
    def may_have_others(self) -> bool:
        """Whether subtargets that are not in the tree may use this file of a target too."""
        if "/" in self.layer.name or not any(stack.subtarget for stack in self.stacks):
            return False
        whole = set(self.stacks[0].get("SUBTARGETS").split())
        return not whole or not whole <= {stack.subtarget for stack in self.stacks}

    def below(self, stack: Stack) -> dict[str, str | None]:
        """The merge of the layers under this one in a stack."""
        merged: dict[str, str | None] = {}
        for layer in stack.layers:
            if layer.path == self.layer.path:
                break
            merged.update(layer.config.values)
        return merged


class Audit:
    """An OpenWrt tree with everything a check may ask about it, computed once.

    ``kernel`` limits it to one kernel version and the one before it (for what was carried
    over); ``linux`` is a kernel source whose Kconfig counts for its own version.
    """

    def __init__(self, tree: Tree, *, kernel: str | None = None, linux: Path | None = None) -> None:
        self.openwrt = OpenWrt(tree)
        self.kernel = kernel
        self.linux = None if linux is None else LinuxTables(linux)
        if self.linux is not None:
            self.linux.serves(self.openwrt.kernels)
        self.patched = PatchedSymbols(self.openwrt)
        self._evaluators: dict[tuple[str, str], Evaluator | None] = {}

    @property
    def filter(self) -> frozenset[str]:
        """The names and patterns of config-filter."""
        return frozenset(self.openwrt.filter)

    @cached_property
    def stacks(self) -> tuple[Stack, ...]:
        """The stacks to look at."""
        return tuple(
            stack for stack in self.openwrt.stacks if self.kernel in (None, stack.kernel)
        )

    @cached_property
    def uses(self) -> tuple[LayerUse, ...]:
        """Every configuration file of the stacks, generic first, each once."""
        found: dict[str, tuple[Layer, list[Stack]]] = {}
        for stack in self.stacks:
            for layer in stack.layers:
                found.setdefault(layer.path, (layer, []))[1].append(stack)
        uses = [LayerUse(layer, tuple(stacks)) for layer, stacks in found.values()]
        return tuple(sorted(uses, key=lambda u: (u.layer.name != GENERIC, u.layer.path)))

    @property
    def target_uses(self) -> Iterator[LayerUse]:
        """The files of targets and subtargets."""
        return (use for use in self.uses if use.layer.name != GENERIC)

    def table(self, stack: Stack) -> SymbolTable | None:
        """What is known of the stack's kernel; None for other architectures without Linux."""
        if stack.arch is None:
            return None
        if self.linux is not None and self.linux.kernel == stack.kernel:
            return self.linux.table(stack.arch)
        return facts_for(stack.kernel) if stack.arch == "arm64" else None

    def evaluator(self, stack: Stack) -> Evaluator | None:
        """The values of the stack's merged configuration, where its kernel is known."""
        key = (stack.name, stack.kernel)
        if key not in self._evaluators:
            table = self.table(stack)
            self._evaluators[key] = None if table is None else Evaluator(table, stack.merged)
        return self._evaluators[key]

    def skips(self) -> tuple[Skip, ...]:
        """What this audit cannot see, and why."""
        found = [
            Skip("openwrt-lost", f"{path}: there is no generic/config-{version} to merge with")
            for path, version in self.openwrt.missing_generic()
        ]
        if not self.openwrt.tree.exists(SCRIPT):
            found.append(Skip("openwrt-kconfig-pl", f"the tree has no {SCRIPT} to compare with"))
        elif not process.have_tool("perl"):
            found.append(Skip("openwrt-kconfig-pl", f"perl is not installed; install it with: "
                              f"{process.TOOLS['perl'].install}"))
        without = sorted({s.kernel for s in self.stacks if self.linux is None
                          or self.linux.kernel != s.kernel})
        if without:
            found.append(Skip(
                "openwrt-unknown-symbol",
                f"no kernel source for {', '.join(without)}: only symbols that are known to be "
                "gone are reported; give --linux DIR",
            ))
        return tuple(found)
