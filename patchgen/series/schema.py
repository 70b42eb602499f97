"""The JSON Schema of ``series.toml``, generated from the model.

``python -m patchgen.series.schema`` rewrites the shipped copy; a test compares the two.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from patchgen.resources import series_root
from patchgen.series.model import SeriesSpec


def schema_path() -> Path:
    """Where the shipped schema lives."""
    return series_root() / "series.schema.json"


def schema_text() -> str:
    """The schema as it is to be shipped."""
    schema = msgspec.json.schema(SeriesSpec)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "patchgen series.toml"
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    schema_path().write_text(schema_text(), "utf-8")
