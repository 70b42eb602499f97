"""Test vectors: where each comes from, who agrees with it, and how it is written down.

A series names the vectors it relies on and calls `check_named`; nothing here is trusted
because it is shipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchgen.vectors.model import Group, VectorResult


def check_named(names: Sequence[str]) -> tuple[VectorResult, ...]:
    """Cross-validate the vectors of some groups, documents or algorithms.

    Names are those of `patchgen vectors list`: `sp800-38a/ecb-aes` (a group), `rfc1321` (a
    document) or `ctr(aes)` (all groups of an algorithm). Raises `InputError` with the
    nearest names for an unknown one; a wrong vector is not an exception but a result that
    is not `ok`, with one line a problem in `messages()`.
    """
    from patchgen.vectors import check, store

    return check.check_groups(store.select(names))


def select(names: Sequence[str]) -> tuple[Group, ...]:
    """The groups of these names with their vectors; `InputError` for an unknown name."""
    from patchgen.vectors import store

    return store.select(names)


def group_names() -> tuple[str, ...]:
    """The names of all shipped groups."""
    from patchgen.vectors import store

    return store.group_names()
