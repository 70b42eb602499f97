"""Tables for cover letters, made from logs and from nothing else.

A series keeps its logs in ``series/NAME/logs/`` and names its tables in ``logs/tables.toml``::

    [op-rates]
    logs = ["software.log", "hardware.log"]   # files beside tables.toml
    kind = "rates"                            # rates, sides, ratios or threshold
    unit = "op/s"                             # op/s, byte/s, kB/s, MB/s, cycles/op
    algorithms = ["ecb(aes)", "md5"]          # also directions, key_bits, blocks, updates

The letter then says ``{{ table("op-rates") }}``. A changed log changes the letter, and a
table that is not named, or whose log is gone, is an error.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from patchgen.bench.compare import compare
from patchgen.bench.grid import MAIL_WIDTH, Grid, wrap
from patchgen.bench.model import BenchLog
from patchgen.bench.outliers import find_outliers
from patchgen.bench.reader import read_log
from patchgen.bench.recommend import Recommendation, recommend
from patchgen.bench.selection import Selection, select
from patchgen.bench.show import UNITS, RateUnit, crossing_grid, rate_grids, ratio_grid, side_grids
from patchgen.bench.sides import Side, choose, software_and_hardware, split_sides
from patchgen.bench.threshold import EVEN_MARGIN, crossings
from patchgen.errors import InputError

Kind = Literal["rates", "sides", "ratios", "threshold"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TABLES_FILE = "tables.toml"


@dataclass(frozen=True, slots=True)
class TableRequest:
    """One named table: which logs, what kind of table, and what of them."""

    logs: tuple[Path, ...]
    kind: Kind = "rates"
    unit: RateUnit | None = None
    sides: tuple[str, ...] = ()
    selection: Selection = field(default_factory=Selection)
    width: int = MAIL_WIDTH


def cover_table(
    log_paths: Sequence[Path | str], kind: Kind = "rates", *, unit: RateUnit | None = None,
    sides: Sequence[str] = (), selection: Selection | None = None, width: int = MAIL_WIDTH,
) -> str:
    """A table for a letter as plain text of at most ``width`` columns, no line end at its end.

    ``kind``: ``rates`` (a row an algorithm and key, a column a block size), ``sides`` (a
    column a side, as for the values of a parameter), ``ratios`` (later sides over the first)
    or ``threshold`` (break-even sizes and the recommendation). ``sides`` picks sides by label
    and orders them. Raises ``InputError`` for a missing or empty log, an unknown side, or a
    selection that leaves nothing.
    """
    logs = read_logs(log_paths)
    if selection is not None:
        logs = select(logs, selection)
    found = split_sides(logs)
    if sides:
        found = tuple(choose(found, name, "side") for name in sides)
    if kind == "threshold":
        return _threshold(found, width)
    return "\n\n".join(grid.text(width) for grid in _GRIDS[kind](logs, found, unit))


def read_logs(paths: Sequence[Path | str]) -> tuple[BenchLog, ...]:
    """Read several logs; raises ``InputError`` when there is none."""
    if not paths:
        raise InputError("no log is given", advice="name at least one benchmark log")
    return tuple(read_log(path) for path in paths)


def recommendation(log_paths: Sequence[Path | str],
                   selection: Selection | None = None) -> Recommendation:
    """The parameter value the logs call for: what a driver's default comes from.

    Raises ``InputError`` as ``cover_table`` does, or if software and hardware cannot be told
    apart.
    """
    logs = read_logs(log_paths)
    if selection is not None:
        logs = select(logs, selection)
    software, hardware, _ = software_and_hardware(split_sides(logs))
    return recommend(crossings(software, hardware, EVEN_MARGIN))


def _rates(logs: Sequence[BenchLog], sides: Sequence[Side],
           unit: RateUnit | None) -> Sequence[Grid]:
    outliers = find_outliers(each for log in logs for each in log.measurements)
    return rate_grids(sides, unit, outliers)


def _sides(logs: Sequence[BenchLog], sides: Sequence[Side],
           unit: RateUnit | None) -> Sequence[Grid]:
    del logs
    return side_grids(sides, unit)


def _ratios(logs: Sequence[BenchLog], sides: Sequence[Side],
            unit: RateUnit | None) -> Sequence[Grid]:
    del logs, unit
    return [grid for comparison in compare(sides) for grid in ratio_grid(comparison)]


_GRIDS: dict[str, Callable[[Sequence[BenchLog], Sequence[Side], RateUnit | None],
                           Sequence[Grid]]] = {
    "rates": _rates, "sides": _sides, "ratios": _ratios,
}


def _threshold(sides: Sequence[Side], width: int) -> str:
    software, hardware, _ = software_and_hardware(sides)
    found = crossings(software, hardware)
    reasons = [line for reason in recommend(found).reasons for line in wrap(reason, width)]
    return crossing_grid(found).text(width) + "\n\n" + "\n".join(reasons)


def table_requests(folder: Path) -> dict[str, TableRequest]:
    """The tables that ``folder/tables.toml`` names; every key and every log is checked.

    Raises ``InputError`` naming file and table for a missing file, a syntax error, an unknown
    key, a value of the wrong kind or a log that is not there.
    """
    path = folder / TABLES_FILE
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError("no tables are named", path=path,
                         advice="name the letter's tables there, see docs/bench.md") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not TOML: {error}", path=path) from error
    return {name: _request(path, name, entry) for name, entry in document.items()}


def named_table(folder: Path, name: str) -> str:
    """The text of the table ``name`` of a series' ``logs`` folder; errors as above."""
    requests = table_requests(folder)
    if name not in requests:
        raise InputError(f"no table {name!r}", path=folder / TABLES_FILE,
                         advice=f"there are: {', '.join(sorted(requests)) or 'none'}")
    return render(requests[name])


