"""Every damage of the set is reported, by the check meant for it, at the right patch."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from damages import BASE, DAMAGES, Mails, good_mails

from patchgen.checks.series import check_series
from patchgen.findings import Finding
from patchgen.mail import MailSeries, read_series
from patchgen.tree import Tree, open_base

NEEDS_TREE = {"context_of_another_tree", "hunk_one_line_off", "file_missing_in_tree"}
"""Damages that only the tree can show."""


def findings(series: MailSeries, *, tree: bool, select: tuple[str, ...] = ()) -> list[Finding]:
    base = Tree(open_base(str(BASE))) if tree else None
    found, _ = check_series(series, tree=base, select=select)
    return found


def test_good_series_has_no_findings() -> None:
    series = read_series(good_mails())
    assert findings(series, tree=True) == []
    assert findings(series, tree=False) == []


@pytest.mark.parametrize("name", sorted(DAMAGES))
def test_damage_is_reported(name: str) -> None:
    check, function = DAMAGES[name]
    mails = Mails()
    function(mails)
    assert mails.mails != good_mails()
    series = read_series(mails.mails)
    for tree in (True,) if name in NEEDS_TREE else (True, False):
        found = findings(series, tree=tree, select=(check,))
        assert check in {f.check for f in found if f.severity != "note"}, found


def test_the_set_is_large_enough() -> None:
    assert len(DAMAGES) >= 100
