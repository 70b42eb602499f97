"""Every entry point of the AES block modes and of bit-sliced AES, in every state."""

from __future__ import annotations

import os
import random
import struct
from collections.abc import Iterator

import pytest

from patchgen.emulator import cases_aes, cases_aesbs, suite, units
from patchgen.emulator.assemble import Image, assemble
from patchgen.emulator.machine import RoutineError
from patchgen.emulator.units import DEFINES, FEATURES, State, Unit
from reference.key_layouts import encryption_schedule

pytest.importorskip("unicorn", reason="needs: pip install 'patchgen[emulate]'")
pytest.importorskip("ziglang", reason="needs: pip install 'patchgen[asm]'")

THOROUGH = bool(os.environ.get("PATCHGEN_THOROUGH"))
ROUTINES = [*cases_aes.routines(), *cases_aesbs.routines()]
UNITS = list(dict.fromkeys(routine.unit for routine in ROUTINES))
FINAL = frozenset(FEATURES) - {"arm64.yield_always"}
NOP = struct.pack("<I", 0xD503201F)


def states(unit: Unit) -> Iterator[State]:
    """All of both kernels, or the first, the last and the one with forced yields."""
    if THOROUGH:
        yield from units.states(unit, "6.1")
        yield from units.states(unit, "6.12")
        return
    on = FINAL & set(unit.features)
    yield from (State("6.1"), State("6.1", on), State("6.1", on, forced=True), State("6.12", on))


@pytest.mark.parametrize(
    ("unit", "state"), [(unit, state) for unit in UNITS for state in states(unit)],
    ids=lambda value: value.file if isinstance(value, Unit) else suite.describe(value))
def test_routines_agree_with_the_reference(unit: Unit, state: State) -> None:
    for routine in (r for r in ROUTINES if r.unit == unit):
        assert suite.run(routine, state, thorough=THOROUGH) >= 3


def test_there_are_cases_for_all_entry_points() -> None:
    for unit in UNITS:
        symbols = units.image(unit, "6.1", frozenset()).symbols
        prefixes = ("ce_aes_", "neon_aes_", "aesbs_")
        inner = {"aesbs_encrypt8", "aesbs_decrypt8"}
        entries = {name for name in symbols if name.startswith(prefixes)} - inner
        assert entries == {routine.symbol for routine in ROUTINES if routine.unit == unit}


@pytest.mark.parametrize("core", cases_aes.CORES, ids=lambda core: core.prefix)
def test_without_interleave_the_base_does_one_block_at_a_time(core: cases_aes.Core) -> None:
    narrow = units.image_from(core.unit, State("6.1"), defines=(*DEFINES, "INTERLEAVE=1"))
    wide = units.image(core.unit, "6.1", frozenset())
    assert "aes_enc_wide" in wide.symbols
    assert "aes_enc_wide" not in narrow.symbols
    for routine in (r for r in ROUTINES if r.unit == core.unit):
        suite.run(routine, State("6.1"), image=narrow)


def text_of(data: bytes) -> tuple[int, int]:
    """Offset and size of the section .text in an object file."""
    import io

    from elftools.elf.elffile import ELFFile

    section = ELFFile(io.BytesIO(data)).get_section_by_name(".text")
    return int(section["sh_offset"]), int(section["sh_size"])


def caught(unit: Unit, state: State, image: Image) -> bool:
    """Whether any case of any routine of the unit fails."""
    for routine in (r for r in ROUTINES if r.unit == unit):
        try:
            suite.run(routine, state, image=image)
        except RoutineError:
            return True
    return False


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.file)
def test_an_instruction_less_is_noticed(unit: Unit) -> None:
    state = State("6.1", FINAL & set(unit.features), forced=True)
    data = assemble(units.source(unit, state))
    start, size = text_of(data)
    # A landing pad and the instruction that is already nothing change nothing when removed.
    hint = (0xD503201F, 0xD503245F)
    places = [start + at for at in range(0, size, 4)
              if struct.unpack_from("<I", data, start + at)[0] not in hint]
    chosen = random.Random(5).sample(places, 100 if THOROUGH else 2)
    missed = [
        hex(place - start) for place in chosen
        if not caught(unit, state, units.image_from(
            unit, state, lambda text, at=place: text[:at] + NOP + text[at + 4 :]))
    ]
    assert len(missed) <= len(chosen) // 20, missed


def test_the_sliced_key_of_fips_197() -> None:
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    sliced = cases_aesbs.converted(key)
    schedule = encryption_schedule(key)
    assert len(sliced) == 32 + 9 * 128
    assert sliced[:16] == key
    assert sliced[-16:] == bytes(byte ^ 0x63 for byte in schedule[-16:])
    # w4 = a0fafe17 (appendix A.1): the first byte is row 0, column 0; bit 0 of a0 ^ 63 is set.
    first_bits = [sliced[16 + 16 * bit] for bit in range(8)]
    assert [value // 255 for value in first_bits] == [(0xA0 ^ 0x63) >> bit & 1 for bit in range(8)]


def test_a_tweak_is_multiplied_by_x() -> None:
    assert cases_aes.next_tweak(b"\x01" + bytes(15)) == b"\x02" + bytes(15)
    assert cases_aes.next_tweak(bytes(15) + b"\x80") == b"\x87" + bytes(15)
    assert cases_aes.next_tweak(b"\x01" + bytes(15), 127) == bytes(15) + b"\x80"
