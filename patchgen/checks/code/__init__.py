"""Code rules: C sources of one component to findings, without compiler or preprocessor."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchgen.checks.code.api import CodeReport, check_sources

__all__ = ["CodeReport", "check_sources"]


def __getattr__(name: str) -> object:
    if name in __all__:
        from patchgen.checks.code import api

        return getattr(api, name)
    raise AttributeError(name)
