"""The routines of GHASH and GCM after every patch that changes them, against the reference."""

from __future__ import annotations

import os

import pytest

from patchgen.emulator import cases_gcm, cases_ghash, suite, units
from patchgen.emulator.cases_aes import schedule
from patchgen.emulator.machine import Machine, RoutineError
from patchgen.emulator.suite import Bench, Routine
from patchgen.emulator.units import State
from reference.aes import AES
from reference.gcm import gcm_encrypt
from reference.ghash import GHASH

pytest.importorskip("unicorn", reason="pip install 'patchgen[emulate]'")
pytest.importorskip("ziglang", reason="pip install 'patchgen[asm]'")

THOROUGH = bool(os.environ.get("PATCHGEN_THOROUGH"))
ROUTINES = [*cases_ghash.routines(), *cases_gcm.routines()]
STATES = [
    pytest.param(routine, state, id=f"{routine.symbol}: {suite.describe(state)}")
    for routine in ROUTINES
    for kernel in ("6.1", "6.12")
    for state in units.states(routine.unit, kernel)
]
YIELDING = State("6.1", frozenset({cases_ghash.FEATURE}), forced=True)


@pytest.mark.parametrize(("routine", "state"), STATES)
def test_routine_agrees_with_the_reference(routine: Routine, state: State) -> None:
    assert suite.run(routine, state, thorough=THOROUGH) > 0


def _bench() -> Bench:
    image = units.image(cases_ghash.UNIT, YIELDING.kernel, YIELDING.features)
    machine = Machine(image, stubs=suite.WIPE, task=YIELDING.task)
    return Bench(machine, YIELDING, machine.random)


@pytest.mark.parametrize(("kind", "blocks", "wanted"), [
    (cases_ghash.KINDS[0], 71, 0), (cases_ghash.KINDS[0], 72, 1), (cases_ghash.KINDS[0], 136, 2),
    (cases_ghash.KINDS[1], 4, 0), (cases_ghash.KINDS[1], 5, 1), (cases_ghash.KINDS[1], 13, 3),
], ids=lambda value: getattr(value, "symbol", str(value)))
def test_long_hashes_yield_on_the_way(kind: cases_ghash.Kind, blocks: int, wanted: int) -> None:
    bench = _bench()
    h, data = bytes(range(16)), bytes(range(256)) * 9
    dg = bench.buffer(bytes(16), "dg", align=8)
    result = bench.call(kind.symbol, blocks, dg, bench.buffer(data[: 16 * blocks]),
                        bench.buffer(kind.table(h), align=8), None)
    assert result.calls.get("kernel_neon_end", 0) == wanted
    value = int.from_bytes(GHASH(h, data[: 16 * blocks]).final(), "big")
    assert bench.read(dg) == cases_ghash.state_of(value)


def test_a_message_of_the_standard_encrypts_in_one_call() -> None:
    """Against ``reference.gcm``, which the standard's vectors hold, with five yields in it."""
    bench = _bench()
    key, nonce, data = bytes(range(32)), bytes(range(12)), bytes(range(256)) * 11
    wanted, tag = gcm_encrypt(key, nonce, b"", data)
    cipher = AES(key)
    source = bench.buffer(data, "data")
    made = bench.buffer(bytes(8) + (8 * len(data)).to_bytes(8, "big"), "tag")
    result = bench.call(
        "pmull_gcm_encrypt", len(data), source, source,
        bench.buffer(cases_ghash.table_p64(cipher.encrypt_block(bytes(16))), align=8),
        bench.buffer(bytes(16), align=8), bench.buffer(nonce + b"\0\0\0\2"),
        schedule(bench, key), 14, made)
    assert bench.read(source) == wanted
    assert bench.read(made) == tag
    assert result.calls["kernel_neon_begin"] == cases_gcm.chances(len(data)) == 5


def test_cases_find_a_table_in_the_wrong_order(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = cases_ghash.KINDS[0]
    swapped = cases_ghash.Kind(kind.symbol, lambda h: kind.table(h)[16:] + kind.table(h)[:16],
                               kind.chances)
    monkeypatch.setattr(cases_ghash, "KINDS", (swapped,))
    routine = next(iter(cases_ghash.routines()))
    with pytest.raises(RoutineError, match="hash differs"):
        suite.run(routine, State("6.1"))
