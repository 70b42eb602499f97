"""The code rules, one module per family; each rule takes a ``Component``."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from patchgen.checks import registry


@functools.cache
def load_rules() -> tuple[registry.Check, ...]:
    """Every code rule that takes a component, sorted by id."""
    names = [m.name for m in pkgutil.iter_modules(__path__, f"{__name__}.")]
    for name in names:
        importlib.import_module(name)
    found = [c for c in registry.registered("code") if c.function.__module__ in names]
    return tuple(sorted(found, key=lambda c: c.id))
