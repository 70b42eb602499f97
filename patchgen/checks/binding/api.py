"""The door to the binding rules: a binding's text in, findings and skips out."""

from __future__ import annotations

from collections.abc import Collection

from patchgen.checks import registry
from patchgen.checks.binding import lint
from patchgen.checks.binding.document import read_document
from patchgen.checks.binding.schema import binding_schema
from patchgen.findings import Finding, Skip, sort_key


def lint_rules() -> tuple[registry.Check, ...]:
    """The rules that need only the text, sorted by id."""
    found = [c for c in registry.registered("binding")
             if c.function.__module__ == lint.__name__]
    return tuple(sorted(found, key=lambda c: c.id))


def check_binding(path: str, text: str, *, select: Collection[str] | None = None,
                  ignore: Collection[str] | None = None,
                  schema: bool = True) -> tuple[list[Finding], list[Skip]]:
    """Check one devicetree binding (a YAML schema).

    ``path`` is its place in the kernel tree. ``schema``: also run dtschema, or say in a skip
    that it is not installed.
    """
    def wanted(id: str) -> bool:
        return (select is None or id in select) and (ignore is None or id not in ignore)

    document = read_document(path, text)
    found: list[Finding] = []
    skips: list[Skip] = []
    for rule in lint_rules():
        if wanted(rule.id) and (path.endswith(".yaml") or rule.id == "binding-text-format"):
            found.extend(rule.function(document))
    if schema and path.endswith(".yaml") and wanted("binding-schema"):
        more, skips = binding_schema(document)
        found.extend(more)
    return sorted(set(found), key=sort_key), skips
