"""Reading Project Wycheproof's JSON files (its doc/formats.md, schema version 1 and before)."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from patchgen.errors import InputError
from patchgen.vectors.algorithms import Algorithm, get, nearest
from patchgen.vectors.imported import Imported, unhex
from patchgen.vectors.model import Vector
from patchgen.vectors.wycheproof_names import NAMES, PADDED_CBC, kernel_name

_FIELDS = {
    "aead": {"key": "key", "iv": "iv", "aad": "aad", "input": "msg", "output": "ct", "tag": "tag"},
    "mac": {"key": "key", "input": "msg", "output": "tag"},
    "cipher": {"key": "key", "iv": "iv", "input": "msg", "output": "ct"},
    "hash": {"input": "msg", "output": "digest"},
}
_OPTIONAL = frozenset(("iv", "aad"))
_RESULTS = ("valid", "invalid", "acceptable")


def read_wycheproof(text: str, path: Path) -> Imported:
    """All tests of a document; raises `InputError` for anything that is not one."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", path=path, line=error.lineno) from None
    except RecursionError:
        raise InputError("not a Wycheproof file: nested too deeply", path=path) from None
    groups = document.get("testGroups") if isinstance(document, dict) else None
    if not isinstance(groups, list):
        raise InputError("not a Wycheproof file: it has no list testGroups", path=path)
    return _Reader(text, path, document).read(groups)


class _Reader:
    def __init__(self, text: str, path: Path, document: dict[str, Any]) -> None:
        self._text, self._path = text, path
        self._name = document.get("algorithm")
        self._vectors: list[Vector] = []
        self._skipped: list[tuple[str, str]] = []

    def read(self, groups: list[Any]) -> Imported:
        """Every test of every group."""
        for group in groups:
            if not isinstance(group, dict) or not isinstance(group.get("tests"), list):
                raise InputError("a test group has no list of tests", path=self._path)
            name = group.get("algorithm", self._name)
            algorithm = self._algorithm(name)
            for test in group["tests"]:
                if not isinstance(test, dict):
                    raise InputError("a test is not an object", path=self._path)
                self._test(algorithm, str(name), test)
        return Imported("Wycheproof", tuple(self._vectors), tuple(self._skipped))

    def _algorithm(self, name: object) -> Algorithm:
        if not isinstance(name, str):
            raise InputError("the document does not name its algorithm", path=self._path)
        known = "cbc(aes)" if name == PADDED_CBC else kernel_name(name.removesuffix("-IETF"))
        if known is None:
            choices = [*NAMES.values(), PADDED_CBC]
            raise InputError(f"algorithm {name!r} is not one that can be checked",
                             path=self._path, advice=nearest(name, choices))
        return get(known)

    def _test(self, algorithm: Algorithm, name: str, test: dict[str, Any]) -> None:
        number = test.get("tcId")
        label = f"{self._path.name}/tcId {number}"
        result = test.get("result")
        if result not in _RESULTS:
            raise self._error(number, f"result is {result!r}: not valid, invalid or acceptable")
        wanted = _FIELDS[algorithm.kind].values()
        if result == "invalid" and not all(key in test for key in wanted if key not in _OPTIONAL):
            self._skipped.append((label, "asks for a refusal and gives no answer to compare"))
            return
        fields = {
            field: self._bytes(test, key, number)
            for field, key in _FIELDS[algorithm.kind].items()
        }
        reason = _adapt(algorithm, name, test, fields, str(result))
        if reason:
            self._skipped.append((label, reason))
            return
        comment = str(test.get("comment", ""))
        vector = Vector(label, algorithm.name, f"{self._path.name}, {comment}",
                        valid=result == "valid")
        self._vectors.append(replace(vector, **fields))  # type: ignore[arg-type]

    def _bytes(self, test: dict[str, Any], key: str, number: object) -> bytes:
        value = test.get(key, "" if key in _OPTIONAL else None)
        if value is None:
            raise self._error(number, f"{key} is missing")
        if not isinstance(value, str):
            raise self._error(number, f"{key} is not a string")
        try:
            return unhex(value, key, self._path, None)
        except InputError as error:
            raise self._error(number, error.what) from None

    def _error(self, number: object, what: str) -> InputError:
        """An error about a test, with the line its tcId is on."""
        found = re.search(rf'"tcId"\s*:\s*{re.escape(str(number))}\b', self._text)
        line = self._text.count("\n", 0, found.start()) + 1 if found else None
        return InputError(f"tcId {number}: {what}", path=self._path, line=line)


def _adapt(
    algorithm: Algorithm, name: str, test: dict[str, Any], fields: dict[str, bytes], result: str
) -> str | None:
    """Bring fields into our form in place; the reason when a test cannot be judged."""
    if result == "acceptable":
        return "marked acceptable: either answer is right"
    if name == PADDED_CBC:
        if result != "valid":
            return "judges padding, which is the caller's"
        missing = 16 - len(fields["input"]) % 16
        fields["input"] += bytes([missing]) * missing
    if algorithm.name == "xts(aes)":
        fields["iv"] = fields["iv"].ljust(16, b"\0")
    if algorithm.name in ("chacha20", "xchacha20"):
        if result != "valid":
            return "asks for a counter that refuses to wrap"
        counter = bytes.fromhex(str(test.get("initialCounter", "00000000")))
        short = algorithm.name == "chacha20"
        fields["iv"] = (
            counter[:4] + fields["iv"] if short else fields["iv"] + counter.ljust(8, b"\0")
        )
    return None
