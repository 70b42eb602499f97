"""``patchgen bench``: read benchmark logs; tables, ratios, break-even sizes, pictures."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchgen import __version__
from patchgen.cli.output import note, print_json, say, stdout_console
from patchgen.errors import InputError

if TYPE_CHECKING:
    from rich.console import Group, RenderableType

    from patchgen.bench.compare import Comparison
    from patchgen.bench.grid import Grid
    from patchgen.bench.model import BenchLog
    from patchgen.bench.plot import Format
    from patchgen.bench.sides import Side

NAME = "bench"
HELP = "read tcrypt logs: tables, comparison, thresholds, plots"

_LISTED = 20
_UNITS = ("op/s", "byte/s", "kB/s", "MB/s", "cycles/op")
_DIRECTIONS = {"encrypt": "encrypt", "decrypt": "decrypt", "enc": "encrypt", "dec": "decrypt"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The four subcommands and what they share."""
    commands = parser.add_subparsers(dest="what", required=True, metavar="COMMAND")
    show = _command(commands, "show", "the figures as tables, in the style of cover letters")
    show.add_argument("--runs", action="store_true",
                      help="every run on its own in --json and --csv, not the median of all")
    show.add_argument("--sides", action="store_true",
                      help="a column a side (the values of a parameter), a row a size")
    show.add_argument("--unit", choices=_UNITS, help="default: what the log states")
    compare = _command(commands, "compare", "ratios of later sides to the first one")
    compare.add_argument("--base", metavar="SIDE",
                         help="the side that counts as 1 (default: first)")
    threshold = _command(commands, "threshold",
                         "from which size the hardware is worth it, and a parameter value")
    threshold.add_argument("--software", metavar="SIDE", help="the label of the software side")
    threshold.add_argument("--hardware", metavar="SIDE", help="the label of the hardware side")
    threshold.add_argument("--margin", type=float, default=9.0, metavar="PERCENT",
                           help="how far behind still counts as even (default: 9)")
    plot = _command(commands, "plot", "throughput and ratio curves as SVG or PNG", data=False)
    plot.add_argument("-o", "--output", type=Path, default=Path("bench"), metavar="PATH",
                      help="FILE.svg or FILE.png for one picture, or the start of the names "
                      "(default: bench, giving bench-throughput.svg and bench-ratio.svg)")
    plot.add_argument("--kind", choices=("throughput", "ratio", "both"), default="both")
    plot.add_argument("--format", choices=("svg", "png", "both"), default="svg")
    plot.add_argument("--force", action="store_true", help="overwrite pictures that are there")


def _command(commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str,
             *, data: bool = True) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text)
    parser.add_argument("logs", nargs="+", metavar="LOG", help="a log; - is standard input")
    some = parser.add_argument_group("only some of the figures (each may be repeated)")
    some.add_argument("--algorithm", action="append", default=[], metavar="NAME",
                      help="such as 'cbc(aes)'")
    some.add_argument("--direction", action="append", default=[], choices=sorted(_DIRECTIONS))
    some.add_argument("--key", action="append", default=[], type=int, metavar="BITS")
    some.add_argument("--block", action="append", default=[], type=int, metavar="BYTES")
    if data:
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="one JSON document on stdout")
        form.add_argument("--csv", action="store_true", help="CSV on stdout")
    return parser


def run(args: argparse.Namespace) -> int:
    """Run a subcommand; raises ``InputError`` for logs and options that do not fit."""
    return {"show": _show, "compare": _compare, "threshold": _threshold, "plot": _plot}[args.what](
        args)


def _logs(args: argparse.Namespace, *, keep_runs: bool = False) -> tuple[BenchLog, ...]:
    """The selected figures of all logs; what could not be read is told on stderr."""
    from patchgen.bench.reader import read_log
    from patchgen.bench.selection import Selection, select

    if len(args.logs) != len(set(args.logs)):
        raise InputError("the same log is given twice", advice="name every log once")
    logs = tuple(read_log(path, keep_runs=keep_runs) for path in args.logs)
    for log in logs:
        _tell(log)
    wanted = Selection(tuple(args.algorithm), tuple(_DIRECTIONS[each] for each in args.direction),
                       tuple(args.key), tuple(args.block))
    return select(logs, wanted)


