"""Errors that reach a user, sorted by who has to act; each knows its exit code.

Library code raises these and nothing else on purpose; only ``patchgen.cli.main`` turns
them into one line on stderr and an exit status (the command line contract).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath


class PatchgenError(Exception):
    """Base of every error a user can cause or meet; ``str()`` is the one line shown."""

    exit_code = 2


class InputError(PatchgenError):
    """The call or one of its inputs is wrong (exit 2).

    ``what`` says what is wrong, ``advice`` what to do; ``path`` and ``line`` (1-based) say
    where, when there is a where.
    """

    exit_code = 2

    def __init__(
        self,
        what: str,
        *,
        path: PurePath | str | None = None,
        line: int | None = None,
        advice: str | None = None,
    ) -> None:
        self.what = what
        self.path = None if path is None else str(path)
        self.line = line
        self.advice = advice
        where = ""
        if path is not None:
            where = f"{path}:{line}: " if line is not None else f"{path}: "
        text = f"{where}{what}"
        if advice:
            text += f"; {advice}"
        super().__init__(" ".join(text.split()))


class ChecksFailedError(PatchgenError):
    """Checks found errors and nothing was written (exit 1)."""

    exit_code = 1


class AlreadyAppliedError(ChecksFailedError):
    """The tree already holds what the series would add (exit 1).

    ``patches`` has one record (number, subject, where) for each patch that is there.
    """

    def __init__(self, message: str, patches: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.patches = tuple(patches)


class MissingError(PatchgenError):
    """A needed tool or tree is not there (exit 3)."""

    exit_code = 3


class ToolMissingError(MissingError):
    """An external program or Python extra is not installed; ``install`` is the line to type."""

    def __init__(self, tool: str, install: str, *, why: str = "") -> None:
        self.tool = tool
        self.install = install
        reason = f" ({why})" if why else ""
        super().__init__(f"{tool} is not installed{reason}; install it with: {install}")
