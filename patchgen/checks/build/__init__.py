"""Kconfig and makefile rules: what a series does to the build, without running it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchgen.checks.build.api import check_build_files, check_build_order

__all__ = ["check_build_files", "check_build_order"]


def __getattr__(name: str) -> object:
    if name in __all__:
        from patchgen.checks.build import api

        return getattr(api, name)
    raise AttributeError(name)
