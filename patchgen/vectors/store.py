"""The vectors that are shipped: JSON files in `data/`, one a document.

A document of a standard spells its vectors out in hex. `generated.json` holds only a digest
for each case of `cases`: key, IV and input come from the generator, the output from an
implementation, and the digest over all of it says whether that is what was once agreed on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import msgspec

from patchgen.errors import InputError
from patchgen.vectors.algorithms import ALGORITHMS, find, nearest
from patchgen.vectors.check import fastest_form
from patchgen.vectors.model import Group, Vector

DATA = Path(__file__).resolve().parent / "data"
GENERATED = "generated"


class Repeat(msgspec.Struct, forbid_unknown_fields=True):
    """A byte string given as a part and how often it is repeated."""

    hex: str
    times: int


Bytes = str | Repeat


class VectorRecord(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A vector of a standard as it stands in its file."""

    name: str
    source: str
    key: Bytes = ""
    iv: Bytes = ""
    aad: Bytes = ""
    input: Bytes = ""
    output: Bytes = ""
    tag: Bytes = ""


class GroupRecord(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A group: `vectors` of a standard, or `seals` of generated cases by their label."""

    name: str
    algorithm: str
    digest: str
    vectors: list[VectorRecord] = []
    seals: dict[str, str] = {}


class DocumentRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A file of `data/`."""

    document: str
    groups: list[GroupRecord]


def document_names() -> tuple[str, ...]:
    """The names of the shipped files, without their suffix."""
    return tuple(sorted(path.stem for path in DATA.glob("*.json")))


@lru_cache(maxsize=32)
def read_document(path: Path) -> DocumentRecord:
    """A file of `data/` as it stands; raises `InputError` when it is malformed."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=DocumentRecord)
    except (OSError, msgspec.MsgspecError) as error:
        raise InputError(f"not a vector file: {error}", path=path) from None


def document(name: str) -> tuple[Group, ...]:
    """All groups of a shipped document; raises `InputError` for an unknown name."""
    path = DATA / f"{name}.json"
    if name not in document_names():
        raise InputError(f"no document is called {name!r}", advice=nearest(name, document_names()))
    return tuple(_group(path, name, record) for record in read_document(path).groups)


def group_names() -> tuple[str, ...]:
    """The names of all shipped groups, `document/group`."""
    return tuple(
        f"{name}/{record.name}"
        for name in document_names()
        for record in read_document(DATA / f"{name}.json").groups
    )


def select(names: Sequence[str]) -> tuple[Group, ...]:
    """Groups by name: a group, a document, or an algorithm (all its groups).

    Raises `InputError` with the nearest names for one that is none of these.
    """
    chosen: dict[str, Group] = {}
    for name in names:
        for group in _named(name):
            chosen[group.name] = group
    return tuple(chosen.values())


def everything() -> tuple[Group, ...]:
    """All shipped groups."""
    return tuple(group for name in document_names() for group in document(name))


def _named(name: str) -> Iterable[Group]:
    stem, _, rest = name.partition("/")
    if (DATA / f"{stem}.json").is_file() and stem in document_names():
        found = [r for r in read_document(DATA / f"{stem}.json").groups if rest in ("", r.name)]
        if found:
            return [_group(DATA / f"{stem}.json", stem, record) for record in found]
    algorithm = find(name)
    if algorithm:
        return [
            _group(DATA / f"{d}.json", d, record)
            for d in document_names()
            for record in read_document(DATA / f"{d}.json").groups
            if record.algorithm == algorithm.name
        ]
    choices = (*group_names(), *document_names(), *ALGORITHMS)
    raise InputError(f"no vectors are called {name!r}", advice=nearest(name, choices))


def _group(path: Path, stem: str, record: GroupRecord) -> Group:
    return _load_group(path, stem, record.name)


@lru_cache(maxsize=256)
def _load_group(path: Path, stem: str, name: str) -> Group:
    whole = read_document(path)
    record = next(r for r in whole.groups if r.name == name)
    if record.algorithm not in ALGORITHMS:
        raise InputError(f"group {name}: no algorithm is called {record.algorithm!r}", path=path)
    label = f"{stem}/{name}"
    if record.seals:
        vectors = _generated(path, label, record)
    else:
        vectors = tuple(_spelled_out(path, label, record, v) for v in record.vectors)
    digest = _unhex(path, f"{label} digest", record.digest)
    return Group(label, record.algorithm, whole.document, vectors, digest)


def _spelled_out(path: Path, group: str, record: GroupRecord, v: VectorRecord) -> Vector:
    name = f"{group}/{v.name}"

    def field(label: str, value: Bytes) -> bytes:
        if isinstance(value, Repeat):
            return _unhex(path, f"{name} {label}", value.hex) * value.times
        return _unhex(path, f"{name} {label}", value)

    return Vector(
        name=name,
        algorithm=record.algorithm,
        source=v.source,
        key=field("key", v.key),
        iv=field("iv", v.iv),
        aad=field("aad", v.aad),
        input=field("input", v.input),
        output=field("output", v.output),
        tag=field("tag", v.tag),
    )


def _generated(path: Path, group: str, record: GroupRecord) -> tuple[Vector, ...]:
    from patchgen.vectors import cases

    known = {case.label: case for case in cases.cases_of(record.name)}
    if set(known) != set(record.seals):
        odd = sorted(set(known) ^ set(record.seals))[0]
        raise InputError(f"{group}/{odd} is not both a case and a seal", path=path)
    vectors = []
    for label, case in known.items():
        sealed = _unhex(path, f"{group}/{label} seal", record.seals[label])
        vectors.append(replace(computed(case.vector(group, record.algorithm)), seal=sealed))
    return tuple(vectors)


def computed(vector: Vector) -> Vector:
    """A vector with output and tag of its fastest implementation put in."""
    output, tag = fastest_form(vector).encrypt(vector)
    return replace(vector, output=output, tag=tag)


def _unhex(path: Path, what: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise InputError(f"{what} is not an even number of hex digits", path=path) from None
