"""The same C in another layout: white space, line breaks and comments in odd places."""

from __future__ import annotations

from random import Random

from patchgen.steps.c_source import load
from patchgen.tree import EmbeddedBase, FileEntry, Tree

GAPS = (" ", " ", " ", "\n\t", "\t", "\n", "  \n\t\t", " /* why */ ",
        "\n\t/*\n\t * here\n\t */\n\t", " /* a; b) { */\n\t\t")


def scrambled(path: str, text: str, random: Random) -> str:
    """The tokens of a file with other gaps between them; preprocessor lines stay."""
    source = load(Tree(EmbeddedBase({path: FileEntry(text.encode())})), path)
    out = []
    end = 0

    def visit(node) -> None:
        nonlocal end
        if node.type.startswith("preproc") or not node.children or "literal" in node.type:
            gap = source.data[end : node.start_byte].decode()
            if node.type.startswith("preproc") or node.type == "comment":
                gap = gap if gap.endswith("\n") or not end else "\n"
            elif not gap.strip() and end:
                gap = random.choice(GAPS)
                gap = gap if out[-1][-1:] != "\n" else gap + "\n"
            out.append(gap + source.text(node))
            end = node.end_byte
            return
        for child in node.children:
            visit(child)

    visit(source.root)
    return "".join(out) + "\n"
