"""Vectors in the layout of Project Wycheproof."""

from __future__ import annotations

from collections.abc import Sequence

from patchgen import __version__
from patchgen.vectors.algorithms import get
from patchgen.vectors.model import Vector
from patchgen.vectors.wycheproof_names import TYPES, wycheproof_name

_HEADERS = {
    "aead": "Vectors of type AeadTest: authenticated encryption with associated data.",
    "mac": "Vectors of type MacTest: message authentication codes.",
    "cipher": "Vectors of type IndCpaTest: encryption without authentication.",
    "hash": "Vectors of type HashTest: message digests.",
}

Sizes = tuple[int, int, int]


def wycheproof_document(vectors: Sequence[Vector]) -> dict[str, object]:
    """The JSON document for vectors of one algorithm; sizes in groups are in bits."""
    algorithm = get(vectors[0].algorithm)
    groups: dict[Sizes, list[dict[str, object]]] = {}
    for number, vector in enumerate(vectors, 1):
        groups.setdefault(_sizes(vector), []).append(_test(number, vector))
    return {
        "algorithm": wycheproof_name(algorithm.name),
        "schema": f"{TYPES[algorithm.kind][1]}_schema_v1.json",
        "generatorVersion": f"patchgen {__version__}",
        "numberOfTests": len(vectors),
        "header": [_HEADERS[algorithm.kind]],
        "notes": {},
        "testGroups": [
            _group(vectors[0].algorithm, sizes, tests) for sizes, tests in groups.items()
        ],
    }


def _sizes(vector: Vector) -> Sizes:
    tag = vector.tag or (vector.output if get(vector.algorithm).kind == "mac" else b"")
    return 8 * len(vector.key), 8 * len(vector.iv), 8 * len(tag)


def _group(algorithm: str, sizes: Sizes, tests: list[dict[str, object]]) -> dict[str, object]:
    kind = get(algorithm).kind
    group: dict[str, object] = {"type": TYPES[kind][0]}
    key, iv, tag = sizes
    if kind != "hash":
        group["keySize"] = key
    if kind in ("cipher", "aead"):
        group["ivSize"] = iv
    if kind in ("mac", "aead"):
        group["tagSize"] = tag
    return {**group, "tests": tests}


def _test(number: int, v: Vector) -> dict[str, object]:
    kind = get(v.algorithm).kind
    test: dict[str, object] = {"tcId": number, "comment": f"{v.name}: {v.source}", "flags": []}
    if kind != "hash":
        test["key"] = v.key.hex()
    if kind in ("cipher", "aead"):
        test["iv"] = v.iv.hex()
    if kind == "aead":
        test["aad"] = v.aad.hex()
    test["msg"] = v.input.hex()
    if kind in ("cipher", "aead"):
        test["ct"] = v.output.hex()
    if kind == "aead":
        test["tag"] = v.tag.hex()
    elif kind == "mac":
        test["tag"] = v.output.hex()
    elif kind == "hash":
        test["digest"] = v.output.hex()
    test["result"] = "valid" if v.valid else "invalid"
    return test
