"""The emulator itself, and the frame and yield macros of the arm64 series under it."""

from __future__ import annotations

import struct

import pytest

pytest.importorskip("ziglang", reason="needs: pip install 'patchgen[asm]'")
pytest.importorskip("unicorn", reason="needs: pip install 'patchgen[emulate]'")

from patchgen.emulator.assemble import Image, Source, assemble, link
from patchgen.emulator.machine import Int32, Machine, RoutineError, expect
from patchgen.errors import InputError
from patchgen.profiles import profile_for
from patchgen.render import RenderContext, render

STUBS = "#include <linux/linkage.h>\n" + "".join(
    f"SYM_FUNC_START({name})\n\tret\nSYM_FUNC_END({name})\n"
    for name in ("kernel_neon_begin", "kernel_neon_end"))
ROUTINE = """
#include <linux/linkage.h>
#include <asm/assembler.h>
	.arch	armv8-a
SYM_FUNC_START(sum)
	frame_push	3, 32
	mov	x19, x0
	mov	w20, w1
	mov	x21, #0
0:	add	x21, x21, #1
	movi	v0.16b, #7
	if_will_cond_yield_neon
	str	q0, [sp, #.Lframe_local_offset]
	do_cond_yield_neon
	ldr	q0, [sp, #.Lframe_local_offset]
	endif_yield_neon
	umov	w2, v0.b[3]
	add	x21, x21, x2
	subs	w20, w20, #1
	b.ne	0b
	mov	x0, x21
	frame_pop
	ret
SYM_FUNC_END(sum)
"""


def macros(kernel: str, *features: str) -> str:
    context = RenderContext(profile_for(kernel), frozenset(features))
    return ("#include <asm/asm-offsets.h>\n" + render("parts", "arm64/frame.h", context)
            + render("parts", "arm64/yield.h", context))


def image_of(text: str, header: str = "", *defines: str) -> Image:
    source = Source("routine.S", text, headers=(("asm/assembler.h", header),), defines=defines)
    return link([assemble(source), assemble(Source("stubs.S", STUBS))])


@pytest.mark.parametrize(("kernel", "features", "defines", "count", "wanted", "yields"), [
    ("6.1", (), ("CONFIG_PREEMPTION=1",), 0x200, True, 5),
    ("6.1", (), ("CONFIG_PREEMPTION=1",), 0x200, False, 0),
    ("6.1", (), ("CONFIG_PREEMPTION=1",), 0x201, True, 0),
    ("6.1", (), ("CONFIG_PREEMPTION=1",), 1, True, 0),
    ("6.1", (), ("CONFIG_PREEMPTION=1", "CONFIG_PREEMPT_RT=1"), 1, True, 5),
    ("6.1", (), (), 0x200, True, 0),
    ("6.1", ("arm64.yield_always",), ("CONFIG_PREEMPTION=1",), 3, False, 5),
    ("6.12", (), ("CONFIG_PREEMPTION=1",), 0x200, True, 0),
    ("6.12", ("arm64.yield_always",), ("CONFIG_PREEMPTION=1",), 1, True, 0),
])
def test_when_a_yield_is_taken(
    kernel: str, features: tuple[str, ...], defines: tuple[str, ...], count: int, wanted: bool,
    yields: int
) -> None:
    wipe = {"kernel_neon_end": Machine.wipe_for_yield, "kernel_neon_begin": Machine.wipe_for_yield}
    machine = Machine(image_of(ROUTINE, macros(kernel, *features), *defines), stubs=wipe,
                      task={16: struct.pack("<II", count, 0 if wanted else 1)})
    result = machine.call("sum", 0, Int32(5))
    assert result.x0 == 5 * (1 + 7)
    assert result.calls == ({"kernel_neon_end": yields, "kernel_neon_begin": yields}
                            if yields else {})


@pytest.mark.parametrize("registers", range(11))
def test_a_frame_saves_what_it_says(registers: int) -> None:
    uses = "".join(f"\tmov\tx{19 + n}, #{n}\n" for n in range(registers))
    text = ("#include <linux/linkage.h>\n#include <asm/assembler.h>\nSYM_FUNC_START(f)\n"
            f"\tframe_push\t{registers}, 16\n{uses}"
            "\tstr\tx30, [sp, #.Lframe_local_offset + 8]\n"
            "\tframe_pop\n\tret\nSYM_FUNC_END(f)\n")
    Machine(image_of(text, macros("6.1"))).call("f")


@pytest.mark.parametrize(("lines", "message"), [
    ("frame_push 11\n", "between 0 and 10"), ("frame_push 1, 8\n", "multiple of 16"),
    ("frame_push 1\nframe_push 2\n", "still open"), ("frame_pop\n", "no frame is open"),
    ("frame_push 1\nframe_pop\nframe_pop\n", "no frame is open"),
])
def test_a_wrong_frame_does_not_assemble(lines: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        image_of("#include <asm/assembler.h>\n" + lines, macros("6.1"))


COPY = """
#include <linux/linkage.h>
SYM_FUNC_START(copy)
0:	ldrb	w3, [x1], #1
	strb	w3, [x0], #1
	subs	w2, w2, #1
	b.ne	0b
	ret
SYM_FUNC_END(copy)
SYM_FUNC_START(before)
	ldurb	w0, [x0, #-1]
	ret
SYM_FUNC_END(before)
SYM_FUNC_START(wide)
	mov	x0, x1
	ret
SYM_FUNC_END(wide)
SYM_FUNC_START(clobber)
	movi	v9.16b, #1
	mov	x19, #1
	mov	x18, #1
	ret
SYM_FUNC_END(clobber)
SYM_FUNC_START(ninth)
	ldr	x0, [sp]
	ret
SYM_FUNC_END(ninth)
SYM_FUNC_START(loop)
	b	loop
SYM_FUNC_END(loop)
"""


@pytest.fixture(scope="module")
def copy() -> Machine:
    return Machine(image_of(COPY))


@pytest.mark.parametrize("size", [1, 63, 64, 4096, 4097])
@pytest.mark.parametrize("placement", ["start", "end"])
def test_a_call_reads_and_writes_buffers(copy: Machine, size: int, placement: str) -> None:
    source, target = (copy.buffer(size, placement=placement) for _ in range(2))
    copy.call("copy", target, source, Int32(size))
    expect("copy", "target", copy.read(target), copy.read(source))
    copy.free_buffers()


def test_one_byte_too_many_is_a_fault(copy: Machine) -> None:
    with pytest.raises(RoutineError, match=r"WRITE_UNMAPPED.* at copy\+0x8"):
        copy.call("copy", copy.buffer(63), copy.buffer(64), Int32(64))
    with pytest.raises(RoutineError, match=r"READ_UNMAPPED.* at before"):
        copy.call("before", copy.buffer(16, placement="start"))


def test_the_upper_half_of_a_32_bit_argument_is_noise(copy: Machine) -> None:
    assert any(copy.call("wide", 0, Int32(5)).x0 != 5 for _ in range(4))
    assert copy.call("wide", 0, Int32(5)).w0 == 5


def test_callee_saved_registers(copy: Machine) -> None:
    with pytest.raises(RoutineError, match="does not preserve x18, x19, d9"):
        copy.call("clobber")


def test_the_ninth_argument_is_on_the_stack(copy: Machine) -> None:
    assert copy.call("ninth", *range(8), 0x1234).x0 == 0x1234


def test_expect_names_the_first_differing_byte() -> None:
    with pytest.raises(RoutineError, match="tag differs from byte 2: got 03, wanted 04"):
        expect("f", "tag", b"\1\2\3", b"\1\2\4")
