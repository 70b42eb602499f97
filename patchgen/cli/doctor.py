"""``patchgen doctor``: which optional tools are here, what each enables, how to get it."""

from __future__ import annotations

import argparse

HELP = "Which optional tools are here, what each enables, how to install it."

EXTRAS = {
    "dt": ("dtschema", "binding checks"),
    "asm": ("ziglang", "assembling arm64 templates"),
    "emulate": ("unicorn", "running arm64 routines under an emulator"),
    "plot": ("matplotlib", "patchgen bench plot"),
    "spell": ("codespell_lib", "spelling in comments and messages"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``patchgen doctor``."""
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(args: argparse.Namespace) -> int:
    """Print the state of every tool; 0 always, 3 when git itself is missing."""
    from importlib.util import find_spec

    from patchgen import __version__
    from patchgen.cli.output import print_json, stdout_console
    from patchgen.process import TOOLS, have_tool

    rows = [(tool.name, have_tool(tool.name), tool.enables, tool.install)
            for tool in TOOLS.values()]
    rows += [
        (f"extra {extra}", find_spec(module) is not None, enables,
         f"pip install 'patchgen[{extra}]'")
        for extra, (module, enables) in EXTRAS.items()
    ]
    status = 0 if have_tool("git") else 3
    if args.json:
        print_json({"command": "doctor", "version": __version__, "tools": [
            {"name": name, "present": here, "enables": enables, "install": install}
            for name, here, enables, install in rows]})
        return status
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("tool", "here", "enables", "install with"):
        table.add_column(head)
    for name, here, enables, install in rows:
        table.add_row(name, "yes" if here else "no", enables, "" if here else install)
    stdout_console().print(table)
    return status
