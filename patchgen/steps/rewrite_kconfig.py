"""Step ``kconfig-behind``: a Kconfig entry whose neighbours differ from version to version."""

from __future__ import annotations

import re
from typing import ClassVar

import msgspec

from patchgen.errors import InputError
from patchgen.steps.base import StepContext
from patchgen.steps.c_source import plain_text
from patchgen.steps.kconfig import KconfigStep, Symbol
from patchgen.steps.rewrite_base import AnchorError
from patchgen.tree import Tree


class KconfigBehindStep(KconfigStep, tag="kconfig-behind", frozen=True, kw_only=True):
    """Like ``kconfig``, placed behind the first symbol of a list that the file defines.

    Dependencies on symbols that only some versions have are left out where they are not
    defined: an entry that depends on an unknown symbol could never be set.
    """

    partial: ClassVar[bool] = True

    behind: tuple[Symbol, ...]
    """Symbols to stand behind (or behind the whole choice that holds them), best first."""
    depends_where_defined: tuple[Symbol, ...] = ()

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        if not tree.exists(self.file):
            raise InputError("no such file in the tree", path=self.file,
                             advice="is this the tree the series is for?")
        plain_text(tree, self.file)
        return super().already_applied(tree, context)

    def apply(self, tree: Tree, context: StepContext) -> Tree:
        """See ``Step.apply``; raises ``AnchorError`` when there is no place for the entry."""
        try:
            return self._insert(tree, context)
        except InputError as error:
            raise AnchorError(error) from error

    def _insert(self, tree: Tree, context: StepContext) -> Tree:
        text = plain_text(tree, self.file)
        defined = re.findall(r"^\s*(?:menu)?config[ \t]+([A-Z0-9_]+)[ \t]*(?:#.*)?$", text, re.M)
        anchor = next((symbol for symbol in self.behind if symbol in defined), None)
        if anchor is None:
            raise self._no_anchor(defined)
        if defined.count(anchor) > 1:
            raise InputError(f"anchor found {defined.count(anchor)} times: config {anchor}",
                             path=self.file, advice="it is not clear which one is meant")
        extra = tuple(s for s in self.depends_where_defined if s in defined)
        depends = (" && ".join([*self.depends, *extra]),) if self.depends or extra else ()
        plain_step = msgspec.structs.replace(self, depends=depends, after=anchor)
        return KconfigStep.apply(plain_step, tree, context)

    def _no_anchor(self, defined: list[str]) -> InputError:
        import difflib

        near = difflib.get_close_matches(self.behind[0], defined, 3, 0.4)
        return InputError(
            f"no such anchor: no config {' or '.join(self.behind)} to put {self.symbol} behind",
            path=self.file, line=1, advice=f"nearest: {', '.join(near) or 'nothing like it'}")