def _tell(log: BenchLog) -> None:
    for text in log.notes:
        note(f"patchgen: {log.source}: {text}")
    for unread in log.unread[:_LISTED]:
        note(f"patchgen: {log.source}:{unread.line}: not read: {unread.reason}: {unread.text}")
    if log.unread_total > _LISTED:
        note(f"patchgen: {log.source}: {log.unread_total - _LISTED} more lines were not read; "
             "--json lists them")


def _sides(logs: Sequence[BenchLog], base: str | None = None) -> tuple[Side, ...]:
    from patchgen.bench.sides import choose, split_sides

    sides = split_sides(logs)
    if base is None:
        return sides
    first = choose(sides, base, "--base")
    return (first, *(side for side in sides if side is not first))


def _show(args: argparse.Namespace) -> int:
    from patchgen.bench.export import csv_lines, log_document, record
    from patchgen.bench.outliers import find_outliers, suspects
    from patchgen.bench.show import rate_grids, side_grids

    if args.runs and not (args.json or args.csv):
        raise InputError("--runs is for --json and --csv", advice="tables show medians and spread")
    logs = _logs(args, keep_runs=args.runs)
    every = [each for log in logs for each in log.measurements]
    outliers = () if args.runs else find_outliers(every)
    if args.json:
        print_json({"command": "bench show", "version": __version__,
                    **log_document(logs, outliers)})
    elif args.csv:
        stalled = suspects(outliers)
        _print_csv(csv_lines(record(each, each in stalled) for each in every))
    else:
        sides = _sides(logs)
        _print((side_grids if args.sides else rate_grids)(sides, args.unit, outliers))
    return 0


def _compare(args: argparse.Namespace) -> int:
    from patchgen.bench.compare import compare
    from patchgen.bench.export import compare_document, csv_lines, ratio_record
    from patchgen.bench.show import ratio_grid

    comparisons = compare(_sides(_logs(args), args.base))
    if args.json:
        print_json({"command": "bench compare", "version": __version__,
                    **compare_document(comparisons)})
    elif args.csv:
        _print_csv(csv_lines(
            ratio_record(comparison, curve, ratio) for comparison in comparisons
            for curve, ratios in comparison.curves.items() for ratio in ratios))
    else:
        for comparison in comparisons:
            _print(ratio_grid(comparison))
            _print_summary(comparison)
    return 0


def _print_summary(comparison: Comparison) -> None:
    from patchgen.bench.compare import NOISE_SIGMAS, WITHIN
    from patchgen.bench.grid import wrap
    from patchgen.bench.show import times

    lines = []
    for algorithm, summary in comparison.by_algorithm().items():
        if summary.mean is None or summary.lowest is None or summary.highest is None:
            lines.append(f"{algorithm}: no figure that is not suspect")
            continue
        text = (f"{algorithm}: geometric mean {times(summary.mean)} over {summary.count} figures, "
                f"lowest {times(summary.lowest.ratio)} ({summary.lowest.block_bytes} B), "
                f"highest {times(summary.highest.ratio)} ({summary.highest.block_bytes} B)")
        if summary.lowest.ratio < 1 - WITHIN and summary.within_from is not None:
            text += (f"; from {summary.within_from} B on at most {100 * WITHIN:.0f} % slower")
        lines.append(text)
    slower = len(comparison.regressions)
    single = all(ratio.base.runs == ratio.other.runs == 1 for ratio in comparison.ratios)
    lines.append(
        f"{slower or 'no'} figure{'' if slower == 1 else 's'} slower beyond noise (!): "
        f"{NOISE_SIGMAS:g} standard deviations of both sides, "
        + ("1 % each assumed, as every figure is one run" if single else "from the repeated runs"))
    suspects = sum(ratio.verdict == "suspect" for ratio in comparison.ratios)
    if suspects:
        lines.append(f"{suspects} suspect (?), a run stalled: left out of means and extremes")
    if comparison.unmatched:
        lines.append(f"{comparison.unmatched} figures are on one side only")
    for line in lines:
        for part in wrap(line, indent="  "):
            say(part)
    say()


