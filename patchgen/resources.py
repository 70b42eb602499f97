"""Where the data files live: in a checkout beside the package, in a wheel inside it."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """The folder that holds ``templates/`` and ``series/``."""
    installed = _PACKAGE / "_data"
    return installed if installed.is_dir() else _PACKAGE.parent


def templates_root() -> Path:
    """``templates/kernel``: one folder a component, below it the kernel's own layout."""
    return data_root() / "templates" / "kernel"


def template_roots() -> tuple[Path, ...]:
    """Where components are looked for: one's own ``./templates/kernel``, then the shipped."""
    own = Path("templates", "kernel").resolve()
    shipped = templates_root()
    return (own, shipped) if own.is_dir() and own != shipped else (shipped,)


def series_root() -> Path:
    """The folder of the shipped series."""
    return data_root() / "series"
