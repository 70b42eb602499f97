"""How commands print: people get rich text, pipes get plain text, programs get JSON."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def safe(text: str) -> str:
    """Text from outside with terminal control characters made visible (``\\x1b`` and kin)."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


def stdout_console() -> Console:
    """A console on stdout: colours and full width on a terminal, plain 100 columns else."""
    from rich.console import Console

    plain = not sys.stdout.isatty()
    return Console(
        file=sys.stdout,
        width=int(os.environ.get("COLUMNS", "100")) if plain else None,
        no_color=plain or "NO_COLOR" in os.environ,
        highlight=False,
        emoji=False,
        markup=False,
        soft_wrap=plain,
    )


def stderr_console() -> Console:
    """A console on stderr for progress and diagnostics."""
    from rich.console import Console

    return Console(file=sys.stderr, highlight=False, emoji=False, markup=False)


def print_json(document: Any) -> None:
    """Print one JSON document and nothing else."""
    json.dump(document, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


def say(line: str = "") -> None:
    """One plain line on stdout."""
    print(safe(line))


def note(line: str) -> None:
    """One diagnostic line on stderr."""
    print(safe(line), file=sys.stderr)
