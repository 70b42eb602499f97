"""Step ``makefile``: an object line among its neighbours, in their order and alignment."""

from __future__ import annotations

import re
from collections import Counter

from patchgen.errors import InputError
from patchgen.steps.base import Step, StepContext
from patchgen.steps.kconfig import Symbol
from patchgen.steps.ordering import gap_for
from patchgen.tree import Tree

_OBJECT = re.compile(r"obj-\$\(CONFIG_(\w+)\)([ \t]*)\+=([ \t]*)(.*)")


class MakefileStep(Step, tag="makefile", frozen=True):
    """Adds ``obj-$(CONFIG_SYMBOL) += object`` to a kernel Makefile."""

    file: str
    symbol: Symbol
    object: str

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        if not tree.exists(self.file):
            return None
        for number, line in enumerate(tree.read(self.file).splitlines(), start=1):
            match = _OBJECT.match(line)
            if match and match[1] == self.symbol and self.object in match[4].split():
                return f"{self.file}:{number}"
        return None

    def apply(self, tree: Tree, context: StepContext) -> Tree:
        """See ``Step.apply``."""
        lines = tree.read(self.file).splitlines(keepends=True)
        found = [
            (number, match)
            for number, line in enumerate(lines)
            if (match := _OBJECT.match(line.rstrip("\n")))
        ]
        if not found:
            raise InputError("has no obj-$(CONFIG_…) line to stand beside", path=self.file,
                             advice="name the Makefile of the parent folder")
        gap = gap_for([match[1] for _, match in found], self.symbol)
        at = found[gap][0] if gap < len(found) else _line_after(lines, found[-1][0])
        while gap < len(found) and at > 0 and lines[at - 1].startswith("#"):
            at -= 1
        neighbours = [match for _, match in found[max(0, gap - 3) : gap + 3]]
        new = self._line([(f"obj-$(CONFIG_{m[1]})", m[2], m[3]) for m in neighbours])
        if at == len(lines) and lines and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        return tree.write(self.file, "".join([*lines[:at], new, *lines[at:]]))

    def _line(self, neighbours: list[tuple[str, str, str]]) -> str:
        name = f"obj-$(CONFIG_{self.symbol})"
        gap = Counter(before for _, before, _ in neighbours).most_common(1)[0][0]
        behind = Counter(after for _, _, after in neighbours).most_common(1)[0][0] or " "
        if "\t" in gap:
            column = max(_width(head + before) for head, before, _ in neighbours)
            gap = "\t" * max(1, -(-(column - len(name)) // 8))
        return f"{name}{gap or ' '}+={behind}{self.object}\n"


def _width(text: str) -> int:
    return len(text.expandtabs(8))


def _line_after(lines: list[str], number: int) -> int:
    """The line behind an assignment, its continuation lines included."""
    while lines[number].rstrip("\n").endswith("\\") and number + 1 < len(lines):
        number += 1
    return number + 1