def render(request: TableRequest) -> str:
    """The text of one requested table."""
    return cover_table(request.logs, request.kind, unit=request.unit, sides=request.sides,
                       selection=request.selection, width=request.width)


_LISTS: Mapping[str, type] = {
    "logs": str, "sides": str, "algorithms": str, "directions": str, "key_bits": int,
    "blocks": int,
}
_SCALARS: Mapping[str, type] = {"kind": str, "unit": str, "updates": bool, "width": int}


def _request(path: Path, name: str, entry: object) -> TableRequest:
    if not isinstance(entry, dict):
        raise InputError(f"{name!r} is not a table", path=path, advice=f"write [{name}]")
    values: dict[str, Any] = {key: _value(path, name, key, value) for key, value in entry.items()}
    kind, unit, width = values.get("kind", "rates"), values.get("unit"), values.get("width")
    _one_of(path, name, "kind", kind, KINDS)
    if unit is not None:
        _one_of(path, name, "unit", unit, UNITS)
    if width is not None and not 40 <= width <= MAIL_WIDTH:
        raise InputError(f"[{name}] width: {width} is not between 40 and {MAIL_WIDTH}", path=path)
    logs = tuple(path.parent / log for log in values.get("logs", ()))
    if not logs:
        raise InputError(f"[{name}] names no logs", path=path, advice='add logs = ["FILE.log"]')
    for log in logs:
        if not log.is_file():
            raise InputError(f"[{name}] logs: no file {log.name}", path=path,
                             advice="put the log beside it or correct the name")
    selection = Selection(
        values.get("algorithms", ()), values.get("directions", ()), values.get("key_bits", ()),
        values.get("blocks", ()), values.get("updates", True),
    )
    return TableRequest(logs, kind, unit, values.get("sides", ()), selection, width or MAIL_WIDTH)


def _value(path: Path, name: str, key: str, value: object) -> object:
    wanted = _LISTS.get(key)
    if wanted is not None:
        if isinstance(value, list) and all(type(each) is wanted for each in value):
            return tuple(value)
        raise InputError(f"[{name}] {key}: not a list of {wanted.__name__}", path=path)
    wanted = _SCALARS.get(key)
    if wanted is None:
        known = ", ".join(sorted((*_LISTS, *_SCALARS)))
        raise InputError(f"[{name}] {key}: unknown key", path=path, advice=f"known: {known}")
    if type(value) is not wanted:
        raise InputError(f"[{name}] {key}: not a {wanted.__name__}", path=path)
    return value


def _one_of(path: Path, name: str, key: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise InputError(f"[{name}] {key}: {value!r} is unknown", path=path,
                         advice=f"known: {', '.join(known)}")