def _threshold(args: argparse.Namespace) -> int:
    from patchgen.bench.export import crossing_record, csv_lines, threshold_document
    from patchgen.bench.grid import wrap
    from patchgen.bench.recommend import recommend
    from patchgen.bench.show import crossing_grid
    from patchgen.bench.sides import software_and_hardware
    from patchgen.bench.threshold import crossings

    software, hardware, told = software_and_hardware(
        _sides(_logs(args)), args.software, args.hardware)
    found = crossings(software, hardware, args.margin / 100)
    advice = recommend(found)
    if args.json:
        print_json({"command": "bench threshold", "version": __version__,
                    **threshold_document(software.label, hardware.label, told, found, advice)})
        return 0
    if args.csv:
        _print_csv(csv_lines(crossing_record(each) for each in found))
        return 0
    for part in wrap(f"software: {software.label}; hardware: {hardware.label} (told apart {told})"):
        say(part)
    say()
    _print([crossing_grid(found)])
    value = "none, leave all to software" if advice.value is None else f"{advice.value} bytes"
    say(f"recommended longest request in software: {value}")
    for reason in advice.reasons:
        for part in wrap(reason, indent="  "):
            say(part)
    return 0


def _plot(args: argparse.Namespace) -> int:
    from patchgen.bench.compare import compare
    from patchgen.bench.plot import ratio_plot, throughput_plot

    targets = _targets(args)
    for path, _, _ in targets:
        if path.exists() and not args.force:
            raise InputError("the picture exists already", path=path,
                             advice="add --force or choose another name with -o")
    sides = _sides(_logs(args))
    pictures = []
    for path, kind, fmt in targets:
        if kind == "ratio" and len(sides) < 2 and args.kind == "both":
            note("patchgen: only one side in the logs: no ratio picture")
            continue
        pictures.append((path, ratio_plot(compare(sides), fmt) if kind == "ratio"
                         else throughput_plot(sides, fmt)))
    for path, data in pictures:
        _write(path, data)
        say(str(path))
    return 0


def _targets(args: argparse.Namespace) -> list[tuple[Path, str, Format]]:
    """Path, kind and format of every picture that is asked for."""
    single: dict[str, Format] = {".svg": "svg", ".png": "png"}
    fmt = single.get(args.output.suffix.lower())
    if fmt is not None:
        if args.kind == "both":
            args.kind = "throughput"
        return [(args.output, args.kind, fmt)]
    kinds = ("throughput", "ratio") if args.kind == "both" else (args.kind,)
    formats: tuple[Format, ...] = ("svg", "png") if args.format == "both" else (args.format,)
    start = args.output
    return [(start.with_name(f"{start.name}-{kind}.{fmt}"), kind, fmt)
            for kind in kinds for fmt in formats]


def _write(path: Path, data: bytes) -> None:
    """Write a picture whole or not at all: beside its place first, then renamed."""
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    except FileNotFoundError as error:
        raise InputError("no such folder", path=path.parent, advice="create it first") from error
    finally:
        draft.unlink(missing_ok=True)


def _print(grids: Iterable[Grid]) -> None:
    console = stdout_console()
    for grid in grids:
        if console.is_terminal:
            console.print(_rich(grid, console.width))
        else:
            say(grid.text())
            say()


def _rich(grid: Grid, width: int) -> Group:
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    tables: list[RenderableType] = []
    for header, *rows in grid.pieces(width - 2, gap=3):
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for place, column in enumerate(header):
            table.add_column(Text(column), justify="left" if place == 0 else "right", no_wrap=True)
        for row in rows:
            table.add_row(*(Text(cell, style=_style(cell)) for cell in row))
        tables += [table, Text()]
    title = [Text(grid.title, style="bold")] if grid.title else []
    return Group(*title, *tables, *(Text(text, style="yellow") for text in grid.footnotes))


def _style(cell: str) -> str:
    if re.fullmatch(r"[\d.,]+x?\?", cell):
        return "yellow"
    return "red" if cell.endswith("x!") else ""


def _print_csv(lines: Iterable[str]) -> None:
    for line in lines:
        say(line)
