"""``patchgen vectors``: list, check and write down test vectors."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchgen import __version__
from patchgen.cli.output import note, print_json, say, stdout_console
from patchgen.errors import InputError

if TYPE_CHECKING:
    from patchgen.vectors.imported import Imported
    from patchgen.vectors.model import Group, VectorResult

NAME = "vectors"
HELP = "test vectors: list them, cross-validate them, emit them as C or JSON"

_MOST_SHOWN = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The three subcommands."""
    commands = parser.add_subparsers(dest="what", required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="the groups there are and where they are from")
    listing.add_argument("names", nargs="*", metavar="NAME",
                         help="only these: an algorithm, a document or a group")
    listing.add_argument("--json", action="store_true", help="one JSON document on stdout")
    check = commands.add_parser("check", help="compute every vector by all that can")
    check.add_argument("names", nargs="*", metavar="ALG",
                       help="an algorithm, a document or a group (default: all there are)")
    check.add_argument("--file", type=Path, action="append", default=[], metavar="F",
                       help="a Wycheproof .json or a NIST CAVP .rsp file")
    check.add_argument("--json", action="store_true", help="one JSON document on stdout")
    emit = commands.add_parser("emit", help="write vectors down, once they have been checked")
    emit.add_argument("names", nargs="+", metavar="ALG",
                      help="an algorithm (its vectors from standards), a document or a group")
    emit.add_argument("--format", choices=("c", "json", "python"), default="c",
                      help="a testmgr.h array, Wycheproof's layout, or a Python module")
    emit.add_argument("--array", metavar="IDENTIFIER", help="the name of the C array")
    emit.add_argument("--generated", action="store_true",
                      help="the generated edge cases of the algorithm too")
    emit.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: stdout")
    emit.add_argument("--force", action="store_true", help="overwrite FILE")


def run(args: argparse.Namespace) -> int:
    """Run a subcommand; exit code 1 when a vector is wrong."""
    return {"list": _list, "check": _check, "emit": _emit}[args.what](args)


def _groups(names: Sequence[str]) -> tuple[Group, ...]:
    from patchgen.vectors import store

    return store.select(names) if names else store.everything()


def _list(args: argparse.Namespace) -> int:
    groups = _groups(args.names)
    if args.json:
        print_json({
            "command": "vectors list", "version": __version__,
            "groups": [
                {"name": g.name, "algorithm": g.algorithm, "document": g.document,
                 "vectors": len(g.vectors), "digest": g.digest.hex()}
                for g in groups
            ],
        })
        return 0
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("group", "algorithm", "vectors", "from"):
        table.add_column(title, justify="right" if title == "vectors" else "left")
    for g in groups:
        table.add_row(g.name, g.algorithm, str(len(g.vectors)), g.document)
    stdout_console().print(table)
    return 0


def _check(args: argparse.Namespace) -> int:
    if args.file:
        if args.names:
            raise InputError("check takes names or --file, not both")
        return _check_files(args.file, args.json)
    from patchgen.vectors.check import check_group

    results: list[VectorResult] = []
    for group in _groups(args.names):
        found = check_group(group)
        results += found
        if not args.json:
            wrong = sum(not r.ok for r in found)
            state = f"{wrong} WRONG" if wrong else "all agree"
            say(f"{group.name}: {len(group.vectors)} vectors, {state}")
    if args.json:
        print_json(_report("vectors check", results))
    else:
        _tell(results)
    return _status(results)


def _check_files(paths: Sequence[Path], as_json: bool) -> int:
    from patchgen.vectors.check import check_vector, forms_for
    from patchgen.vectors.imported import read_file

    files: list[tuple[Path, Imported]] = [(path, read_file(path)) for path in paths]
    results: list[VectorResult] = []
    for path, imported in files:
        found = [check_vector(v, forms_for(v)) for v in imported.vectors]
        results += found
        if not as_json:
            agreeing = sum(r.ok for r in found)
            say(f"{path}: {imported.format}, {len(found)} vectors: reference/ agrees with "
                f"{agreeing}, not with {len(found) - agreeing}; {len(imported.skipped)} left out")
    skipped = [entry for _, imported in files for entry in imported.skipped]
    if as_json:
        report = _report("vectors check", results)
        report["skipped"] = [{"vector": name, "reason": why} for name, why in skipped]
        print_json(report)
    else:
        _tell(results)
        for name, why in skipped[:_MOST_SHOWN]:
            note(f"{name}: left out: {why}")
        if len(skipped) > _MOST_SHOWN:
            note(f"and {len(skipped) - _MOST_SHOWN} more left out")
    return _status(results)


def _status(results: Sequence[VectorResult]) -> int:
    return 0 if all(result.ok for result in results) else 1


def _tell(results: Sequence[VectorResult]) -> None:
    lines = [line for result in results for line in result.messages()]
    for line in lines[:_MOST_SHOWN]:
        say(line)
    if len(lines) > _MOST_SHOWN:
        say(f"and {len(lines) - _MOST_SHOWN} more")


def _report(command: str, results: Sequence[VectorResult]) -> dict[str, object]:
    wrong = sum(not result.ok for result in results)
    return {
        "command": command, "version": __version__,
        "summary": {"vectors": len(results), "ok": len(results) - wrong, "wrong": wrong},
        "vectors": [
            {"name": r.vector.name, "algorithm": r.vector.algorithm, "source": r.vector.source,
             "ok": r.ok, "agreed": list(r.vector.agreed),
             "problems": [str(problem) for problem in r.problems]}
            for r in results
        ],
    }


def _emit(args: argparse.Namespace) -> int:
    from patchgen.vectors.emit import emit

    emission = emit(args.names, args.format, array=args.array, generated=args.generated)
    for name, why in emission.left_out:
        note(f"{name}: left out: {why}")
    if args.output is None:
        print(emission.text, end="")
        return 0
    if args.output.exists() and not args.force:
        raise InputError("there is a file already", path=args.output, advice="--force replaces it")
    _write_whole(args.output, emission.text)
    say(f"{args.output}: {emission.count} vectors")
    return 0


def _write_whole(path: Path, text: str) -> None:
    """Write beside the target and rename, so that no half of a file is ever there."""
    import os
    import tempfile

    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None
