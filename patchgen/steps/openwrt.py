"""The generator of OpenWrt series: which accelerated crypto each arm64 target lacks."""

from __future__ import annotations

from collections.abc import Mapping

from patchgen.openwrt.choice import Override
from patchgen.openwrt.gains import gains_table
from patchgen.openwrt.layers import OpenWrt
from patchgen.openwrt.linux import LinuxTables
from patchgen.openwrt.plan import Answer, ConfigPatch, Options, compute_patches
from patchgen.steps.base import GeneratedPatch, Generator, StepContext
from patchgen.tree import Tree


class OpenwrtGenerator(Generator, frozen=True, tag="openwrt"):
    """``[generator] kind = "openwrt"``: one refresh and one enable patch a layer, as needed."""

    override: tuple[Override, ...] = ()
    """Named exceptions to the choice rule, each with its reason."""
    answer: tuple[Answer, ...] = ()
    """Answers to new prompts that a refresh meets, other than no."""

    def patches(self, tree: Tree, context: StepContext) -> tuple[GeneratedPatch, ...]:
        """See ``Generator.patches``; raises ``InputError`` as ``compute_patches`` does."""
        generated = []
        for patch in self._computed(tree, context):
            for path, data in patch.files.items():
                tree = tree.write(path, data)
            generated.append(GeneratedPatch(patch.subject, patch.body, tree))
        return tuple(generated)

    def cover_values(self, tree: Tree, context: StepContext) -> Mapping[str, str]:
        """``gains``: the table of what each target gains."""
        return {"gains": gains_table(self._computed(tree, context))}

    def _computed(self, tree: Tree, context: StepContext) -> tuple[ConfigPatch, ...]:
        tables = {}
        if context.linux is not None:
            linux = LinuxTables(context.linux)
            linux.serves(OpenWrt(tree).kernels)
            tables[linux.kernel] = linux.table("arm64")
        return compute_patches(
            tree, Options(self.override, self.answer, context.only_kernel, tables)
        )
