"""Results of slow programs, kept below the XDG cache folder (XDG Base Directory)."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/patchgen``, by default ``~/.cache/patchgen``."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(base) if base.startswith("/") else Path.home() / ".cache"
    return root / "patchgen"


def cache_key(*parts: str | bytes) -> str:
    """A file name that follows from all parts."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


def load(kind: str, key: str) -> list[Any] | None:
    """What was stored under a key; None when there is nothing (or nothing readable)."""
    try:
        found = json.loads((cache_folder() / kind / f"{key}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, list) else None


def store(kind: str, key: str, rows: Sequence[Any]) -> None:
    """Keep rows under a key; a cache that cannot be written is no error."""
    target = cache_folder() / kind / f"{key}.json"
    partial = target.with_name(f".{key}.{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(json.dumps(list(rows)), encoding="utf-8")
        partial.replace(target)
    except OSError:
        partial.unlink(missing_ok=True)
