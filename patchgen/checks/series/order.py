"""The order of patches: every commit builds, bindings come before their users."""

from __future__ import annotations

import posixpath
import re

from patchgen.checks.registry import check
from patchgen.checks.series.buildhooks import (
    Hook,
    built_since,
    find_hooks,
    in_tree,
    sources_of,
)
from patchgen.checks.series.context import Findings, SeriesContext, in_file, in_mail
from patchgen.mail.model import FileChange, PatchMail

_BINDINGS = "Documentation/devicetree/bindings/"
_COMPATIBLE = re.compile(r"\"([a-z0-9][a-z0-9-]*,[A-Za-z0-9._+-]+)\"")
_BINDING_COMPATIBLE = re.compile(r"(?:const:|-|enum:)\s*['\"]?([a-z0-9][a-z0-9-]*,[\w.+-]+)")
_INCLUDE = re.compile(r"\s*#\s*include\s+(?:\"(?P<local>[^\"]+)\"|<(?P<system>[^>]+)>)")
_USERS = (".c", ".h", ".S", ".dts", ".dtsi", ".dtso")


@check(
    "bisect-hook",
    scope="series",
    severity="error",
    rule="A Makefile or Kconfig line comes with or after the file that it names",
    why="The kernel is bisected commit by commit: one that does not build stops the search.",
    fix="move the Makefile line into the patch that adds the source, or behind it",
)
def bisect_hook(context: SeriesContext) -> Findings:
    """Build hooks whose source comes later in the series, or nowhere."""
    hooks = find_hooks(context)
    composites = {h.into for h in hooks if h.into}
    for hook in hooks:
        wanted = _wanted(hook)
        made = [context.created[p] for p in wanted if p in context.created]
        if made and min(made) > hook.patch:
            name = next(p for p in wanted if p in context.created)
            yield in_file(
                "bisect-hook",
                hook.patch,
                hook.path,
                hook.line,
                f"needs {name}, which only patch {min(made)} adds",
            )
        elif not made and hook.target not in composites:
            yield from _nowhere(context, hook, wanted)


def _wanted(hook: Hook) -> tuple[str, ...]:
    if hook.is_kconfig:
        return (hook.target,)
    if hook.target.endswith("/"):
        return (hook.target + "Makefile", hook.target + "Kbuild")
    return sources_of(hook.target)


def _nowhere(context: SeriesContext, hook: Hook, wanted: tuple[str, ...]) -> Findings:
    """A name that neither the series nor (as far as is known) the tree has a file for."""
    there = [in_tree(context, path) for path in wanted]
    if any(there) or _is_composite_in_tree(context, hook):
        return
    if all(found is False for found in there):
        yield in_file(
            "bisect-hook",
            hook.patch,
            hook.path,
            hook.line,
            f"there is no {' or '.join(wanted[:2])}",
        )
    elif (
        context.tree is None
        and not hook.is_kconfig
        and hook.path in context.created
        and (not _has_rule(context, hook))
    ):
        yield in_file(
            "bisect-hook",
            hook.patch,
            hook.path,
            hook.line,
            f"no patch of the series adds {' or '.join(wanted[:2])}",
            severity="warning",
        )


def _is_composite_in_tree(context: SeriesContext, hook: Hook) -> bool:
    if context.tree is None or hook.is_kconfig:
        return False
    text = context.applied.text(hook.path) or ""
    name = posixpath.basename(hook.target.rstrip("/"))
    return re.search(rf"^{re.escape(name)}-(?:y|m|objs|\$)", text, re.MULTILINE) is not None or (
        re.search(rf"\b{re.escape(name)}\.[cSo]\s*:", text) is not None
    )


def _has_rule(context: SeriesContext, hook: Hook) -> bool:
    text = context.applied.text(hook.path) or ""
    return (
        re.search(rf"\b{re.escape(posixpath.basename(hook.target))}\.[cSo]\s*:", text) is not None
    )


@check(
    "bisect-include",
    scope="series",
    severity="error",
    rule="A header exists before the first built file that includes it",
    why="The commit in between does not compile.",
    fix="bring the header in the same patch or an earlier one",
)
def bisect_include(context: SeriesContext) -> Findings:
    """Includes of headers that a later patch adds."""
    built = built_since(context, find_hooks(context))
    for patch, change in context.changes():
        if not change.path.endswith((".c", ".h", ".S")):
            continue
        for line, text in change.added():
            match = _INCLUDE.match(text)
            if match is None:
                continue
            header = _header(context, change, match)
            made = context.created.get(header) if header else None
            if made is not None and made > _state(patch, change, built, context):
                yield in_file(
                    "bisect-include",
                    patch.number,
                    change.path,
                    line,
                    f"includes {header}, which only patch {made} adds",
                )


def _header(context: SeriesContext, change: FileChange, match: re.Match[str]) -> str | None:
    if match["local"]:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(change.path), match["local"]))
        return path if path in context.created else None
    for root in ("include/", "include/uapi/"):
        if root + match["system"] in context.created:
            return root + match["system"]
    return None


def _state(
    patch: PatchMail, change: FileChange, built: dict[str, int], context: SeriesContext
) -> int:
    """The first commit in which what this patch adds to the file is compiled."""
    if change.path in context.created:
        return max(patch.number, built.get(change.path, len(context.series.patches)))
    return patch.number


@check(
    "binding-first",
    scope="series",
    severity="warning",
    rule="A device tree binding comes before the driver and the device tree that use it",
    why="devicetree/bindings/submitting-patches.rst asks for it: documented first, then used.",
    fix="move the dt-bindings patch to the front of the series",
)
def binding_first(context: SeriesContext) -> Findings:
    """Compatibles used in an earlier patch, or in the same one, than their binding."""
    documented: dict[str, int] = {}
    for patch, change in context.changes():
        if change.path.startswith(_BINDINGS):
            for _, text in change.added():
                for name in _BINDING_COMPATIBLE.findall(text):
                    documented.setdefault(name, patch.number)
    if not documented:
        return
    reported: set[tuple[int, str]] = set()
    for patch, change in context.changes():
        if change.path.startswith("Documentation/") or not change.path.endswith(_USERS):
            continue
        for line, text in change.added():
            for name in _COMPATIBLE.findall(text):
                late = documented.get(name, 0) > patch.number
                if late and (patch.number, name) not in reported:
                    reported.add((patch.number, name))
                    yield in_file(
                        "binding-first",
                        patch.number,
                        change.path,
                        line,
                        f"{name} is documented only by patch {documented[name]}",
                    )


@check(
    "binding-apart",
    scope="series",
    severity="warning",
    rule="A device tree binding is a patch of its own",
    why="Its maintainers review and take bindings apart from drivers.",
    fix="split the patch (devicetree/bindings/submitting-patches.rst)",
)
def binding_apart(context: SeriesContext) -> Findings:
    """Binding and code in one patch."""
    for patch in context.series.patches:
        paths = [c.path for c in patch.changes]
        binding = [p for p in paths if p.startswith(_BINDINGS) and p.endswith((".yaml", ".txt"))]
        code = [p for p in paths if p.endswith((".c", ".S", ".dts", ".dtsi"))]
        if binding and code:
            yield in_mail(
                "binding-apart",
                patch,
                f"{posixpath.basename(binding[0])} and {posixpath.basename(code[0])} in one patch",
            )
