"""``patchgen checks``: every check with its rule; one check in full."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from patchgen.checks.registry import Check

NAME = "checks"
HELP = "Every check with its one-line rule; one check in full, with a bad and a good example."

_SILENCING = """\
In a C file, on the line or the one above it:
    /* patchgen: ignore {id}: the reason */
For a project, in pyproject.toml:
    [[tool.patchgen.silence]]
    check = "{id}"
    reason = "the reason"
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``patchgen checks``."""
    parser.add_argument("id", nargs="?", metavar="ID", help="show this check in full")
    parser.add_argument("--scope", help="only checks that read this: plan, series, code, build, "
                                        "binding, openwrt, external")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(args: argparse.Namespace) -> int:
    """List the checks, or show one."""
    from patchgen.checks import registry

    if args.id is not None:
        return _show(registry.get(args.id), as_json=args.json)
    return _list(registry.all_checks(args.scope), args.scope, as_json=args.json)


def _summary(check: Check) -> dict[str, object]:
    return {"id": check.id, "scope": check.scope, "severity": check.severity,
            "rule": check.rule, "why": check.why, "fix": check.fix}


def _list(checks: tuple[Check, ...], scope: str | None, *, as_json: bool) -> int:
    from patchgen import __version__
    from patchgen.checks.external.run import available
    from patchgen.cli.output import print_json, stdout_console
    from patchgen.errors import InputError

    if not checks and scope is not None:
        raise InputError(f"there is no scope {scope!r}",
                         advice="they are plan, series, code, build, binding, openwrt, external")
    external = available()
    if as_json:
        print_json({
            "command": "checks", "version": __version__,
            "checks": [_summary(check) for check in checks],
            "external": [{"tool": name, "here": here, "note": note}
                         for name, here, note in external],
        })
        return 0
    from rich.table import Table

    console = stdout_console()
    width = max(len(check.id) for check in checks)
    for heading in dict.fromkeys(check.scope for check in checks):
        console.print(f"\n{heading}", style="bold")
        for check in checks:
            if check.scope == heading:
                console.print(f"  {check.id:<{width}}  {check.severity:<7}  {check.rule}")
    table = Table(box=None, pad_edge=False, header_style="bold", title=None)
    for head in ("external checker", "here", ""):
        table.add_column(head)
    for name, here, note in external:
        table.add_row(name, "yes" if here else "no", note)
    console.print()
    console.print(table)
    console.print("\nOne in full: patchgen checks ID")
    return 0


def _show(check: Check, *, as_json: bool) -> int:
    from patchgen import __version__
    from patchgen.checks import registry
    from patchgen.cli.output import print_json, stdout_console

    bad, good = registry.examples(check.id, "bad"), registry.examples(check.id, "good")
    if as_json:
        print_json({
            "command": "checks", "version": __version__, **_summary(check),
            "examples": {
                kind: [{"name": p.name, "text": p.read_text("utf-8", "replace")} for p in paths]
                for kind, paths in (("bad", bad), ("good", good))
            },
            "silence": _SILENCING.format(id=check.id),
        })
        return 0
    console = stdout_console()
    console.print(f"{check.id}  ({check.scope}, {check.severity})", style="bold")
    console.print(f"\n{check.rule}\n")
    console.print(f"Why:  {check.why}")
    console.print(f"Fix:  {check.fix}")
    for kind, paths in (("Bad", bad), ("Good", good)):
        for path in paths:
            _example(check, kind, path)
    console.print("\nTo silence it, with a reason:", style="bold")
    console.print(_SILENCING.format(id=check.id), end="")
    return 0


def _example(check: Check, kind: str, path: Path) -> None:
    from patchgen.checks.samples import findings_of
    from patchgen.cli.output import stdout_console

    console = stdout_console()
    console.print(f"\n{kind} ({path.name}):", style="bold")
    if path.is_dir():
        for inner in sorted(path.rglob("*")):
            console.print(f"    {inner.relative_to(path)}")
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        console.print(f"    {line}")
    if kind == "Bad":
        for finding in findings_of(check, path) or ():
            console.print(f"  -> line {finding.line}: {finding.message}")
