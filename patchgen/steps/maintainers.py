"""Step ``maintainers``: a section of MAINTAINERS, in alphabetical order."""

from __future__ import annotations

from patchgen.errors import InputError
from patchgen.steps.base import Step, StepContext
from patchgen.tree import Tree

FILE = "MAINTAINERS"


class MaintainersStep(Step, tag="maintainers", frozen=True):
    """Adds one section; the author of the series is its maintainer."""

    title: str
    files: tuple[str, ...]
    lists: tuple[str, ...] = ()
    status: str = "Maintained"

    def __post_init__(self) -> None:
        if not self.files:
            raise ValueError("files: a section without a file pattern matches nothing")

    def section(self, identity: str) -> str:
        """The section's text; ``identity`` is ``Name <mail>``."""
        rows = [("M", identity), *(("L", name) for name in self.lists), ("S", self.status)]
        rows += [("F", pattern) for pattern in sorted(self.files)]
        return self.title + "\n" + "".join(f"{key}:\t{value}\n" for key, value in rows)

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        if not tree.exists(FILE):
            return None
        wanted = {f"F:\t{pattern}" for pattern in self.files}
        for number, line in enumerate(tree.read(FILE).splitlines(), start=1):
            if line == self.title or line in wanted:
                return f"{FILE}:{number}"
        return None

    def apply(self, tree: Tree, context: StepContext) -> Tree:
        """See ``Step.apply``."""
        lines = tree.read(FILE).splitlines(keepends=True)
        titles = _titles(lines)
        if not titles:
            raise InputError("has no list of sections", path=FILE,
                             advice="is this a kernel's MAINTAINERS?")
        rest = next((number for number, title in titles if title == "THE REST"), None)
        later = [n for n, title in titles if title.upper() > self.title.upper()]
        at = min([*later, *([rest] if rest is not None else [])], default=len(lines))
        text = self.section(context.identity)
        if at < len(lines):
            text += "\n"
        elif lines[-1].strip():
            text = "\n" + text
        return tree.write(FILE, "".join([*lines[:at], text, *lines[at:]]))


def _titles(lines: list[str]) -> list[tuple[int, str]]:
    """Line numbers (0-based) and titles of the sections, in file order.

    A title is a line at the left margin that a ``K:`` line follows at once.
    """
    return [
        (number, line.rstrip("\n"))
        for number, line in enumerate(lines[:-1])
        if line[:1].strip() and line[1:2] != ":" and lines[number + 1][1:3] == ":\t"
    ]
