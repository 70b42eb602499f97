"""The typed model of ``series.toml``: who, which patches in which order, which version.

The JSON Schema that editors use is generated from these classes (``schema.py``).
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated

import msgspec

from patchgen.series.verify_model import VerifyMatrix
from patchgen.steps.kconfig import KconfigStep
from patchgen.steps.maintainers import MaintainersStep
from patchgen.steps.makefile import MakefileStep
from patchgen.steps.openwrt import OpenwrtGenerator
from patchgen.steps.rewrite import RewriteStep
from patchgen.steps.templates import FeatureStep, TemplateStep
from patchgen.steps.text_block import TextBlockStep, TextFeatureStep, TextRemoveStep

Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=60)]
Subject = Annotated[str, msgspec.Meta(min_length=5, max_length=120)]
AnyStep = (
    TemplateStep | FeatureStep | KconfigStep | MakefileStep | MaintainersStep
    | TextBlockStep | TextFeatureStep | TextRemoveStep | RewriteStep
)
AnyGenerator = OpenwrtGenerator


class PatchSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One patch: its subject without prefix, the file with its message, its steps in order."""

    subject: Subject
    message: str
    step: tuple[AnyStep, ...]

    def __post_init__(self) -> None:
        if not self.step:
            raise ValueError("step: a patch needs at least one step")


class Reroll(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What changed in one version since the one before."""

    version: Annotated[int, msgspec.Meta(ge=2)]
    changes: tuple[str, ...]


class BaseSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which template components make the embedded base."""

    components: tuple[str, ...] = ("base",)


class TableSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table that the cover letter may show: which logs, in which form."""

    logs: tuple[str, ...]
    kind: str
    options: dict[str, str | int | bool | list[str | int]] = {}

    def __post_init__(self) -> None:
        if not self.logs:
            raise ValueError("logs: a table is made from at least one log")


class SeriesSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole ``series.toml``."""

    name: Name
    title: Subject
    """Subject of the cover letter, without prefix."""
    summary: str
    """One line for ``patchgen list``."""
    version: Annotated[int, msgspec.Meta(ge=1, le=999)]
    date: dt.datetime
    """Date of this version, with its zone: commits and mails carry it."""
    cover: str
    """File with the cover letter's text (a Jinja template)."""
    patch: tuple[PatchSpec, ...] = ()
    prerequisite: tuple[PatchSpec, ...] = ()
    """Patches that a real tree (not the embedded base) needs before the series."""
    generator: AnyGenerator | None = None
    base: BaseSpec = BaseSpec()
    kernel: str | None = None
    """Kernel version of the embedded base; default: the newest profile."""
    author: str | None = None
    to: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()
    prefix: str = "PATCH"
    partial: bool = False
    """Leave out patches that the tree already has, instead of refusing the tree."""
    params: dict[str, str | int | bool | list[str]] = {}
    reroll: tuple[Reroll, ...] = ()
    table: dict[str, TableSpec] = {}
    vectors: tuple[str, ...] = ()
    """Groups of test vectors that the series relies on."""
    verify: VerifyMatrix | None = None
    """On what ``patchgen verify`` proves the series."""

    def __post_init__(self) -> None:
        if self.date.tzinfo is None:
            raise ValueError("date: needs a zone, such as 2026-11-30T12:00:00Z")
        if bool(self.patch) == (self.generator is not None):
            raise ValueError("patch: a series has either [[patch]] tables or a [generator]")
        if sorted({r.version for r in self.reroll}) != list(range(2, self.version + 1)):
            raise ValueError(
                f"version: {self.version} needs one [[reroll]] for each version from 2"
            )
