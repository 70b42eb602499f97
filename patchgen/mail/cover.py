"""The cover letter's text: a Jinja template in the series folder.

It may use ``kernel``, ``base`` (a description), ``params``, ``changelog()`` and
``table("name")``. Tables come from logs by name, so a letter cannot show a number that no
log has.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

import jinja2

from patchgen.errors import InputError
from patchgen.series.load import Series
from patchgen.series.plan import Plan

WIDTH = 72


def changelog(series: Series, version: int) -> str:
    """``Changes since vN:`` for every earlier version, newest first; empty for version 1."""
    parts = []
    for reroll in sorted(series.spec.reroll, key=lambda r: -r.version):
        if reroll.version > version:
            continue
        lines = [f"Changes since v{reroll.version - 1}:"]
        for change in reroll.changes:
            lines += textwrap.wrap(" ".join(change.split()), WIDTH, initial_indent="- ",
                                   subsequent_indent="  ", break_on_hyphens=False,
                                   break_long_words=False)
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def cover_text(plan: Plan, version: int, evidence: Mapping[str, object] | None = None) -> str:
    """The body of the cover letter; raises ``InputError`` with file and line."""
    series = plan.series
    path = series.folder / series.spec.cover
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True, autoescape=False,
    )
    try:
        template = environment.from_string(series.cover)
        text = template.render(
            kernel=plan.profile,
            base=plan.base.description,
            params=series.spec.params,
            patches=plan.patches,
            evidence=evidence,
            changelog=lambda: changelog(series, version),
            table=lambda name: _table(series, name),
            **plan.cover_values,
        )
    except jinja2.TemplateSyntaxError as error:
        raise InputError(error.message or "syntax error", path=path, line=error.lineno) from error
    except jinja2.UndefinedError as error:
        raise InputError(str(error.message), path=path, line=_line(error),
                         advice="see docs/series.md for what a cover letter can use") from error
    return text.strip() + "\n"


def table_logs(series: Series, name: str) -> tuple[Path, ...]:
    """The log files of a named table; raises ``InputError`` when there is none of them."""
    path = series.folder / "series.toml"
    spec = series.spec.table.get(name)
    if spec is None:
        raise InputError(f"the cover letter wants a table {name!r}", path=path,
                         advice=f"define [table.{name}] with its logs")
    folder = series.folder.resolve()
    logs = tuple(series.folder / log for log in spec.logs)
    for log in logs:
        if not log.resolve().is_relative_to(folder) or not log.is_file():
            raise InputError(f"table {name!r}: there is no log {log.relative_to(series.folder)}",
                             path=path, advice="put it into the series folder")
    return logs


def _table(series: Series, name: str) -> str:
    from patchgen.bench.letter import cover_table

    logs = table_logs(series, name)
    spec = series.spec.table[name]
    try:
        return cover_table(logs, spec.kind, **spec.options).rstrip("\n")
    except InputError as error:
        raise InputError(f"table {name!r}: {error.what}",
                         path=error.path or series.folder / "series.toml", line=error.line,
                         advice=error.advice) from error


def _line(error: BaseException) -> int | None:
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<template>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
