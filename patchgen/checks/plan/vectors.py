"""The test vectors a series relies on, cross-validated before it is written."""

from __future__ import annotations

from collections.abc import Iterator

from patchgen.checks.registry import check as register
from patchgen.checks.registry import get
from patchgen.errors import InputError
from patchgen.findings import Finding
from patchgen.series.plan import Plan


@register(
    "vector-agreement", scope="plan", severity="error",
    rule="Every test vector of the series is confirmed by two independent implementations",
    why="A wrong vector makes a right driver fail, or worse, a wrong one pass.",
    fix="compare the vector with its source; see: patchgen vectors check",
)
def check(plan: Plan) -> Iterator[Finding]:
    """Cross-validate the groups that the series file names."""
    from patchgen.vectors import check_named

    names = plan.series.spec.vectors
    if not names:
        return
    try:
        results = check_named(names)
    except InputError as error:
        raise InputError(error.what, path=plan.series.folder / "series.toml",
                         advice=error.advice) from error
    for result in results:
        for message in result.messages():
            yield get("vector-agreement").finding(message)
