"""Call one arm64 routine by its C prototype and see everything it touches.

Rules checked on each call (Procedure Call Standard for the Arm 64-bit Architecture,
IHI 0055, "Machine registers"): x19-x29, sp and the low halves of v8-v15 come back as they
were, x18 (the kernel's shadow call stack) is not written, arguments of 32 bits arrive with
undefined upper halves. Buffers lie against unmapped pages, so that one byte too many in
the direction of their placement is a fault.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from patchgen.emulator.assemble import Image
from patchgen.errors import PatchgenError, ToolMissingError

PAGE = 0x1000
BUFFERS = 0x2000_0000
STACK_TOP = 0x1000_0000
STACK_SIZE = 0x10000
TASK = 0x1800_0000
PER_CPU = 0x1900_0000
RETURN = 0x03FF_F000
STEP_LIMIT = 40_000_000

Placement = Literal["start", "end"]


class RoutineError(PatchgenError):
    """The routine broke a rule; the message says which and where."""


@dataclass(frozen=True, slots=True)
class Int32:
    """A 32-bit argument: its register's upper half is undefined (filled with noise)."""

    value: int


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory that the routine may touch: ``address`` and ``size`` in bytes."""

    name: str
    address: int
    size: int


@dataclass
class Result:
    """What a call left: x0, and how often each stub was called."""

    x0: int
    calls: dict[str, int] = field(default_factory=dict)

    @property
    def w0(self) -> int:
        """The lower 32 bits of x0, as an unsigned number."""
        return self.x0 & 0xFFFF_FFFF


Stub = Callable[["Machine"], None]


class Machine:
    """One emulated CPU with an image loaded; ``buffer`` and ``call`` as often as wanted."""

    def __init__(
        self, image: Image, *, stubs: Mapping[str, Stub] | None = None, seed: int = 1,
        task: Mapping[int, bytes] | None = None,
    ) -> None:
        """``stubs`` replace functions by name; ``task`` sets bytes of the current task."""
        if importlib.util.find_spec("unicorn") is None:
            raise ToolMissingError("unicorn", "pip install 'patchgen[emulate]'",
                                   why="it runs arm64 routines")
        self.unicorn: Any = importlib.import_module("unicorn")
        self.reg: Any = importlib.import_module("unicorn.arm64_const")
        self.image = image
        self.random = random.Random(seed)
        self.cpu = self.unicorn.Uc(self.unicorn.UC_ARCH_ARM64, self.unicorn.UC_MODE_ARM)
        self.cpu.ctl_set_cpu_model(self.reg.UC_CPU_ARM64_MAX)
        self._mapped: list[tuple[int, int]] = []
        self._next = BUFFERS
        self._load()
        self.calls: dict[str, int] = {}
        self._yielded = False
        for name, stub in (stubs or {}).items():
            self._hook(name, stub)
        for offset, data in (task or {}).items():
            self.cpu.mem_write(TASK + offset, data)

    def _load(self) -> None:
        for segment in self.image.segments:
            start = segment.address & ~(PAGE - 1)
            end = -(-(segment.address + max(segment.size, 1)) // PAGE) * PAGE
            for page in range(start, end, PAGE):
                if not any(page == mapped for mapped, _ in self._mapped):
                    self.cpu.mem_map(page, PAGE)
                    self._mapped.append((page, PAGE))
            self.cpu.mem_write(segment.address, segment.data)
        self.cpu.mem_map(RETURN, PAGE)
        self.cpu.mem_map(STACK_TOP - STACK_SIZE, STACK_SIZE + PAGE)
        self.cpu.mem_map(TASK, PAGE * 4)
        self.cpu.mem_map(PER_CPU, PAGE)
        # CPACR_EL1.FPEN: no trap of FP and SIMD at EL1 (Arm ARM DDI 0487, D19.2).
        self.cpu.reg_write(self.reg.UC_ARM64_REG_CPACR_EL1, 3 << 20)
        self.cpu.reg_write(self.reg.UC_ARM64_REG_SP_EL0, TASK)
        self.cpu.reg_write(self.reg.UC_ARM64_REG_TPIDR_EL1, PER_CPU)

    def _hook(self, name: str, stub: Stub) -> None:
        address = self.image.symbols[name]

        def entered(*_: object) -> None:
            self.calls[name] = self.calls.get(name, 0) + 1
            stub(self)

        self.cpu.hook_add(self.unicorn.UC_HOOK_CODE, entered, begin=address, end=address)

    def buffer(
        self, content: bytes | int, *, name: str = "buffer", placement: Placement = "end"
    ) -> Buffer:
        """Memory with unmapped pages on both sides; ``content`` is its bytes or its size.

        ``placement`` says which edge lies exactly at a page border.
        """
        data = self.random.randbytes(content) if isinstance(content, int) else content
        size = len(data)
        pages = max(1, -(-size // PAGE)) * PAGE
        start = self._next
        self.cpu.mem_map(start, pages)
        self._mapped.append((start, pages))
        self._next = start + pages + 2 * PAGE
        address = start if placement == "start" else start + pages - size
        self.cpu.mem_write(start, self.random.randbytes(pages))
        self.cpu.mem_write(address, data)
        return Buffer(name, address, size)

    def read(self, buffer: Buffer) -> bytes:
        """What is in a buffer now."""
        return bytes(self.cpu.mem_read(buffer.address, buffer.size))

    def write(self, buffer: Buffer, data: bytes) -> None:
        """Put bytes at the start of a buffer."""
        self.cpu.mem_write(buffer.address, data)

    def free_buffers(self) -> None:
        """Unmap all buffers; the next call starts with fresh ones."""
        for start, pages in [m for m in self._mapped if m[0] >= BUFFERS]:
            self.cpu.mem_unmap(start, pages)
            self._mapped.remove((start, pages))
        self._next = BUFFERS

    def wipe_for_yield(self) -> None:
        """Overwrite what kernel_neon_end() and kernel_neon_begin() may lose.

        All vector registers, and every register that a C function may change (x0-x17).
        """
        self._yielded = True
        for number in range(32):
            self._set_vector(number, self.random.getrandbits(128))
        for number in range(18):
            self._set_x(number, self.random.getrandbits(64))

    def _set_x(self, number: int, value: int) -> None:
        base = self.reg.UC_ARM64_REG_X0 if number <= 28 else self.reg.UC_ARM64_REG_X29 - 29
        self.cpu.reg_write(base + number, value & (2**64 - 1))

    def _get_x(self, number: int) -> int:
        base = self.reg.UC_ARM64_REG_X0 if number <= 28 else self.reg.UC_ARM64_REG_X29 - 29
        return int(self.cpu.reg_read(base + number))

    def _set_vector(self, number: int, value: int) -> None:
        self.cpu.reg_write(self.reg.UC_ARM64_REG_Q0 + number, value)

    def _get_vector(self, number: int) -> int:
        return int(self.cpu.reg_read(self.reg.UC_ARM64_REG_Q0 + number))

    def call(self, symbol: str, *arguments: int | Int32 | Buffer | None) -> Result:
        """Call a function; raises ``RoutineError`` for a fault or a broken register rule.

        ``None`` is a null pointer. Arguments past the eighth go to the stack.
        """
        if symbol not in self.image.symbols:
            raise RoutineError(f"{symbol}: not in the image")
        values = [self._value(argument) for argument in arguments]
        stack = STACK_TOP - ((len(values[8:]) * 8 + 15) & ~15)
        for slot, value in enumerate(values[8:]):
            self.cpu.mem_write(stack + 8 * slot, struct.pack("<Q", value))
        for number in range(30):
            self._set_x(number, self.random.getrandbits(64))
        for number in range(32):
            self._set_vector(number, self.random.getrandbits(128))
        for number, value in enumerate(values[:8]):
            self._set_x(number, value)
        self.cpu.reg_write(self.reg.UC_ARM64_REG_SP, stack)
        self.cpu.reg_write(self.reg.UC_ARM64_REG_LR, RETURN)
        saved = self._callee_saved()
        self.calls = {}
        self._yielded = False
        self._run(symbol)
        self._check_callee_saved(symbol, saved)
        return Result(self._get_x(0), dict(self.calls))

    def _value(self, argument: int | Int32 | Buffer | None) -> int:
        if argument is None:
            return 0
        if isinstance(argument, Buffer):
            return argument.address
        if isinstance(argument, Int32):
            return (self.random.getrandbits(32) << 32) | (argument.value & 0xFFFF_FFFF)
        return argument & (2**64 - 1)

    def _run(self, symbol: str) -> None:
        try:
            self.cpu.emu_start(self.image.symbols[symbol], RETURN, count=STEP_LIMIT)
        except self.unicorn.UcError as error:
            pc = int(self.cpu.reg_read(self.reg.UC_ARM64_REG_PC))
            raise RoutineError(f"{symbol}: {error} at {self.where(pc)}") from error
        pc = int(self.cpu.reg_read(self.reg.UC_ARM64_REG_PC))
        if pc != RETURN:
            raise RoutineError(f"{symbol}: does not return, was at {self.where(pc)}")

    def where(self, address: int) -> str:
        """``symbol+0x10`` for an address in the image."""
        before = [(a, name) for name, a in self.image.symbols.items() if a <= address]
        if not before:
            return f"{address:#x}"
        start, name = max(before)
        return f"{name}+{address - start:#x}"

    def _callee_saved(self) -> dict[str, int]:
        saved = {f"x{number}": self._get_x(number) for number in range(18, 30)}
        saved["sp"] = int(self.cpu.reg_read(self.reg.UC_ARM64_REG_SP))
        for number in range(8, 16):
            saved[f"d{number}"] = self._get_vector(number) & (2**64 - 1)
        return saved

    def _check_callee_saved(self, symbol: str, before: Mapping[str, int]) -> None:
        # Kernel C holds nothing in vector registers, and a yield gives all of them away.
        changed = [
            name for name, value in self._callee_saved().items()
            if before[name] != value and not (self._yielded and name.startswith("d"))
        ]
        if changed:
            raise RoutineError(f"{symbol}: does not preserve {', '.join(changed)}")


def expect(symbol: str, what: str, got: bytes, wanted: bytes) -> None:
    """Raise ``RoutineError`` with the first differing byte when two results differ."""
    if got == wanted:
        return
    first = next((i for i, (a, b) in enumerate(zip(got, wanted, strict=False)) if a != b),
                 min(len(got), len(wanted)))
    raise RoutineError(
        f"{symbol}: {what} differs from byte {first}: got {got[first : first + 16].hex()}, "
        f"wanted {wanted[first : first + 16].hex()}")


