"""Step ``c-field``: a field in a struct, and its line in the kernel-doc comment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchgen.errors import InputError
from patchgen.steps.base import StepContext
from patchgen.steps.c_anchor import twice
from patchgen.steps.c_edit import Edit, commit, indent, line_end, line_start
from patchgen.steps.c_source import CSource, walk
from patchgen.steps.rewrite_base import Alternatives, CStep, rendered
from patchgen.steps.rewrite_file import one_file
from patchgen.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node


class FieldStep(CStep, tag="c-field", frozen=True, kw_only=True):
    """Adds a field to a struct, and its line to the struct's kernel-doc comment."""

    file: Alternatives
    struct: str
    declaration: str
    after: str | None = None
    """Name of the field to put it behind; default: at the end."""
    doc: str | None = None

    def __post_init__(self) -> None:
        if not self.declaration.strip().endswith(";"):
            raise ValueError("declaration: write a field, such as 'unsigned int length;'")

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        source, _, fields = self._struct(tree)
        name = _field_name(self.declaration)
        return next((source.where(node) for n, node in fields if n == name), None)

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """See ``CStep.change``."""
        source, struct, fields = self._struct(tree)
        chosen = [f for f in fields if self.after in (None, f[0])]
        if not chosen:
            raise InputError(f"no such anchor: struct {self.struct} has no field {self.after}",
                             path=source.path, line=source.line(struct),
                             advice="there are: " + ", ".join(name for name, _ in fields))
        name, node = chosen[-1]
        by = source.data[line_start(source, node.start_byte) : node.start_byte].decode()
        at = line_end(source, node.end_byte)
        text = rendered(self.declaration, context).strip()
        edits = [Edit(at, at, indent(text, by if not by.strip() else "\t"))]
        edits += self._doc_edit(source, struct, name)
        return commit(tree, source, edits)

    def _struct(self, tree: Tree) -> tuple[CSource, Node, list[tuple[str, Node]]]:
        source = one_file(tree, self.file)
        found = []
        for node in walk(source.root):
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if node.type == "struct_specifier" and name is not None and body is not None and (
                source.text(name) == self.struct
            ):
                found.append((node, body))
        if len(found) > 1:
            raise twice(f"struct {self.struct}", [(source, n) for n, _ in found])
        if not found:
            raise InputError(f"no such anchor: no struct {self.struct}", path=source.path, line=1,
                             advice="is it the header the series is for?")
        struct, body = found[0]
        fields = [(_field_name(source.text(child)), child) for child in body.named_children
                  if child.type == "field_declaration"]
        return source, struct, fields

    def _doc_edit(self, source: CSource, struct: Node, behind: str) -> list[Edit]:
        comment = struct.prev_sibling
        if self.doc is None or comment is None or comment.type != "comment":
            return []
        text = source.text(comment)
        if not text.startswith("/**"):
            return []
        lines = text.split("\n")
        new = f" * @{_field_name(self.declaration)}: {self.doc}"
        start = next((i for i, line in enumerate(lines) if line.startswith(f" * @{behind}:")),
                     len(lines) - 2)
        at = start + 1
        while at < len(lines) - 1 and not lines[at].startswith((" * @", " *\n")) and lines[
            at
        ].strip() != "*":
            at += 1
        lines.insert(at, new)
        return [Edit(comment.start_byte, comment.end_byte, "\n".join(lines))]


def _field_name(declaration: str) -> str:
    """The (last) name that a field declares: ``struct clk *a, *b;`` is ``b``."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", declaration, flags=re.DOTALL).strip().rstrip(";")
    pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", text)
    if pointer:
        return pointer[1]
    text = re.sub(r"\[[^\]]*\]|:\s*\w+\s*$", "", text)
    names = re.findall(r"\w+", text)
    return names[-1] if names else ""
