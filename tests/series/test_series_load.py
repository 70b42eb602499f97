"""Series files: what is accepted, and the one line that says what is not."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from patchgen.errors import InputError
from patchgen.series.load import load_folder, names
from patchgen.series.schema import schema_path, schema_text
from patchgen.series.toml_lines import key_lines

GOOD = """\
name = "mine"
title = "crypto: mine - a driver"
summary = "one line"
version = 1
date = 2026-01-02T03:04:05Z
cover = "cover.txt"

[[patch]]
subject = "crypto: mine - enable"
message = "0001.txt"

[[patch.step]]
kind = "makefile"
file = "drivers/crypto/Makefile"
symbol = "CRYPTO_DEV_MINE"
object = "mine/"

[[patch]]
subject = "crypto: mine - entry"
message = "0002.txt"

[[patch.step]]
kind = "maintainers"
title = "MINE"
files = ["drivers/crypto/mine/"]
"""


def series_in(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir(exist_ok=True)
    (folder / "series.toml").write_text(text, "utf-8")
    for name in ("cover.txt", "0001.txt", "0002.txt"):
        (folder / name).write_text("Some text.\n", "utf-8")
    return folder


def test_a_good_series_loads(tmp_path: Path) -> None:
    series = load_folder(series_in(tmp_path, GOOD))
    assert [patch.subject for patch in series.spec.patch] == [
        "crypto: mine - enable", "crypto: mine - entry"]
    assert series.messages == ("Some text.\n", "Some text.\n")
    assert series.components == ("base",)


@pytest.mark.parametrize(("old", "new", "message"), [
    ("summary =", "sumary =", r"series\.toml:3: sumary: unknown key 'sumary'"),
    ('object = "mine/"', 'object = "mine/"\nmore = 1',
     r"series\.toml:17: patch\.0\.step\.0\.more: unknown key 'more'"),
    ('kind = "makefile"', 'kind = "makefil"', r"series\.toml:13: patch\.0\.step\.0.*makefil"),
    ('symbol = "CRYPTO_DEV_MINE"', "symbol = 3", r"series\.toml:15: patch\.0\.step\.0\.symbol"),
    ("version = 1", 'version = "1"', r"series\.toml:4: version: Expected `int`"),
    ("version = 1", "version = 0", r"series\.toml:4: version"),
    ("version = 1", "version = 2", r"series\.toml:4: version: 2 needs one"),
    ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05", r"series\.toml:5: date: needs a zone"),
    ('"crypto: mine - entry"', '"crypto: mine - enable"',
     r"series\.toml:19: patches 1 and 2 have one subject"),
    ('"0002.txt"', '"0009.txt"', r"series\.toml:20: patch\.1\.message: there is no file '0009"),
    ('"cover.txt"', '"../../etc/passwd"', r"series\.toml:6: cover: .* leads out of the series"),
    ('name = "mine"', 'name = "other"', r"series\.toml:1: the series is called 'other'"),
    ("version = 1", "version = ", r"series\.toml:4: Invalid value"),
    ("version = 1", "version = 1\nversion = 1", r"series\.toml:5: .*overwrite"),
    ('files = ["drivers/crypto/mine/"]', "files = []",
     r"series\.toml:\d+: patch\.1\.step\.0\.files: a section without"),
])
def test_an_error_names_file_line_and_key(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in GOOD
    folder = series_in(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(InputError, match=message) as caught:
        load_folder(folder)
    assert "\n" not in str(caught.value)


TEMPLATE_STEP = """
[[patch]]
subject = "crypto: mine - files"
message = "0001.txt"

[[patch.step]]
kind = "template"
component = "base"
paths = ["drivers/crypto/Makefile"]
"""


@pytest.mark.parametrize(("old", "new", "message"), [
    ('component = "base"', 'component = "bas"', r":33: component: there is no template component"),
    ('["drivers/crypto/Makefile"]', '["drivers/crypto/none.c"]',
     r":34: paths: component 'base' has no template for 'drivers/crypto/none\.c'"),
    ('kind = "template"\ncomponent = "base"\npaths', 'kind = "feature"\ncomponent = "base"\n'
     'features', r":34: features: no template of 'base' has a feature 'drivers"),
])
def test_templates_and_features_must_exist(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = (GOOD + TEMPLATE_STEP).replace(old, new, 1)
    with pytest.raises(InputError, match=message):
        load_folder(series_in(tmp_path, text))


@pytest.mark.parametrize(("data", "message"), [
    (b"\xff\xfe", r"series\.toml:1: is not UTF-8"),
    (b"", r"series\.toml: the file: Object missing required field `name`"),
    (b"x = [" * 5000, r"series\.toml:1: "),
    (b"#" * (2 << 20), r"larger than"),
])
def test_hostile_files(tmp_path: Path, data: bytes, message: str) -> None:
    folder = series_in(tmp_path, GOOD)
    (folder / "series.toml").write_bytes(data)
    with pytest.raises(InputError, match=message):
        load_folder(folder)


def test_key_lines_of_arrays_of_tables() -> None:
    lines = key_lines(GOOD)
    assert lines[("patch", 1, "subject")] == 19
    assert lines[("patch", 0, "step", 0, "kind")] == 13
    assert lines[("patch", 1, "step", 0)] == 22


def test_key_lines_skip_multi_line_strings() -> None:
    assert key_lines('a = """\nb = 1\n"""\nc = 2\n') == {("a",): 1, ("c",): 4}


def test_the_shipped_schema_is_fresh() -> None:
    assert schema_path().read_text("utf-8") == schema_text(), (
        "run: python -m patchgen.series.schema")


def test_the_schema_accepts_what_the_loader_accepts(tmp_path: Path) -> None:
    import tomllib

    schema = json.loads(schema_text())
    plain = tomllib.loads(GOOD)
    plain["date"] = plain["date"].isoformat()
    jsonschema.validate(plain, schema)
    plain["sumary"] = "x"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain, schema)


def test_every_shipped_series_loads() -> None:
    from patchgen.series.load import load

    assert "realtek" in names()
    for name in names():
        assert load(name).spec.name == name
