"""``patchgen series NAME``: generate, check and write a series."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from patchgen.cli import options

if TYPE_CHECKING:
    from patchgen.generate import Generated

HELP = "Generate a series, check it, and only then write its mails."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``patchgen series``."""
    parser.add_argument("name", metavar="NAME", help="a series (see: patchgen list)")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR",
                        help="folder for the mails (default: outgoing/NAME/vN)")
    options.add_generation(parser)
    parser.add_argument("--no-check", action="append", default=[], metavar="ID",
                        help="leave out this check (may be repeated)")
    parser.add_argument("--strict", action="store_true", help="warnings stop the series too")
    parser.add_argument("--force", action="store_true", help="replace an existing folder")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(args: argparse.Namespace) -> int:
    """Generate NAME; 0 when it was written, 1 when checks found errors."""
    from patchgen.cli.progress import progress
    from patchgen.errors import AlreadyAppliedError
    from patchgen.folder import refuse_existing, write_folder
    from patchgen.generate import generate
    from patchgen.series.load import load

    series = load(args.name)
    mail_options = options.mail_options(args, series)
    target = args.output or Path("outgoing") / series.name / f"v{mail_options.version}"
    refuse_existing(target, force=args.force)
    ignore = _known_checks(args.no_check)
    try:
        with progress(f"series {series.name}") as report:
            made = generate(series, options.base_of(args), options.plan_options(args, series),
                            mail_options, ignore=ignore, progress=report)
    except AlreadyAppliedError as error:
        if not args.json:
            _say_applied(error)
            raise
        return _already_applied(series.name, error)
    stopped = made.has_errors or (
        args.strict and any(f.severity == "warning" for f in made.findings))
    if not stopped:
        write_folder(target, made.files(), force=args.force)
    if args.json:
        _print_json(made, None if stopped else target)
    else:
        _print(made, None if stopped else target)
    return 1 if stopped else 0


def _known_checks(ids: list[str]) -> frozenset[str]:
    if not ids:
        return frozenset()
    from patchgen.checks.registry import get

    return frozenset(get(id).id for id in ids)


def _say_applied(error: Exception) -> None:
    from patchgen.cli.output import say

    for applied in getattr(error, "patches", ()):
        say(f"already applied: patch {applied.number} ({applied.subject}), see {applied.where}")


def _already_applied(name: str, error: Exception) -> int:
    from patchgen import __version__
    from patchgen.cli.output import print_json

    applied = getattr(error, "patches", ())
    print_json({
        "command": "series", "version": __version__, "series": {"name": name},
        "written": None, "message": str(error),
        "already_applied": [
            {"number": a.number, "subject": a.subject, "where": a.where} for a in applied],
        "summary": {"error": 0, "warning": 0, "note": 0}, "skipped": [], "findings": [],
    })
    return 1


def _print_json(made: Generated, written: Path | None) -> None:
    from patchgen import __version__
    from patchgen.cli.output import print_json
    from patchgen.findings import count_by_severity

    print_json({
        "command": "series", "version": __version__,
        "series": made.description(),
        "written": None if written is None else str(written),
        "summary": count_by_severity(made.findings),
        "skipped": [skip.as_json() for skip in made.skips],
        "findings": [finding.as_json() for finding in made.findings],
    })


def _print(made: Generated, written: Path | None) -> None:
    from rich.table import Table

    from patchgen.cli.output import note, say, stdout_console
    from patchgen.report.text import finding_lines

    total = len(made.plan.patches)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head, justify in (("patch", "right"), ("subject", "left"), ("files", "right"),
                          ("+", "right"), ("-", "right"), ("findings", "right")):
        table.add_column(head, justify=justify)  # type: ignore[arg-type]
    for number, (patch, stat) in enumerate(zip(made.plan.patches, made.stats, strict=True), 1):
        mine = sum(1 for f in made.findings if f.patch == number)
        table.add_row(f"{number}/{total}", patch.subject, *map(str, stat), str(mine or "-"))
    console = stdout_console()
    say(f"{made.plan.series.name} v{made.options.version} on {made.plan.base.description}, "
        f"for Linux {made.plan.profile.version}")
    for applied in made.plan.applied:
        say(f"already applied: patch {applied.number} ({applied.subject}), see {applied.where}")
    console.print(table)
    for line in finding_lines(made.findings):
        say(line)
    for skip in made.skips:
        note(f"skipped: {skip.check}: {skip.reason}")
    if written is None:
        note("patchgen: checks found errors; nothing was written")
        return
    say(f"wrote {len(made.mails)} mails to {written}")
    say(f"next: patchgen send {shlex.quote(str(written))} --dry-run")
