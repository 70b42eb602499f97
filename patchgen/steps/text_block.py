"""Steps for files that no grammar of ours reads (assembler headers): whole blocks of lines.

``text-block`` inserts a rendered block, ``text-feature`` renders it anew with a feature on,
``text-remove`` takes lines away. A block is found by its whole text, never by a fragment.
"""

from __future__ import annotations

import re

from patchgen.errors import InputError
from patchgen.render import RenderContext, features_of, render
from patchgen.steps.base import Step, StepContext
from patchgen.tree import Tree


def _equal_lines(lines: list[str], wanted: str) -> list[int]:
    """The indices of the lines that have the same words."""
    return [number for number, line in enumerate(lines) if line.split() == wanted.split()]


class TextBlockStep(Step, tag="text-block", frozen=True):
    """Inserts a rendered block of lines before the last line that equals ``before``.

    With ``below``, before the first such line below the first that equals that. Blank lines
    set the block off, unless it is ``tight``. Blanks in lines do not matter.
    """

    file: str
    component: str
    template: str
    before: str
    marker: str
    """A line that only this block has."""
    below: str | None = None
    tight: bool = False

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        if not tree.exists(self.file):
            return None
        found = _equal_lines(tree.read(self.file).splitlines(), self.marker)
        return f"{self.file}:{found[0] + 1}" if found else None

    def _place(self, lines: list[str]) -> int:
        places = _equal_lines(lines, self.before)
        if self.below is not None:
            start = next(iter(_equal_lines(lines, self.below)), len(lines))
            places = [place for place in places if place > start][:1]
        if not places:
            where = f" below {self.below!r}" if self.below else ""
            raise InputError(f"has no line {self.before!r}{where} to put the block before",
                             path=self.file, advice="name another line in series.toml")
        return places[-1]

    def apply(self, tree: Tree, context: StepContext) -> Tree:
        """See ``Step.apply``."""
        lines = tree.read(self.file).splitlines(keepends=True)
        at = self._place(lines)
        block = render(self.component, self.template, context.render)
        above = "" if self.tight or (at and not lines[at - 1].strip()) else "\n"
        below = "" if self.tight else "\n"
        return tree.write(self.file, "".join([*lines[:at], above, block, below, *lines[at:]]))


class TextFeatureStep(Step, tag="text-feature", frozen=True):
    """Switches features on in a block that an earlier ``text-block`` inserted."""

    file: str
    component: str
    template: str
    features: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.features:
            raise ValueError("features: name at least one feature")

    def switches(self) -> frozenset[str]:
        """See ``Step.switches``."""
        return frozenset(self.features)

    def _texts(self, context: RenderContext) -> tuple[str, str]:
        known = features_of(self.component, self.template)
        for feature in self.features:
            if feature not in known:
                raise InputError(f"{self.component}/{self.template} has no feature {feature!r}",
                                 advice=f"there are: {', '.join(sorted(known)) or 'none'}")
        after = context.with_features(*self.features)
        return (render(self.component, self.template, context),
                render(self.component, self.template, after))

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        if not tree.exists(self.file):
            return None
        before, after = self._texts(context.render)
        text = tree.read(self.file)
        if after not in text or before == after:
            return None
        return f"{self.file}:{text[: text.index(after)].count(chr(10)) + 1}"

    def apply(self, tree: Tree, context: StepContext) -> Tree:
        """See ``Step.apply``."""
        before, after = self._texts(context.render)
        text = tree.read(self.file)
        if text.count(before) != 1:
            raise InputError(f"holds the block {self.template} {text.count(before)} times",
                             path=self.file, advice="it has to be there once, unchanged")
        return tree.write(self.file, text.replace(before, after))


class TextRemoveStep(Step, tag="text-remove", frozen=True):
    """Takes away the lines from the first that fits ``first`` to the next that fits ``last``.

    Both are regular expressions for whole lines; a blank line left double is taken too, and
    so is a line above that does nothing but open the comment that the first line is in.
    """

    file: str
    first: str
    last: str

    def __post_init__(self) -> None:
        for name in ("first", "last"):
            try:
                re.compile(getattr(self, name))
            except re.error as error:
                raise ValueError(f"{name}: not a regular expression: {error}") from error

    def _range(self, lines: list[str]) -> tuple[int, int] | None:
        start = next((n for n, line in enumerate(lines) if re.fullmatch(self.first, line)), None)
        if start is None:
            return None
        end = next((n for n in range(start, len(lines)) if re.fullmatch(self.last, lines[n])), None)
        if end is None:
            raise InputError(f"no line fits {self.last!r}", path=self.file, line=start + 1,
                             advice="mend the step in series.toml")
        opened = start > 0 and lines[start - 1].strip() == "/*" and "/*" not in lines[start]
        return start - opened, end + 1

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``: a file without the lines has the change."""
        found = self._range(tree.read(self.file).splitlines())
        return f"{self.file}:1" if found is None else None

    def apply(self, tree: Tree, context: StepContext) -> Tree:
        """See ``Step.apply``."""
        lines = tree.read(self.file).splitlines(keepends=True)
        found = self._range([line.rstrip("\n") for line in lines])
        if found is None:
            raise InputError(f"no line fits {self.first!r}", path=self.file)
        start, end = found
        if start and end < len(lines) and not lines[start - 1].strip() and not lines[end].strip():
            end += 1
        return tree.write(self.file, "".join([*lines[:start], *lines[end:]]))
