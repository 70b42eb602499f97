"""What every step is: a typed entry of ``series.toml`` that turns one tree into the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import msgspec

from patchgen.render import RenderContext
from patchgen.tree import Tree


@dataclass(frozen=True, slots=True)
class StepContext:
    """What a step may depend on besides the tree and its own fields."""

    render: RenderContext
    identity: str
    """``Name <mail>`` of the author, for a MAINTAINERS entry."""
    only_kernel: str | None = None
    """The kernel version that the user asked for; None when nothing was asked."""
    linux: Path | None = None
    """A kernel source whose Kconfig counts instead of the shipped facts (``--linux``)."""


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base of all steps. A subclass is its own TOML schema: fields, types, defaults.

    ``kind = "…"`` in the series file selects the subclass (its ``tag``).
    """

    partial: ClassVar[bool] = False
    """Whether a patch may leave out this step when it is already applied."""

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """Where the change already is (``file:line``), or None when it is still to be made."""
        raise NotImplementedError

    def apply(self, tree: Tree, context: StepContext) -> Tree:
        """The tree with the change; raises ``InputError`` when there is no place for it."""
        raise NotImplementedError

    def switches(self) -> frozenset[str]:
        """Template features that are on from this step onwards."""
        return frozenset()


@dataclass(frozen=True, slots=True)
class GeneratedPatch:
    """One patch of a computed series: its message and the tree after it."""

    subject: str
    body: str
    tree: Tree


class Generator(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base of all generators: a series whose patches depend on what the tree holds."""

    def patches(self, tree: Tree, context: StepContext) -> tuple[GeneratedPatch, ...]:
        """The patches that this tree needs, in order; none when it needs none."""
        raise NotImplementedError

    def cover_values(self, tree: Tree, context: StepContext) -> Mapping[str, str]:
        """What a cover letter may use by name besides the usual (``{{ gains }}``)."""
        return {}
