"""Rules on makefiles: every object has a source, every symbol is defined."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from patchgen.checks import registry
from patchgen.checks.build.context import BuildContext
from patchgen.checks.build.makefile import Line
from patchgen.findings import Finding
from patchgen.tree import Tree


@registry.check(
    "makefile-object-source", scope="build", severity="error",
    rule="Every object a makefile names has a source in the same patch or before it.",
    why="A build hook without its source breaks the build of that commit, and with it every "
        "bisection that lands there.",
    fix="add the source first, or move the makefile line to the patch that adds it",
)
def makefile_object_source(context: BuildContext) -> Iterator[Finding]:
    """New objects and folders without a file behind them."""
    check = registry.get("makefile-object-source")
    for path, lines in context.makefiles.items():
        folder = posixpath.dirname(path)
        composite = {line.target for line in lines if line.target not in ("obj", "lib")}
        reached = {word for line in lines for word in line.objects}
        for line in lines:
            if not context.is_new_line(path, line.line):
                continue
            for word in line.objects:
                if word.removesuffix(".o") in composite and line.target in ("obj", "lib"):
                    continue
                if not _has_source(context.tree, folder, word):
                    lacks = "a makefile" if word.endswith("/") else "a source"
                    yield check.finding(f"{word} is built, but does not have {lacks}", file=path,
                                        line=line.line)
            named = f"{line.target}.o" in reached or f"$({line.target}-" in context.tree.read(path)
            if line.target not in ("obj", "lib") and not named:
                yield check.finding(f"{line.target}: no line builds a module of this name",
                                    file=path, line=line.line,
                                    hint=f"add obj-$(CONFIG_…) += {line.target}.o")


def _has_source(tree: Tree, folder: str, word: str) -> bool:
    if word.endswith("/"):
        base = posixpath.normpath(f"{folder}/{word}")
        return tree.exists(f"{base}/Makefile") or tree.exists(f"{base}/Kbuild")
    if ".." in word or word.startswith("$"):
        return True
    base = posixpath.normpath(f"{folder}/{word.removesuffix('.o')}")
    return any(tree.exists(f"{base}{ending}")
               for ending in (".c", ".S", ".asn1", ".pl", ".s", ".c_shipped", ".S_shipped")) \
        or base.endswith(("-core", "_generated", ".asn1"))


@registry.check(
    "makefile-undefined-symbol", scope="build", severity="error",
    rule="The symbol of a makefile line is defined in a Kconfig file.",
    why="A line behind an undefined symbol is never built, and nothing says so.",
    fix="use the symbol of the Kconfig entry",
)
def makefile_undefined_symbol(context: BuildContext) -> Iterator[Finding]:
    """obj-$(CONFIG_X) with an X that nothing defines."""
    check = registry.get("makefile-undefined-symbol")
    for path, lines in context.makefiles.items():
        for line in lines:
            if line.symbol is None or context.defines(line.symbol) \
                    or not context.is_new_line(path, line.line):
                continue
            yield check.finding(f"CONFIG_{line.symbol} is defined nowhere", file=path,
                                line=line.line)


@registry.check(
    "source-not-built", scope="build", severity="error",
    rule="Every source that a series adds is built by a makefile.",
    why="A source nobody builds is dead from the start and rots unseen.",
    fix="add its object to the module's makefile line",
)
def source_not_built(context: BuildContext) -> Iterator[Finding]:
    """New .c and .S files in folders whose makefile does not name them."""
    check = registry.get("source-not-built")
    for path in context.touched:
        if not path.endswith((".c", ".S")) or not context.tree.exists(path):
            continue
        if context.before is not None and context.before.exists(path):
            continue
        makefile = posixpath.join(posixpath.dirname(path), "Makefile")
        lines = context.makefiles.get(makefile)
        if lines is None:
            continue
        name = posixpath.splitext(posixpath.basename(path))[0] + ".o"
        if not any(name in line.objects for line in lines) and not _included(context, path):
            yield check.finding(f"no line of {makefile} builds {name}", file=path)


def _included(context: BuildContext, path: str) -> bool:
    name = posixpath.basename(path)
    return any(f'"{name}"' in (context.text(other) or "") for other in context.touched
               if other.endswith((".c", ".S")))


@registry.check(
    "makefile-order", scope="build", severity="warning",
    rule="A new object line stands where the order of its neighbours wants it.",
    why="Lines added at random places make every later merge a conflict.",
    fix="move the line between the neighbours that its symbol sorts between",
)
def makefile_order(context: BuildContext) -> Iterator[Finding]:
    """New obj lines that break the order which the lines around them keep."""
    check = registry.get("makefile-order")
    for path, lines in context.makefiles.items():
        if context.before is None or not context.before.exists(path):
            continue
        objects = [line for line in lines if line.target == "obj" and line.symbol]
        for index, line in enumerate(objects):
            if not context.is_new_line(path, line.line):
                continue
            before = _neighbour(context, path, objects[:index][::-1])
            after = _neighbour(context, path, objects[index + 1 :])
            if before and after and before <= after and not before <= (line.symbol or "") <= after:
                yield check.finding(f"{line.symbol} stands between {before} and {after}",
                                    file=path, line=line.line)


def _neighbour(context: BuildContext, path: str, lines: Sequence[Line]) -> str | None:
    return next((line.symbol for line in lines if not context.is_new_line(path, line.line)), None)
