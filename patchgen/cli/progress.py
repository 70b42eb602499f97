"""Progress on stderr: a spinner with the current step on a terminal, nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[str], None]


@contextmanager
def progress(what: str) -> Iterator[Report]:
    """Show what is being done; the callable takes the name of the current step."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from patchgen.cli.output import stderr_console

    with stderr_console().status(f"{what} …") as status:
        yield lambda step: status.update(f"{what}: {step} …")
