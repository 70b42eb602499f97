"""Tables for cover letters, made from logs and from nothing else.

A series keeps its logs in a folder of its own and names its tables in ``series.toml``::

    [table.rates]
    logs = ["logs/software.log", "logs/hardware.log"]
    kind = "rates"
    options = { unit = "op/s", algorithms = ["ecb(aes)", "cbc(aes)"] }

The letter then says ``{{ table("rates") }}``: a changed log changes the letter, and a missing
log, an unknown option or a selection that leaves nothing is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from patchgen.bench.compare import compare
from patchgen.bench.grid import MAIL_WIDTH, Grid, wrap
from patchgen.bench.model import BenchLog
from patchgen.bench.outliers import Outlier, find_outliers
from patchgen.bench.reader import read_log
from patchgen.bench.recommend import Recommendation, recommend
from patchgen.bench.selection import Selection, select
from patchgen.bench.show import UNITS, RateUnit, crossing_grid, rate_grids, ratio_grid, side_grids
from patchgen.bench.sides import Side, choose, software_and_hardware, split_sides
from patchgen.bench.threshold import crossings
from patchgen.errors import InputError

Kind = Literal["rates", "sides", "ratios", "threshold"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_LEAST_WIDTH = 40
_TEXTS = ("sides", "algorithms", "directions")
_NUMBERS = ("key_bits", "blocks")
OPTIONS = ("unit", *_TEXTS, *_NUMBERS, "updates", "reasons", "width")
"""What a table may be told: ``unit`` (of ``UNITS``); ``sides``, ``algorithms`` and
``directions`` (lists of names, in the order wanted); ``key_bits`` and ``blocks`` (numbers or
lists of them, in bits and bytes); ``updates`` (false leaves out hashes fed in pieces);
``reasons`` (false: a threshold without its reasoning); ``width`` (40 to 78 columns)."""


@dataclass(frozen=True, slots=True)
class _Options:
    unit: RateUnit | None = None
    sides: tuple[str, ...] = ()
    selection: Selection = field(default_factory=Selection)
    reasons: bool = True
    width: int = MAIL_WIDTH


def cover_table(log_paths: Sequence[Path | str], kind: str = "rates", **options: object) -> str:
    """A table for a letter as plain text of at most 78 columns, no line end at its end.

    ``kind``: ``rates`` (a row an algorithm and key, a column a block size), ``sides`` (a row
    a size, a column a side, as for the values of a parameter), ``ratios`` (later sides over
    the first) or ``threshold`` (break-even sizes and the recommended value). ``options``: see
    ``OPTIONS``. Raises ``InputError`` for an unknown kind or option, a missing or empty log,
    an unknown side, or a selection that leaves nothing.
    """
    if kind not in KINDS:
        raise InputError(f"kind: {kind!r} is unknown", advice=f"known: {', '.join(KINDS)}")
    wanted = _options(options)
    logs = select(read_logs(log_paths), wanted.selection)
    found = split_sides(logs)
    if wanted.sides:
        found = tuple(choose(found, name, "sides:") for name in wanted.sides)
    if kind == "threshold":
        return _threshold(found, wanted)
    return "\n\n".join(grid.text(wanted.width) for grid in _GRIDS[kind](logs, found, wanted.unit))


def read_logs(paths: Sequence[Path | str]) -> tuple[BenchLog, ...]:
    """Read several logs; raises ``InputError`` when there is none."""
    if not paths:
        raise InputError("no log is given", advice="name at least one benchmark log")
    return tuple(read_log(path) for path in paths)


def recommendation(log_paths: Sequence[Path | str], **options: object) -> Recommendation:
    """The parameter value the logs call for: what a driver's default comes from.

    ``options`` as for ``cover_table``. Raises ``InputError`` as that does, or if software and
    hardware cannot be told apart.
    """
    logs = select(read_logs(log_paths), _options(options).selection)
    software, hardware, _ = software_and_hardware(split_sides(logs))
    return recommend(crossings(software, hardware))


def _rates(logs: Sequence[BenchLog], sides: Sequence[Side],
           unit: RateUnit | None) -> Sequence[Grid]:
    return rate_grids(sides, unit, _outliers(logs))


def _outliers(logs: Sequence[BenchLog]) -> tuple[Outlier, ...]:
    return find_outliers(each for log in logs for each in log.measurements)


def _sides(logs: Sequence[BenchLog], sides: Sequence[Side],
           unit: RateUnit | None) -> Sequence[Grid]:
    return side_grids(sides, unit, _outliers(logs))


def _ratios(logs: Sequence[BenchLog], sides: Sequence[Side],
            unit: RateUnit | None) -> Sequence[Grid]:
    del logs, unit
    return [grid for comparison in compare(sides) for grid in ratio_grid(comparison)]


_GRIDS: dict[str, Callable[[Sequence[BenchLog], Sequence[Side], RateUnit | None],
                           Sequence[Grid]]] = {
    "rates": _rates, "sides": _sides, "ratios": _ratios,
}


def _threshold(sides: Sequence[Side], wanted: _Options) -> str:
    software, hardware, _ = software_and_hardware(sides)
    found = crossings(software, hardware)
    table = crossing_grid(found).text(wanted.width)
    if not wanted.reasons:
        return table
    reasons = [line for reason in recommend(found).reasons for line in wrap(reason, wanted.width)]
    return table + "\n\n" + "\n".join(reasons)


def _options(options: Mapping[str, object]) -> _Options:
    """Options checked one by one; raises ``InputError`` naming the first that is wrong."""
    for name in options:
        if name not in OPTIONS:
            raise InputError(f"options: {name!r} is unknown", advice=f"known: {', '.join(OPTIONS)}")
    unit = options.get("unit")
    if unit is not None and unit not in UNITS:
        raise InputError(f"unit: {unit!r} is unknown", advice=f"known: {', '.join(UNITS)}")
    width = options.get("width", MAIL_WIDTH)
    if type(width) is not int or not _LEAST_WIDTH <= width <= MAIL_WIDTH:
        raise InputError(f"width: {width!r} is not from {_LEAST_WIDTH} to {MAIL_WIDTH}")
    sides, algorithms, directions = (_texts(name, options.get(name, ())) for name in _TEXTS)
    key_bits, blocks = (_numbers(name, options.get(name, ())) for name in _NUMBERS)
    selection = Selection(algorithms, directions, key_bits, blocks, _flag("updates", options))
    return _Options(unit, sides, selection, _flag("reasons", options),
                    width)


def _flag(name: str, options: Mapping[str, object]) -> bool:
    value = options.get(name, True)
    if not isinstance(value, bool):
        raise InputError(f"{name}: {value!r} is neither true nor false")
    return value


def _texts(name: str, value: object) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list | tuple) or not all(isinstance(each, str) for each in values):
        raise InputError(f"{name}: {value!r} is not a list of names")
    return tuple(values)


def _numbers(name: str, value: object) -> tuple[int, ...]:
    values = [value] if isinstance(value, int | str) else value
    if not isinstance(values, list | tuple):
        raise InputError(f"{name}: {value!r} is not a list of numbers")
    for each in values:
        if type(each) is not int and not (isinstance(each, str) and each.isdecimal()):
            raise InputError(f"{name}: {each!r} is not a number")
    return tuple(int(each) for each in values)
