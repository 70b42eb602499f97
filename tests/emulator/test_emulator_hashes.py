"""Every entry point of the hash and checksum drivers, after every patch that changes it."""

from __future__ import annotations

import os
import struct

import pytest

from patchgen.emulator import cases_chacha, cases_crc, cases_sha, suite, units
from patchgen.emulator.machine import RoutineError
from patchgen.emulator.suite import Routine
from patchgen.emulator.units import State

pytest.importorskip("unicorn", reason="pip install 'patchgen[emulate]'")
pytest.importorskip("ziglang", reason="pip install 'patchgen[asm]'")

THOROUGH = bool(os.environ.get("PATCHGEN_THOROUGH"))
ROUTINES = [*cases_sha.routines(), *cases_crc.routines(), *cases_chacha.routines()]
STATES = [
    pytest.param(routine, state, id=f"{routine.symbol}: {suite.describe(state)}")
    for routine in ROUTINES
    for kernel in ("6.1", "6.12")
    for state in units.states(routine.unit, kernel)
]


@pytest.mark.parametrize(("routine", "state"), STATES)
def test_routine_agrees_with_the_reference(routine: Routine, state: State) -> None:
    assert suite.run(routine, state, thorough=THOROUGH) > 0


@pytest.mark.parametrize("routine", ROUTINES, ids=lambda routine: routine.symbol)
def test_cases_find_a_nop_in_the_middle(routine: Routine) -> None:
    """The middle of these routines is always computation that matters."""
    state = State("6.1")

    def edit(data: bytes) -> bytes:
        instruction = middle_instruction(data, routine.symbol)
        return data[:instruction] + struct.pack("<I", 0xD503201F) + data[instruction + 4 :]

    image = units.image_from(routine.unit, state, edit)
    with pytest.raises(RoutineError, match=routine.symbol):
        suite.run(routine, state, image=image)


def middle_instruction(data: bytes, symbol: str) -> int:
    """Offset in an object file of the instruction halfway through a routine."""
    import io

    from elftools.elf.elffile import ELFFile

    elf = ELFFile(io.BytesIO(data))
    (entry,) = elf.get_section_by_name(".symtab").get_symbol_by_name(symbol)
    section = elf.get_section(entry["st_shndx"])
    return int(section["sh_offset"] + entry["st_value"] + entry["st_size"] // 8 * 4)
