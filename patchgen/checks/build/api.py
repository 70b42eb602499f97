"""The door to the build rules: trees in, findings out."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from patchgen.checks import registry
from patchgen.checks.build import kconfig_rules, makefile_rules, usage_rules
from patchgen.checks.build.context import BuildContext
from patchgen.findings import Finding, sort_key
from patchgen.tree import Tree

_MODULES = frozenset(m.__name__ for m in (kconfig_rules, makefile_rules, usage_rules))


def build_rules() -> tuple[registry.Check, ...]:
    """The build rules that take a ``BuildContext``, sorted by id."""
    found = [c for c in registry.registered("build") if c.function.__module__ in _MODULES]
    return tuple(sorted(found, key=lambda c: c.id))


def check_build_files(tree: Tree, touched: Iterable[str], *, before: Tree | None = None,
                      select: Collection[str] | None = None,
                      ignore: Collection[str] | None = None) -> list[Finding]:
    """What the Kconfig files, makefiles and sources that a series touches say of each other.

    ``tree`` is the tree with the series applied, ``touched`` the paths it changes, ``before``
    the tree without it (None: everything counts as new).
    """
    context = BuildContext(tree, touched, before)
    found: list[Finding] = []
    for rule in build_rules():
        if (select is None or rule.id in select) and (ignore is None or rule.id not in ignore):
            found.extend(rule.function(context))
    return sorted(set(found), key=sort_key)


def check_build_order(trees: Sequence[Tree]) -> list[Finding]:
    """Build hooks that come before their source: breaks for whoever bisects.

    ``trees`` are the base and the tree after each patch. A finding carries the number of the
    patch that names the object.
    """
    found: list[Finding] = []
    reported: set[tuple[str, str]] = set()
    for number, (before, after) in enumerate(itertools.pairwise(trees), 1):
        context = BuildContext(after, after.changes_since(before), before)
        for finding in makefile_rules.makefile_object_source(context):
            key = (finding.file or "", finding.message)
            if key not in reported:
                reported.add(key)
                found.append(replace(finding, patch=number))
    return found
