"""Devicetree bindings: our own lint, and dtschema's checks where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchgen.checks.binding.api import check_binding

__all__ = ["check_binding"]


def __getattr__(name: str) -> object:
    if name in __all__:
        from patchgen.checks.binding import api

        return getattr(api, name)
    raise AttributeError(name)
