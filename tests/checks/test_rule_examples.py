"""Every rule fires on its bad examples and is silent on its good ones."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from patchgen.checks import registry
from patchgen.checks.samples import findings_of

SCOPES = ("code", "build", "binding")
RULES = [check for scope in SCOPES for check in registry.all_checks(scope)]
HAVE_DTSCHEMA = importlib.util.find_spec("dtschema") is not None


def cases(kind: str) -> list[tuple[registry.Check, Path]]:
    """Each rule with each of its examples of a kind."""
    return [(c, path) for c in RULES for path in registry.examples(c.id, kind)]


def label(value: registry.Check | Path) -> str:
    return value.id if isinstance(value, registry.Check) else value.stem


def needs_extra(check: registry.Check) -> None:
    if check.id == "binding-schema" and not HAVE_DTSCHEMA:
        pytest.skip("dtschema is not installed (extra dt)")
    if check.id == "comment-spelling" and importlib.util.find_spec("codespell_lib") is None:
        pytest.skip("codespell is not installed (extra spell)")


@pytest.mark.parametrize("check", RULES, ids=lambda c: c.id)
def test_every_rule_has_examples_and_explains_itself(check: registry.Check) -> None:
    assert registry.examples(check.id, "bad"), "no bad example"
    assert registry.examples(check.id, "good"), "no good example"
    for text in (check.rule, check.why, check.fix):
        assert len(text.split()) >= 2
    assert check.rule.endswith(".")
    assert check.why.endswith(".")


@pytest.mark.parametrize(("check", "path"), cases("bad"), ids=label)
def test_bad_example_is_reported(check: registry.Check, path: Path) -> None:
    needs_extra(check)
    found = findings_of(check, path)
    assert found, f"{check.id} says nothing about {path.name}"
    assert {f.check for f in found} == {check.id}
    for finding in found:
        assert finding.file
        assert finding.severity == check.severity or finding.severity in ("error", "warning")


@pytest.mark.parametrize(("check", "path"), cases("good"), ids=label)
def test_good_example_is_silent(check: registry.Check, path: Path) -> None:
    needs_extra(check)
    assert findings_of(check, path) == []
