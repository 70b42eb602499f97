"""Requests that the engine model in the kernel printed, run again by the model in Python."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from patchgen.kernel.evidence import Result
from reference.realtek_engine import (
    CLOCK,
    COMMAND,
    CONTROL,
    DESTINATION,
    DESTINATION_BYTES,
    DESTINATION_DONE,
    DIGEST_OFFSET,
    END_OF_RING,
    POLL,
    SOURCE,
    SOURCE_BYTES,
    RealtekEngine,
    SparseMemory,
)

_LINE = re.compile(r"engine-record: (?P<what>\w+) (?P<rest>.*)$")
_SOURCE_RING, _DESTINATION_RING = 0xF0000000, 0xF8000000
"""Where the rings are put: the rings' own addresses are not recorded."""


@dataclass
class Recorded:
    """One request with its result, as the kernel module saw it."""

    source_slot: int
    destination_slot: int
    slots: list[tuple[int, bytes]] = field(default_factory=list)
    """Slot and its 16 bytes."""
    destination: tuple[int, int] = (0, 0)
    memory: list[tuple[int, bytes]] = field(default_factory=list)
    output: tuple[int, bytes] | None = None
    digest: bytes | None = None
    next_slot: int = 0


def read_records(lines: Iterable[str]) -> tuple[Recorded, ...]:
    """The requests of a console log that were printed to their end."""
    found: list[Recorded] = []
    now: Recorded | None = None
    for line in lines:
        match = _LINE.search(line)
        if match is None:
            continue
        what, words = match["what"], match["rest"].split()
        if what == "begin":
            now = Recorded(int(words[1]), int(words[3]))
        elif now is None:
            continue
        elif what == "slot":
            now.slots.append((int(words[0]), bytes.fromhex("".join(words[1:]))))
        elif what == "destination":
            now.destination = (int(words[0], 16), int(words[1], 16))
        elif what == "memory":
            now.memory.append((int(words[0], 16), bytes.fromhex(words[1])))
        elif what == "output":
            now.output = (int(words[0], 16), bytes.fromhex(words[1]))
        elif what == "digest":
            now.digest = bytes.fromhex(words[1])
        elif what == "end":
            now.next_slot = int(words[1])
            found.append(now)
            now = None
    return tuple(found)


def replay(record: Recorded) -> str | None:
    """Run a request through the Python model; returns how they differ, None if they agree."""
    memory = SparseMemory()
    for address, data in record.memory:
        memory.write(address, data)
    for slot in (0, record.next_slot):
        memory.write(_SOURCE_RING + SOURCE_BYTES * slot, bytes(SOURCE_BYTES))
    for slot, data in record.slots:
        memory.write(_SOURCE_RING + SOURCE_BYTES * slot, data)
    place = _DESTINATION_RING + DESTINATION_BYTES * record.destination_slot
    word0, address = record.destination
    memory.write(place, word0.to_bytes(4, "big") + address.to_bytes(4, "big") + bytes(24))

    engine = RealtekEngine(memory)
    engine.write(CONTROL, CLOCK | 0b11111 << 11)
    engine.write(SOURCE, _SOURCE_RING)
    engine.write(DESTINATION, _DESTINATION_RING)
    engine.source_index = record.source_slot
    engine.destination_index = record.destination_slot
    engine.write(COMMAND, POLL)
    if engine.status != DESTINATION_DONE:
        return f"refused: {'; '.join(engine.refusals) or hex(engine.status)}"
    if engine.source_index != record.next_slot:
        return f"stopped at slot {engine.source_index}, not {record.next_slot}"
    if engine.destination_index != (0 if word0 & END_OF_RING else record.destination_slot + 1):
        return f"is at destination {engine.destination_index}"
    if record.output is not None:
        where, wanted = record.output
        if memory.read(where, len(wanted)) != wanted:
            return f"{len(wanted)} bytes of output differ"
    if record.digest is None:
        return None
    digest = memory.read(place + DIGEST_OFFSET, len(record.digest))
    return None if digest == record.digest else "the digests differ"


def replay_result(where: str, lines: Iterable[str]) -> Result:
    """Replay everything that a boot recorded, as one result."""
    records = read_records(lines)
    differences = [f"request {n}: {why}" for n, record in enumerate(records, 1)
                   if (why := replay(record)) is not None]
    if not records:
        differences = ["no request was recorded"]
    return Result("replay", where, "failed" if differences else "passed",
                  differences[0] if differences else
                  f"{len(records)} requests: the models in C and Python agree",
                  log=tuple(differences[:20]))
