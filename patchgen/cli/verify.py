"""``patchgen verify NAME``: build every patch on a real kernel, boot the result."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchgen.kernel.evidence import Evidence
    from patchgen.kernel.verify import Wanted
    from patchgen.series.load import Series

NAME = "verify"
HELP = "Build every patch of a series on a real kernel, optionally boot it, write evidence.json."
_REASONS = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``patchgen verify``."""
    parser.add_argument("name", metavar="NAME", help="a series (see: patchgen list)")
    parser.add_argument("--tree", required=True, metavar="PATH[@REV]",
                        help="an unpacked kernel source tree, or a git repository and revision")
    parser.add_argument("--arch", metavar="A", help="only this architecture (default: all)")
    parser.add_argument("--boot", action="store_true",
                        help="boot under QEMU and let the kernel's self-tests judge")
    parser.add_argument("--each-patch", action="store_true",
                        help="build after every patch, not only after the last")
    parser.add_argument("--jobs", type=_jobs, default=os.cpu_count() or 1, metavar="N",
                        help="what make may run at once (default: number of processors)")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR",
                        help="folder for evidence.json (default: outgoing/NAME/verify)")
    parser.add_argument("--json", action="store_true", help="print evidence.json instead")


def _jobs(text: str) -> int:
    if not re.fullmatch(r"\d{1,3}", text) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of jobs")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Verify NAME; 0 when everything passed, 1 when something failed."""
    from patchgen.kernel.verify import Wanted
    from patchgen.series.load import load

    series = load(args.name)
    wanted = Wanted(arch=args.arch, boot=args.boot, each_patch=args.each_patch, jobs=args.jobs)
    evidence = _verify(series, args.tree, wanted)
    folder = args.output or Path("outgoing") / series.name / "verify"
    path = _write(evidence, folder)
    if args.json:
        from patchgen.cli.output import print_json

        print_json(evidence.as_json())
    else:
        _print(evidence, path)
    return 0 if evidence.passed else 1


def _verify(series: Series, tree: str, wanted: Wanted) -> Evidence:
    from patchgen.cli.progress import progress
    from patchgen.generate import generate
    from patchgen.kernel.verify import verify
    from patchgen.mail.format import MailOptions
    from patchgen.series.identity import choose
    from patchgen.series.plan import PlanOptions
    from patchgen.tree import open_base

    identity = choose(None, series.spec.author)
    options = MailOptions(version=series.spec.version, prefix=series.spec.prefix, rfc=False,
                          to=series.spec.to, cc=series.spec.cc)
    with progress(f"verify {series.name}") as report:
        made = generate(series, open_base(tree), PlanOptions(identity=identity), options,
                        progress=report)
        mails = {mail.name: mail.data for mail in made.mails[1:]}
        return verify(made.plan, mails, wanted, version=series.spec.version, progress=report)


def _write(evidence: Evidence, folder: Path) -> Path:
    """Put ``evidence.json`` into place whole, replacing that of an earlier run."""
    import json

    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "evidence.json"
    partial = folder / ".evidence.json.partial"
    partial.write_text(json.dumps(evidence.as_json(), indent=2) + "\n", "utf-8")
    partial.replace(target)
    return target


def _print(evidence: Evidence, path: Path) -> None:
    from rich.table import Table

    from patchgen.cli.output import note, say, stdout_console

    say(f"{evidence.series} v{evidence.version} on {evidence.base}: "
        f"{len(evidence.patches)} patches")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("what", "where", "patch", "verdict", "detail"):
        table.add_column(head, overflow="fold")
    for result in evidence.results:
        what = f"{result.what} {result.stage}" if result.stage else result.what
        table.add_row(what, result.where, str(result.patch or "-"), result.verdict, result.detail)
    stdout_console().print(table)
    for result in evidence.failures:
        for line in result.log[1:_REASONS]:
            say(f"  {result.where} {result.stage or ''}: {line}")
    for sentence in evidence.as_json()["sentences"]:  # type: ignore[attr-defined]
        say(str(sentence))
    failed = len(evidence.failures)
    say(f"{'FAILED: ' + str(failed) + ' of ' if failed else ''}{len(evidence.results)} results, "
        f"{evidence.seconds:.0f} s, wrote {path}")
    if sys.stderr.isatty() and failed:
        note("the console logs are in the build folder of the tree")
