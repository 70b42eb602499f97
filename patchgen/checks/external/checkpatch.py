"""checkpatch.pl, run once for a whole series, its remarks as findings.

Never with ``--mailback``: with several files that option ends the run, with status 0, at the
first clean one. A last file that surely has a remark proves that the run got to its end.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from patchgen import process
from patchgen.checks.external.cache import cache_key, load, store
from patchgen.checks.external.model import External
from patchgen.checks.registry import check, get
from patchgen.errors import PatchgenError, ToolMissingError
from patchgen.findings import Finding, Severity, Skip
from patchgen.mail.model import MailSeries, PatchMail
from patchgen.mail.plain import PlainPatch, patch_id, plain_patch
from patchgen.tree import DirectoryBase, GitBase, Tree

_LINE = re.compile(r"(?P<file>[^:]+):(?P<line>\d+): (?P<level>ERROR|WARNING|CHECK):"
                   r"(?P<type>[A-Z0-9_]+): (?P<text>.*)$")
_SUMMARY = re.compile(r"\S+ total: \d+ errors, \d+ warnings,.* \d+ lines checked$")
_SEVERITY: dict[str, Severity] = {"ERROR": "error", "WARNING": "warning", "CHECK": "note"}
_HELPERS = ("scripts/checkpatch.pl", "scripts/spelling.txt", "scripts/const_structs.checkpatch")
_COMPATIBLE = re.compile(r"DT compatible string \"([^\"]+)\"")
_SENTINEL = "zzzz-sentinel.patch"
_SENTINEL_TEXT = (
    f"From {'0' * 40} Mon Sep 17 00:00:00 2001\nFrom: A B <a@b.cd>\nSubject: [PATCH] x: y\n\n"
    "text\n\nSigned-off-by: A B <a@b.cd>\n---\n\ndiff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n"
    "@@ -1 +1,2 @@\n int x;\n+int y; \n-- \n0\n")
_OPTIONS = ("--terse", "--show-types", "--strict", "--summary-file", "--color=never")
_SECONDS_PER_PATCH = 60


@dataclass(frozen=True, slots=True)
class Script:
    """checkpatch.pl: its path, a hash of it, and the kernel tree it may look into."""

    path: Path
    version: str
    root: Path | None


Row = tuple[int, str, str, str]
"""Line of the plain patch, level, type, text."""


@check(
    "checkpatch", scope="external", severity="warning",
    rule="checkpatch.pl of the tree has nothing to say",
    why="Maintainers run it before they read; its style rules are the kernel's common ground.",
    fix="scripts/checkpatch.pl --strict PATCH shows the line; perldoc-like help: -v",
)
def checkpatch(series: MailSeries, tree: Tree | None) -> External:
    """Run it on all patches that the cache does not know, in one process."""
    result = External()
    with tempfile.TemporaryDirectory(prefix="patchgen-") as name:
        folder = Path(name)
        try:
            script = find_script(tree, folder)
        except ToolMissingError as error:
            result.skips.append(Skip("checkpatch", str(error)))
            return result
        patches = [p for p in series.patches if p.changes]
        plain = {p.number: plain_patch(p) for p in patches}
        rows = _cached(script, patches, plain)
        todo = [p for p in patches if p.number not in rows]
        if todo:
            try:
                rows |= _run(script, folder, todo, plain)
            except PatchgenError as error:
                result.skips.append(Skip("checkpatch", str(error)))
                return result
            for patch in todo:
                store("checkpatch", _key(script, patch, plain[patch.number]), rows[patch.number])
        result.ran.append(("checkpatch.pl", f"{script.version} ({len(todo)} patches run, "
                                            f"{len(patches) - len(todo)} from the cache)"))
    for patch in patches:
        for row in rows[patch.number]:
            finding = _finding(series, patch, plain[patch.number], row)
            if finding is not None:
                result.findings.append(finding)
    return result


def find_script(tree: Tree | None, folder: Path) -> Script:
    """The tree's own checkpatch.pl, else one on PATH; raises ``ToolMissingError``."""
    process.find_tool("perl", why="checkpatch.pl is written in it")
    base = tree.base if tree is not None else None
    if isinstance(base, DirectoryBase) and (base.root / _HELPERS[0]).is_file():
        return _script(base.root / _HELPERS[0], base.root if _is_kernel(base.root) else None)
    if isinstance(base, GitBase):
        for name in _HELPERS:
            entry = base.read(name)
            if entry is not None:
                target = folder / "tool" / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(entry.data)
        if (folder / "tool" / _HELPERS[0]).is_file():
            return _script(folder / "tool" / _HELPERS[0], None)
    if not process.have_tool("checkpatch.pl"):
        raise ToolMissingError("checkpatch.pl", "git clone a kernel, or give --tree one",
                               why="it comes with the kernel's sources")
    return _script(Path(process.find_tool("checkpatch.pl")), None)


