"""Steps outside of functions: an include in order, a block of declarations, a moved define."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchgen.errors import InputError
from patchgen.steps.base import StepContext
from patchgen.steps.c_anchor import expand, files, twice
from patchgen.steps.c_edit import (
    Edit,
    block_comment,
    comment_start,
    commit,
    line_end,
    line_start,
)
from patchgen.steps.c_source import CSource, load, walk
from patchgen.steps.ordering import gap_for
from patchgen.steps.rewrite_base import (
    Alternatives,
    CStep,
    Fact,
    first_true,
    rendered,
    several,
)
from patchgen.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

TAB = 8


def one_file(tree: Tree, file: Alternatives) -> CSource:
    """The one file of several names that is there; raises ``InputError`` otherwise."""
    found = files(tree, several(file))
    if len(found) > 1:
        raise InputError(f"anchor found {len(found)} times: file {' or '.join(found)}",
                         path=found[0], advice="it is not clear which one is meant")
    return load(tree, found[0])


def _includes(source: CSource) -> list[tuple[str, Node]]:
    """The includes outside of any ``#if``: header as written with its delimiters, node."""
    found = []
    for node in source.root.children:
        if node.type == "preproc_include":
            path = node.child_by_field_name("path")
            if path is not None:
                found.append((source.text(path), node))
    return found


class IncludeStep(CStep, tag="c-include", frozen=True, kw_only=True):
    """Adds ``#include <header>`` among those of its folder, in their order."""

    file: Alternatives
    header: str

    def __post_init__(self) -> None:
        if not self.header.endswith(".h") or set(self.header) & set("<>\" \n"):
            raise ValueError("header: write it without brackets, such as linux/moduleparam.h")

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        source = one_file(tree, self.file)
        for written, node in _includes(source):
            if written == f"<{self.header}>":
                return source.where(node)
        return None

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """See ``CStep.change``."""
        source = one_file(tree, self.file)
        includes = _includes(source)
        if not includes:
            raise InputError("no such anchor: the file includes nothing", path=source.path, line=1,
                             advice="is it the C file the series is for?")
        folder = self.header.rpartition("/")[0]
        family = [(w.strip("<>"), n) for w, n in includes
                  if w.startswith(f"<{folder}/") and w.count("/") == self.header.count("/")]
        line = f"#include <{self.header}>\n"
        if not family:
            at = line_start(source, includes[0][1].start_byte)
            return commit(tree, source, [Edit(at, at, line)])
        gap = gap_for([header for header, _ in family], self.header)
        if gap < len(family):
            at = line_start(source, family[gap][1].start_byte)
        else:
            at = line_end(source, family[-1][1].start_byte)
        return commit(tree, source, [Edit(at, at, line)])


class BlockStep(CStep, tag="c-block", frozen=True, kw_only=True):
    """Inserts declarations or functions at file level: after the includes or before a function."""

    file: Alternatives
    text: str
    before_function: str | None = None
    """Put it before this function; default: behind the last include."""
    done_when: tuple[Fact, ...]

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        source = one_file(tree, self.file)
        return first_true(self.done_when, source, source.root, context)

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """See ``CStep.change``."""
        source = one_file(tree, self.file)
        source.refuse_unknown_syntax()
        text = rendered(self.text, context).strip("\n") + "\n"
        if self.before_function is None:
            return commit(tree, source, [self._behind_includes(source, text)])
        found = source.functions(self.before_function)
        if len(found) > 1:
            raise twice(f"function {self.before_function}", [(source, f.node) for f in found])
        if not found:
            raise InputError(f"no such anchor: no function {self.before_function}",
                             path=source.path, line=1, advice="there are: " + ", ".join(
                                 f.name for f in source.functions()[:8]))
        at = comment_start(source, found[0].node)
        return commit(tree, source, [Edit(at, at, text + "\n")])

    def _behind_includes(self, source: CSource, text: str) -> Edit:
        includes = _includes(source)
        if not includes:
            raise InputError("no such anchor: the file includes nothing", path=source.path, line=1,
                             advice="is it the C file the series is for?")
        at = line_end(source, includes[-1][1].start_byte)
        below = source.data[at:].split(b"\n", 1)[0].strip()
        return Edit(at, at, f"\n{text}" + ("\n" if below else ""))


