"""Step ``c-body``: a new body for a function whose signature stays."""

from __future__ import annotations

from patchgen.steps.base import StepContext
from patchgen.steps.c_edit import Edit, commit, indent
from patchgen.steps.c_pattern import compile_pattern, fill, plain
from patchgen.steps.rewrite_base import FunctionStep, rendered
from patchgen.tree import Tree


class BodyStep(FunctionStep, tag="c-body", frozen=True, kw_only=True):
    """Replaces everything between the braces of a function."""

    body: str
    """Declarations and statements, without braces and without the first indentation."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if "{{" not in self.body:
            compile_pattern("{\n" + self.body + "\n}")

    def is_done(self, tree: Tree, context: StepContext) -> str | None:
        """See ``FunctionStep.is_done``."""
        found = super().is_done(tree, context)
        if found is not None:
            return found
        place = self.place(tree, context)
        now = place.source.text(place.function.body)[1:-1]
        new = fill(rendered(self.body, context), place.bindings)
        same = plain(now.encode("utf-8")) == plain(new.encode("utf-8"))
        return place.source.where(place.function.node) if same else None

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """See ``CStep.change``."""
        place = self.place(tree, context)
        body = place.function.body
        text = fill(rendered(self.body, context), place.bindings)
        edit = Edit(body.start_byte + 1, body.end_byte - 1, "\n" + indent(text, "\t"))
        return commit(tree, place.source, [edit])
