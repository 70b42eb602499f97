"""Sizes and rates the way benchmark tables write them, read and written."""

from __future__ import annotations

import re
from dataclasses import dataclass

from patchgen.bench.model import Metric

_SCALES = {"": 1, "k": 1000, "K": 1000, "M": 10**6, "G": 10**9,
           "Ki": 1024, "ki": 1024, "Mi": 1024**2, "Gi": 1024**3}

_RATE = re.compile(
    r"(?<![\w/])(?:"
    r"(?P<ops>op(?:er)?s?|operations?)"
    r"|(?P<scale>[kKMG]i?)?(?P<bytes>B|bytes?)"
    r"|(?P<bits>[kKMG]?)bits?"
    r")(?:/|[ ]per[ ])(?:s|sec|secs|second|seconds)\b"
    r"|(?P<cycles>\bcycles(?:/| per )op(?:eration)?\b)"
)
_SIZE = re.compile(r"(?<![\w.,])(\d{1,9}) ?(B|bytes?|KiB|kB|KB|k)(?![\w/])")
_SIZE_SCALES = {"B": 1, "byte": 1, "bytes": 1, "KiB": 1024, "kB": 1024, "KB": 1024, "k": 1024}
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,18}(?:\.\d{1,9})?")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of a table: the metric it states and what to multiply its figures by."""

    metric: Metric
    factor: float


def find_unit(text: str) -> Unit | None:
    """The unit a heading names (``op/s``, ``bytes per second``, ``MB/s``, ``cycles/op``)."""
    match = _RATE.search(text)
    if match is None:
        return None
    if match["cycles"]:
        return Unit("cycles", 1)
    if match["ops"]:
        return Unit("ops", 1)
    if match["bytes"]:
        return Unit("bytes", _SCALES[match["scale"] or ""])
    return Unit("bytes", _SCALES[match["bits"]] / 8)


def without_unit(text: str) -> str:
    """A heading with its unit taken out."""
    return _RATE.sub(" ", text)


def find_sizes(text: str) -> tuple[tuple[int, ...], str]:
    """The sizes in bytes a column line names, and what else the line holds.

    ``type  16 bytes  1 KiB`` gives ``((16, 1024), "type")``.
    """
    sizes = tuple(int(m[1]) * _SIZE_SCALES[m[2]] for m in _SIZE.finditer(text))
    return sizes, _SIZE.sub(" ", text).strip()


def number(text: str) -> float | None:
    """A plain figure, thousands separated by commas or not; ``None`` for anything else."""
    return float(text.replace(",", "")) if _NUMBER.fullmatch(text) else None


def show_size(size: float | None) -> str:
    """A block size in bytes as a column heading."""
    return "-" if size is None else f"{size:.0f} B"


def show_rate(value: float) -> str:
    """A rate without separators: whole when large, three significant digits when small."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:#.3g}"


def show_time(seconds: float) -> str:
    """A duration in the unit that reads best: us below a millisecond, else ms or s."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} us"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.3g} s"