def _script(path: Path, root: Path | None) -> Script:
    data = path.read_bytes()
    match = re.search(rb"^my \$V = '([\d.]+)'", data, re.MULTILINE)
    number = match[1].decode("ascii") if match else "?"
    return Script(path, f"{number}-{cache_key(data)[:12]}", root)


def _is_kernel(root: Path) -> bool:
    """What checkpatch.pl itself asks for before it takes a folder for a kernel tree."""
    return all((root / name).exists() for name in (
        "COPYING", "CREDITS", "Kbuild", "MAINTAINERS", "Makefile", "README", "Documentation",
        "arch", "include", "drivers", "fs", "init", "ipc", "kernel", "lib", "scripts"))


def _key(script: Script, patch: PatchMail, plain: PlainPatch) -> str:
    """By patch id, text of the message, and version of the tool (and what it looks into)."""
    head = "\n".join(line for line, place in zip(plain.lines, plain.places, strict=True)
                     if place.path is None)
    return cache_key("1", script.version, str(script.root), " ".join(_OPTIONS), patch_id(patch),
                     head)


def _cached(
    script: Script, patches: Sequence[PatchMail], plain: dict[int, PlainPatch]
) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for patch in patches:
        rows = load("checkpatch", _key(script, patch, plain[patch.number]))
        if rows is not None and all(isinstance(r, list) and len(r) == 4 for r in rows):
            found[patch.number] = [(int(r[0]), str(r[1]), str(r[2]), str(r[3])) for r in rows]
    return found


def _run(
    script: Script, folder: Path, patches: Sequence[PatchMail], plain: dict[int, PlainPatch]
) -> dict[int, list[Row]]:
    names = {f"{patch.number:05}.patch": patch.number for patch in patches}
    for name, number in names.items():
        (folder / name).write_bytes(plain[number].data)
    (folder / _SENTINEL).write_text(_SENTINEL_TEXT, encoding="utf-8")
    where = ["--no-tree"] if script.root is None else [f"--root={script.root}"]
    done = process.run(
        ["perl", script.path, *_OPTIONS, *where, *names, _SENTINEL], cwd=folder, check=False,
        timeout=_SECONDS_PER_PATCH * (len(patches) + 1), env={"LC_ALL": "C.UTF-8"})
    rows: dict[int, list[Row]] = {number: [] for number in names.values()}
    reached_end = False
    strange = [(line, "stderr") for line in done.error_text.splitlines() if line.strip()]
    for line in done.text.splitlines():
        match = _LINE.match(line)
        if match and match["file"] == _SENTINEL:
            reached_end = True
        elif match and match["file"] in names:
            rows[names[match["file"]]].append(
                (int(match["line"]), match["level"], match["type"], match["text"]))
        elif line.strip() and not _SUMMARY.match(line):
            strange.append((line, "stdout"))
    if not reached_end:
        strange.append((f"ended before the last patch (status {done.returncode})", "status"))
    for line, stream in strange[:20]:
        rows[patches[0].number].append((0, "WARNING", "UNKNOWN_LINE", f"{stream}: {line}"))
    return rows


def _finding(
    series: MailSeries, patch: PatchMail, plain: PlainPatch, row: Row
) -> Finding | None:
    """One remark, judged with the whole series in view; None when the series answers it."""
    number, level, kind, text = row
    if kind == "FILE_PATH_CHANGES" and "MAINTAINERS" in series.paths:
        return None
    match = _COMPATIBLE.search(text)
    if kind == "UNDOCUMENTED_DT_STRING" and match and _documents(series, match[1]):
        return None
    severity = _SEVERITY[level]
    if kind in ("UNKNOWN_COMMIT_ID", "GIT_COMMIT_ID"):
        severity, text = "note", f"unverified, history may not be here: {text}"
    place = plain.place(number)
    in_file = place.path is not None
    return get("checkpatch").finding(
        f"{kind}: {text}", severity=severity, patch=patch.number,
        file=place.path if in_file else patch.source,
        line=place.line if in_file else place.mail_line,
        hint=f"scripts/checkpatch.pl --strict --types {kind} shows the place")


def _documents(series: MailSeries, compatible: str) -> bool:
    return any(
        compatible in text
        for patch in series.patches for change in patch.changes
        if change.path.startswith("Documentation/devicetree/bindings/")
        for _, text in change.added())
