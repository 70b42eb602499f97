"""Cases for routines, and the run of them: one call of one entry point at a time.

Modules named ``cases_*`` in this package give ``routines()``; each routine names its entry
point, its unit and its cases. A case calls the routine through a ``Bench`` and raises
``RoutineError`` when a result, a buffer or the number of yields is wrong.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from patchgen.emulator import units
from patchgen.emulator.assemble import Image
from patchgen.emulator.machine import Buffer, Int32, Machine, Placement, Result, RoutineError
from patchgen.emulator.units import State, Unit

Argument = int | Int32 | Buffer | None


@dataclass
class Bench:
    """What a case works with: buffers, calls, randomness, and the state under test."""

    machine: Machine
    state: State
    random: random.Random
    result: Result = field(default_factory=lambda: Result(0))

    def buffer(self, content: bytes | int, name: str = "buffer", *, align: int = 1,
               placement: Placement | None = None) -> Buffer:
        """Memory against an unmapped page: before it or after it, as chance decides.

        ``align`` is for memory that C gives with an alignment; its size must be a multiple.
        """
        if placement is None:
            placement = "end" if self.random.random() < 0.5 else "start"
        made = self.machine.buffer(content, name=name, placement=placement)
        if made.address % align:
            raise ValueError(f"{name}: {made.size} bytes cannot be aligned to {align}")
        return made

    def call(self, symbol: str, *arguments: Argument) -> Result:
        """Call and remember the result; see ``Machine.call`` for the rules checked."""
        self.result = self.machine.call(symbol, *arguments)
        return self.result

    def read(self, buffer: Buffer) -> bytes:
        """What is in a buffer now."""
        return self.machine.read(buffer)

    def expect(self, what: str, got: bytes, wanted: bytes) -> None:
        """Raise ``RoutineError`` with the first differing byte when two results differ."""
        if got == wanted:
            return
        if len(got) != len(wanted):
            raise RoutineError(f"{what} has {len(got)} bytes, not {len(wanted)}")
        first = next(i for i, (a, b) in enumerate(zip(got, wanted, strict=True)) if a != b)
        raise RoutineError(f"{what} differs from byte {first}: got "
                           f"{got[first : first + 16].hex()}, "
                           f"wanted {wanted[first : first + 16].hex()}")

    def expect_yields(self, feature: str, chances: int) -> None:
        """Raise ``RoutineError`` unless the last call yielded at each of its chances."""
        wanted = chances if self.state.yields(feature) else 0
        for stub in ("kernel_neon_end", "kernel_neon_begin"):
            got = self.result.calls.get(stub, 0)
            if got != wanted:
                raise RoutineError(f"{got} calls of {stub}, not {wanted}")


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to try, with the words that say what it is."""

    name: str
    run: Callable[[Bench], None]


@dataclass(frozen=True, slots=True)
class Routine:
    """An entry point; ``cases(thorough)`` gives what to try, few of it when not thorough."""

    symbol: str
    unit: Unit
    cases: Callable[[bool], Iterable[Case]]


def all_routines() -> Iterator[Routine]:
    """The routines of every ``cases_*`` module of this package."""
    package = importlib.import_module("patchgen.emulator")
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        if module.startswith("cases_"):
            yield from importlib.import_module(f"patchgen.emulator.{module}").routines()


WIPE = dict.fromkeys(("kernel_neon_end", "kernel_neon_begin"), Machine.wipe_for_yield)
"""A yield loses every register that it may lose."""


@lru_cache(maxsize=4)
def _machine(unit: Unit, state: State) -> Machine:
    """One for all routines of a unit, as an emulator is slow to warm up."""
    image = units.image(unit, state.kernel, state.features)
    return Machine(image, stubs=WIPE, task=state.task)


def run(routine: Routine, state: State, *, thorough: bool = False, image: Image | None = None,
        seed: int = 1) -> int:
    """Run the cases of a routine in a state and return their number.

    Raises ``RoutineError`` naming routine, state and case. The same seed makes the same run.
    """
    if image is None:
        machine = _machine(routine.unit, state)
    else:
        machine = Machine(image, stubs=WIPE, task=state.task)
    salt = zlib.crc32(f"{routine.symbol}{sorted(state.features)}".encode())
    machine.random = random.Random(seed ^ salt)
    bench = Bench(machine, state, random.Random(seed ^ salt))
    count = 0
    for case in routine.cases(thorough):
        try:
            case.run(bench)
        except RoutineError as error:
            raise RoutineError(
                f"{routine.symbol} ({describe(state)}; {case.name}): {error}") from error
        finally:
            machine.free_buffers()
        count += 1
    return count


def describe(state: State) -> str:
    """A state in words: the kernel and the last feature switched on."""
    last = next((f for f in reversed(units.FEATURES) if f in state.features), "base")
    return f"{state.kernel}, {last}{', yields forced' if state.forced else ''}"
