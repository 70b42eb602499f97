"""``patchgen list``: the series there are."""

from __future__ import annotations

import argparse

HELP = "The series there are: patches, version, what each is for."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``patchgen list``."""
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(args: argparse.Namespace) -> int:
    """Print every series, one's own and the shipped."""
    from patchgen import __version__
    from patchgen.cli.output import print_json, stdout_console
    from patchgen.series.load import load, names

    rows = [load(name) for name in names()]
    if args.json:
        print_json({
            "command": "list", "version": __version__,
            "series": [{
                "name": s.name, "version": s.spec.version, "title": s.spec.title,
                "summary": s.spec.summary,
                "patches": len(s.spec.patch) if s.spec.generator is None else None,
            } for s in rows],
        })
        return 0
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head, justify in (("series", "left"), ("patches", "right"), ("version", "right"),
                          ("what it is for", "left")):
        table.add_column(head, justify=justify)  # type: ignore[arg-type]
    for s in rows:
        count = str(len(s.spec.patch)) if s.spec.generator is None else "by tree"
        table.add_row(s.name, count, f"v{s.spec.version}", s.spec.summary)
    stdout_console().print(table)
    return 0
