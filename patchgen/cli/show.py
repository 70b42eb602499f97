"""``patchgen show NAME [PATCH]``: look at a patch or a file, nothing written."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from patchgen.cli import options
from patchgen.errors import InputError

if TYPE_CHECKING:
    from patchgen.series.plan import Plan

HELP = "Show a series, the diff of one patch, or one file as the series leaves it."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``patchgen show``."""
    parser.add_argument("name", metavar="NAME", help="a series (see: patchgen list)")
    parser.add_argument("patch", nargs="?", metavar="PATCH",
                        help="a patch number, a file's path, or 'base' for the embedded base")
    options.add_generation(parser)


def run(args: argparse.Namespace) -> int:
    """Show the list of patches, one patch's diff, one file, or the embedded base."""
    from patchgen.series.load import load
    from patchgen.series.plan import plan_series

    series = load(args.name)
    plan = plan_series(series, options.base_of(args), options.plan_options(args, series))
    if args.patch is None:
        return _list(plan)
    if args.patch == "base":
        _print(_base_diff(plan), "diff")
    elif args.patch.isdigit():
        _print(_patch(plan, int(args.patch)), "diff")
    else:
        entry = plan.trees[-1].entry(args.patch)
        if entry is None:
            raise InputError(f"the series has no file {args.patch!r}",
                             advice=f"see: patchgen show {args.name}")
        _print(entry.data.decode("utf-8", "replace"), _lexer(args.patch))
    return 0


def _list(plan: Plan) -> int:
    from patchgen.cli.output import say

    say(f"{plan.series.spec.title} ({len(plan.patches)} patches, Linux {plan.profile.version})")
    for number, patch in enumerate(plan.patches, start=1):
        say(f"{number:>3}  {patch.subject}")
        for path in patch.paths:
            say(f"       {path}")
    return 0


def _patch(plan: Plan, number: int) -> str:
    if not 1 <= number <= len(plan.patches):
        raise InputError(f"there is no patch {number}",
                         advice=f"the series has {len(plan.patches)} patches")
    from patchgen.generate import commit_message
    from patchgen.history import Commit, scratch

    patch = plan.patches[number - 1]
    message = commit_message(patch.subject, patch.body, plan.identity)
    with scratch(plan.identity, plan.series.spec.date, None) as repository:
        made = repository.record(patch.before, [], [Commit(message, patch.after)])
        return repository.git("show", "--no-color", "--no-renames", "--format=%B",
                              "--diff-algorithm=histogram", made.patches[0]).text


def _base_diff(plan: Plan) -> str:
    from patchgen.history import Commit, scratch
    from patchgen.tree import EmbeddedBase, Tree

    if not isinstance(plan.base, EmbeddedBase):
        raise InputError("'base' shows the embedded base", advice="leave out --tree")
    files = Tree(EmbeddedBase({}), dict(plan.base.files))
    with scratch(plan.identity, plan.series.spec.date, None) as repository:
        made = repository.record(Tree(files.base), [], [Commit("Base\n", files)])
        return repository.git("show", "--no-color", "--format=", made.patches[0]).text


def _lexer(path: str) -> str:
    endings = {".c": "c", ".h": "c", ".S": "gas", ".yaml": "yaml", "Makefile": "make"}
    return next((name for ending, name in endings.items() if path.endswith(ending)), "text")


def _print(text: str, language: str) -> None:
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return
    from rich.syntax import Syntax

    from patchgen.cli.output import stdout_console

    stdout_console().print(Syntax(text, language, background_color="default", tab_size=8))
