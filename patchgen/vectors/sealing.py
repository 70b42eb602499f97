"""Writing `data/`: the digests of generated cases and the consolidated digest of each group.

Run `python -m patchgen.vectors.sealing` after cases or figures were added: every vector is
cross-validated first, and nothing is written unless all agree.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec

from patchgen.errors import ChecksFailedError
from patchgen.vectors import cases, store
from patchgen.vectors.check import check_vector
from patchgen.vectors.model import Vector, consolidated, seal


def generated_document() -> store.DocumentRecord:
    """`generated.json` as the cases and implementations of today make it."""
    return store.DocumentRecord(
        document="generated edge cases (patchgen.vectors.cases)",
        groups=[_generated_group(name, algorithm) for name, algorithm in cases.GROUPS.items()],
    )


def _generated_group(name: str, algorithm: str) -> store.GroupRecord:
    label = f"{store.GENERATED}/{name}"
    vectors = [store.computed(case.vector(label, algorithm)) for case in cases.cases_of(name)]
    _agree(vectors)
    seals = {v.name.rpartition("/")[2]: seal(v).hex() for v in vectors}
    return store.GroupRecord(name, algorithm, consolidated(vectors).hex(), seals=seals)


def sealed_document(name: str) -> store.DocumentRecord:
    """A standard's document with the consolidated digest of each group put right."""
    record = store.read_document(store.DATA / f"{name}.json")
    groups = []
    for group_record, group in zip(record.groups, store.document(name), strict=True):
        _agree(group.vectors)
        groups.append(msgspec.structs.replace(
            group_record, digest=consolidated(group.vectors).hex()
        ))
    return store.DocumentRecord(record.document, groups)


def encode(record: store.DocumentRecord) -> bytes:
    """A document as it is written: indented JSON with a newline at the end."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def _agree(vectors: list[Vector] | tuple[Vector, ...]) -> None:
    for vector in vectors:
        result = check_vector(replace(vector, seal=b""))
        if not result.ok:
            raise ChecksFailedError(result.messages()[0])


def write_all(folder: Path = store.DATA) -> None:
    """Write every document anew; raises `ChecksFailedError` before writing anything wrong."""
    documents = {name: sealed_document(name) for name in store.document_names()
                 if name != store.GENERATED}
    documents[store.GENERATED] = generated_document()
    for name, record in documents.items():
        (folder / f"{name}.json").write_bytes(encode(record))


if __name__ == "__main__":
    write_all()
