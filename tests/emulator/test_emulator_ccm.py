"""The routines of CCM mode after every patch that changes them, against the reference."""

from __future__ import annotations

import os

import pytest

from patchgen.emulator import cases_ccm, suite, units
from patchgen.emulator.suite import Routine
from patchgen.emulator.units import State
from reference.aes import AES
from reference.ccm import ccm_encrypt

pytest.importorskip("unicorn", reason="pip install 'patchgen[emulate]'")
pytest.importorskip("ziglang", reason="pip install 'patchgen[asm]'")

THOROUGH = bool(os.environ.get("PATCHGEN_THOROUGH"))
ROUTINES = [*cases_ccm.routines()]
STATES = [
    pytest.param(routine, state, id=f"{routine.symbol}: {suite.describe(state)}")
    for routine in ROUTINES
    for kernel in ("6.1", "6.12")
    for state in units.states(routine.unit, kernel)
]


@pytest.mark.parametrize(("routine", "state"), STATES)
def test_routine_agrees_with_the_reference(routine: Routine, state: State) -> None:
    assert suite.run(routine, state, thorough=THOROUGH) > 0


def test_the_model_of_the_cases_makes_the_tags_of_the_standard() -> None:
    """Its B0, chain and keystream against ``reference.ccm``, which the standard's vectors hold."""
    key, nonce, aad, data = bytes(range(16)), bytes(range(13)), bytes(range(20)), bytes(37)
    cipher = AES(key)
    mac = bytes([0x79]) + nonce + len(data).to_bytes(2, "big")
    mac, filled = cases_ccm.absorb(cipher, mac, len(aad).to_bytes(2, "big"))
    mac, filled = cases_ccm.absorb(cipher, mac, aad, filled)
    assert filled == 6
    mac, _ = cases_ccm.absorb(cipher, mac, data)
    zero = bytes([1]) + nonce + bytes(2)
    tag = cases_ccm.xor(cipher.encrypt_block(mac), cipher.encrypt_block(zero))
    output = cases_ccm.xor(data, cases_ccm.keystream(cipher, zero, len(data)))
    assert (output, tag) == ccm_encrypt(key, nonce, aad, data)


@pytest.mark.parametrize(("size", "wanted"), [(0, 0), (256, 0), (271, 0), (272, 1), (528, 2)])
def test_yields_come_every_sixteenth_block(size: int, wanted: int) -> None:
    assert cases_ccm.chances(size) == wanted
