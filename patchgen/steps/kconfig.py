"""Step ``kconfig``: a new Kconfig entry, where the file's own order wants it."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from typing import Annotated

import msgspec

from patchgen.errors import InputError
from patchgen.steps.base import Step, StepContext
from patchgen.steps.kconfig_file import Block, is_submenu_child, parse_blocks
from patchgen.steps.ordering import gap_for
from patchgen.tree import Tree

Symbol = Annotated[str, msgspec.Meta(pattern="^[A-Z0-9_]+$", description="without CONFIG_")]

HELP_COLUMNS = 78


class KconfigStep(Step, tag="kconfig", frozen=True):
    """Adds one ``config`` entry: type and prompt, dependencies, default, range, selects, help."""

    file: str
    symbol: Symbol
    help: str
    type: str = "tristate"
    prompt: str | None = None
    depends: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    default: tuple[str, ...] = ()
    range: tuple[int, int] | None = None
    after: Symbol | None = None
    """Put it behind the entry (or the whole choice) that holds this symbol."""

    def __post_init__(self) -> None:
        if self.type not in ("bool", "tristate", "int", "hex", "string"):
            raise ValueError(f"type: no Kconfig type is called {self.type!r}")
        if not self.help.strip():
            raise ValueError("help: an entry without help text is no use to anybody")

    def entry(self) -> str:
        """The text of the entry, without blank lines around it."""
        prompt = f' "{self.prompt}"' if self.prompt else ""
        lines = [f"config {self.symbol}", f"\t{self.type}{prompt}"]
        lines += [f"\tdepends on {expression}" for expression in self.depends]
        lines += [f"\tdefault {value}" for value in self.default]
        if self.range:
            lines.append(f"\trange {self.range[0]} {self.range[1]}")
        lines += [f"\tselect {symbol}" for symbol in self.select]
        lines.append("\thelp")
        for number, paragraph in enumerate(re.split(r"\n\s*\n", self.help.strip())):
            if number:
                lines.append("")
            width = HELP_COLUMNS - 10
            wrapped = textwrap.wrap(" ".join(paragraph.split()), width, break_on_hyphens=False,
                                    break_long_words=False)
            lines += [f"\t  {line}" for line in wrapped]
        return "\n".join(lines) + "\n"

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        if not tree.exists(self.file):
            return None
        for number, line in enumerate(tree.read(self.file).splitlines(), start=1):
            if re.fullmatch(rf"(menu)?config\s+{self.symbol}\s*(#.*)?", line):
                return f"{self.file}:{number}"
        return None

    def apply(self, tree: Tree, context: StepContext) -> Tree:
        """See ``Step.apply``."""
        lines = tree.read(self.file).splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        blocks = parse_blocks([line.rstrip("\n") for line in lines])
        at = self._after(blocks) if self.after else self._sorted(blocks)
        text = self.entry()
        if at < len(lines):
            text += "\n"
        if at > 0 and lines[at - 1].strip():
            text = "\n" + text
        return tree.write(self.file, "".join([*lines[:at], text, *lines[at:]]))

    def _after(self, blocks: tuple[Block, ...]) -> int:
        for index, block in enumerate(blocks):
            if block.symbol != self.after:
                continue
            around = next((b for b in blocks if b.start in block.container
                           and b.keyword == "choice"), None)
            if around is None:
                return block.end
            depth = len(around.container)
            for later in blocks[index:]:
                if later.keyword == "endchoice" and len(later.container) == depth:
                    return later.end
        raise InputError(f"no entry {self.after} to put {self.symbol} behind", path=self.file,
                         advice="name a symbol that the file defines")

    def _sorted(self, blocks: tuple[Block, ...]) -> int:
        homes = Counter(b.container for b in blocks if b.symbol)
        if not homes:
            return blocks[-1].end if blocks else 0
        home = homes.most_common(1)[0][0]
        closing = next((b for b in blocks if home and b.keyword.startswith("end")
                        and b.container == home[:-1] and b.start > home[-1]), None)
        heads = [
            block for index, block in enumerate(blocks)
            if block.symbol and block.container == home and not is_submenu_child(blocks, index)
        ]
        gap = gap_for([block.symbol or "" for block in heads], self.symbol)
        if gap < len(heads):
            return heads[gap].start
        return closing.start if closing else blocks[-1].end