class MoveDefineStep(CStep, tag="c-move-define", frozen=True, kw_only=True):
    """Moves a ``#define`` from the file that has it to a header that others can share."""

    name: str
    source: tuple[str, ...]
    """Files (globs allowed) of which one defines it now."""
    to: str
    before_define: tuple[str, ...] = ()
    """Put it before the first of these defines that is there; default: behind the includes."""
    comment: str = ""

    def already_applied(self, tree: Tree, context: StepContext) -> str | None:
        """See ``Step.already_applied``."""
        there = _defines(load(tree, self._target(tree)), self.name)
        if there and not self._elsewhere(tree):
            return f"{self.to}:{there[0].start_point.row + 1}"
        return None

    def change(self, tree: Tree, context: StepContext) -> Tree:
        """See ``CStep.change``."""
        target = load(tree, self._target(tree))
        old = self._elsewhere(tree)
        if len(old) > 1:
            raise twice(f"#define {self.name}", old)
        if not old:
            raise InputError(f"no such anchor: no file of the set has #define {self.name}",
                             path=files(tree, self.source)[0], line=1,
                             advice="nearest: " + (_near(tree, self) or "no other define"))
        source, node = old[0]
        if not _defines(target, self.name):
            tree = commit(tree, target, [self._insertion(target, source, node)])
        return commit(tree, source, [_cut(source, node)])

    def _target(self, tree: Tree) -> str:
        return files(tree, (self.to,))[0]

    def _elsewhere(self, tree: Tree) -> list[tuple[CSource, Node]]:
        paths = [path for path in expand(tree, self.source) if path != self.to]
        return [(s, n) for s in (load(tree, p) for p in paths) for n in _defines(s, self.name)]

    def _insertion(self, target: CSource, source: CSource, node: Node) -> Edit:
        value = node.child_by_field_name("value")
        if value is None:
            raise InputError(f"#define {self.name} has no value", path=source.path,
                             line=source.line(node))
        text = block_comment(self.comment, "") if self.comment else ""
        for anchor in self.before_define:
            there = _defines(target, anchor)
            if there:
                text += self._line(target, there[0], source.text(value).strip())
                at = comment_start(target, there[0])
                return Edit(at, at, text + "\n")
        includes = _includes(target)
        if not includes:
            raise InputError(f"no such anchor: no #define {' or '.join(self.before_define)}",
                             path=target.path, line=1, advice="and there is no include either")
        text += f"#define {self.name}\t{source.text(value).strip()}\n"
        at = line_end(target, includes[-1][1].start_byte)
        return Edit(at, at, "\n" + text)

    def _line(self, target: CSource, neighbour: Node, value: str) -> str:
        """The define, its value in the column of its neighbour's value."""
        line = target.text(neighbour).split("\n")[0]
        other = neighbour.child_by_field_name("value")
        head = f"#define {self.name}"
        if other is None or other.start_point.row != neighbour.start_point.row:
            return f"{head}\t{value}\n"
        column = len(line[: other.start_point.column].expandtabs(TAB))
        tabs = max(1, -(-(column - len(head)) // TAB))
        return f"{head}{chr(9) * tabs}{value}\n"


def _defines(source: CSource, name: str) -> list[Node]:
    found = []
    for node in walk(source.root):
        if node.type == "preproc_def":
            written = node.child_by_field_name("name")
            if written is not None and source.text(written) == name:
                found.append(node)
    return found


def _near(tree: Tree, step: MoveDefineStep) -> str:
    import difflib

    names: dict[str, str] = {}
    for path in expand(tree, step.source):
        source = load(tree, path)
        for node in walk(source.root):
            written = node.child_by_field_name("name") if node.type == "preproc_def" else None
            if written is not None:
                names[source.text(written)] = source.where(node)
    close = difflib.get_close_matches(step.name, names, 3, 0.3)
    return ", ".join(f"{name} ({names[name]})" for name in close)


def _cut(source: CSource, node: Node) -> Edit:
    """The define's line away, and one of two blank lines that would then meet."""
    start = line_start(source, node.start_byte)
    end = line_end(source, node.end_byte - 1)
    if source.data[:start].endswith(b"\n\n") and source.data[end:].startswith(b"\n"):
        end += 1
    return Edit(start, end, "")
