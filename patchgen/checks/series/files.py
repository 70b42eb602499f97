"""What kinds of files a patch brings, and how."""

from __future__ import annotations

import re

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_file, in_mail
from patchgen.mail.model import FileChange, PatchMail

_PLAIN = re.compile(
    r"\.(?:c|h|S|s|rs|dts|dtsi|dtso|rst|txt|yaml|json|md|config|lds)$|"
    r"(?:^|/)(?:Kconfig|Makefile|Kbuild|MAINTAINERS|CREDITS)[^/]*$|defconfig$"
)
_JUNK = re.compile(
    r"\.(?:orig|rej|bak|swp|swo|o|ko|mod|cmd|pyc|dtb|a|so)$|~$|"
    r"\.mod\.c$|(?:^|/)(?:\.DS_Store|tags|cscope\.out|a\.out|core)$|"
    r"(?:^|/)\d{4}-[^/]*\.patch$"
)
_COMMENT = {
    ".c": "//",
    ".dts": "//",
    ".dtsi": "//",
    ".dtso": "//",
    ".h": "/*",
    ".S": "/*",
    ".yaml": "#",
    ".py": "#",
    ".sh": "#",
    ".rs": "//",
}
_SPDX = re.compile(r"SPDX-License-Identifier:\s*(\S.*?)\s*(?:\*/)?\s*(?:-->)?$")
_NAMED = re.compile(r"(?:^|/)(?:Kconfig|Makefile|Kbuild)$")
_BINDING = "Documentation/devicetree/bindings/"
_MIN_MOVED = 0.5


@check(
    "file-mode",
    scope="series",
    severity="error",
    rule="Source files are not executable",
    why="A mode of 100755 comes from a foreign file system and ends up in everybody's tree.",
    fix="chmod 644 FILE, then commit --amend",
)
def file_mode(context: SeriesContext) -> Findings:
    """New files and mode changes."""
    for patch, change in context.changes():
        new = change.new_mode
        if new == "100755" and change.old_mode != new and _PLAIN.search(change.path):
            yield in_file(
                "file-mode", patch.number, change.path, None, "the file becomes executable"
            )
        elif new is not None and new not in ("100644", "100755", "120000", "160000"):
            yield in_file(
                "file-mode", patch.number, change.path, None, f"mode {new} is none that git uses"
            )


@check(
    "spdx",
    scope="series",
    severity="warning",
    rule="A new file says its license in its first line",
    why="License checks of distributions rely on the SPDX line (process/license-rules.rst).",
    fix="start with // SPDX-License-Identifier: GPL-2.0-only (/* */ in headers, # in scripts)",
)
def spdx(context: SeriesContext) -> Findings:
    """Missing lines, comments of the wrong kind, bindings without the second license."""
    for patch, change in context.changes():
        if change.kind == "add" and change.hunks and not change.binary:
            yield from _license(patch, change)


def _license(patch: PatchMail, change: FileChange) -> Findings:
    suffix = "." + change.path.rpartition(".")[2]
    comment = "#" if _NAMED.search(change.path) else _COMMENT.get(suffix)
    if comment is None:
        return
    head = [text for _, text in change.added()][:3]
    at = next((n for n, text in enumerate(head, 1) if "SPDX-License-Identifier" in text), None)
    if at is None:
        yield in_file("spdx", patch.number, change.path, 1, "no SPDX-License-Identifier")
        return
    line = head[at - 1]
    if at > 1 and not (at == 2 and head[0].startswith("#!")):
        yield in_file("spdx", patch.number, change.path, at, "the SPDX line is not the first one")
    if not line.startswith(comment):
        yield in_file(
            "spdx",
            patch.number,
            change.path,
            at,
            f"the SPDX line is a {comment} comment in this kind of file",
        )
    named = _SPDX.search(line)
    if named is None:
        yield in_file("spdx", patch.number, change.path, at, "the SPDX line names no license")
    elif change.path.startswith(_BINDING) and "BSD" not in named[1]:
        yield in_file(
            "spdx",
            patch.number,
            change.path,
            at,
            "bindings are licensed (GPL-2.0-only OR BSD-2-Clause)",
        )


@check(
    "junk-file",
    scope="series",
    severity="error",
    rule="No editor backups, rejects or build results",
    why="git add took them along; nobody wants them in the tree.",
    fix="git rm --cached FILE, then commit --amend",
)
def junk_file(context: SeriesContext) -> Findings:
    """By name."""
    for patch, change in context.changes():
        if change.kind == "add" and _JUNK.search(change.path):
            yield in_file(
                "junk-file",
                patch.number,
                change.path,
                None,
                "this looks like a left-over, not like source",
            )


@check(
    "rename-lost",
    scope="series",
    severity="warning",
    rule="A moved file is shown as a rename",
    why="Deleted and added in full, nobody can see what changed on the way.",
    fix="git format-patch -M (and keep quilt from flattening renames)",
)
def rename_lost(context: SeriesContext) -> Findings:
    """A deletion and an addition in one patch that share most of their lines."""
    for patch in context.series.patches:
        gone = [c for c in patch.changes if c.kind == "delete" and not c.binary]
        new = [c for c in patch.changes if c.kind == "add" and not c.binary]
        for old in gone[:20]:
            lines = {text for _, text in old.removed() if len(text.strip()) > 3}
            for made in new[:20]:
                other = {text for _, text in made.added() if len(text.strip()) > 3}
                if len(lines) >= 5 and len(lines & other) >= _MIN_MOVED * max(
                    len(lines), len(other)
                ):
                    yield in_mail(
                        "rename-lost",
                        patch,
                        f"{old.path} moves to {made.path}, shown as delete and add",
                        line=made.mail_line,
                    )


@check(
    "binary-file",
    scope="series",
    severity="warning",
    rule="No binary files and no submodules",
    why="Nobody can review them; the kernel keeps firmware elsewhere and has no submodules.",
    fix="send firmware to linux-firmware; leave the binary out",
)
def binary_file(context: SeriesContext) -> Findings:
    """Binary diffs (pictures of the documentation excepted) and submodule entries."""
    for patch, change in context.changes():
        if change.is_submodule:
            yield in_file("binary-file", patch.number, change.path, None, "a git submodule")
        elif (
            change.binary
            and change.kind != "delete"
            and not change.path.startswith(("Documentation/", "tools/"))
        ):
            yield in_file("binary-file", patch.number, change.path, None, "a binary file")
