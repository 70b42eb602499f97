"""Who the author is, in every form that people write."""

from __future__ import annotations

import pytest

from patchgen.errors import InputError
from patchgen.series.identity import Identity, parse


@pytest.mark.parametrize(("text", "wanted"), [
    ("A B <a@example.org>", Identity("A B", "a@example.org")),
    ("Doe, Jane <j@example.org>", Identity("Doe, Jane", "j@example.org")),
    ('"Doe, Jane" <j@example.org>', Identity("Doe, Jane", "j@example.org")),
    ("山田 太郎 <y@example.jp>", Identity("山田 太郎", "y@example.jp")),
    ("O'Neil (x) <o@localhost>", Identity("O'Neil (x)", "o@localhost")),
])
def test_authors(text: str, wanted: Identity) -> None:
    assert parse(text) == wanted


@pytest.mark.parametrize("text", [
    "", "nobody", "<a@example.org>", "A <a>", "A <a@b> <c@d>", "A\nB <a@b>", "A <a b@c>",
    '"" <a@b>',
])
def test_what_is_no_author(text: str) -> None:
    with pytest.raises(InputError, match="is not an author"):
        parse(text)
