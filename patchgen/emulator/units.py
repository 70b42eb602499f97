"""From a template of the arm64 series to an image that runs, for one state of the series.

A state is a kernel and the features that patches have switched on so far. Rendering,
assembling and linking are cached, as most cases share a few images.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from patchgen.emulator.assemble import Image, Source, assemble, link, undefined_symbols
from patchgen.errors import InputError
from patchgen.profiles import profile_for
from patchgen.render import RenderContext, features_of, render

COMPONENT = "arm64"
FOLDER = "arch/arm64/crypto"

FEATURES = (
    "arm64.ccm_neon_in_loop", "arm64.blk_neon_in_loop", "arm64.bs_neon_in_loop",
    "arm64.chacha_neon_in_loop", "arm64.blk_fixed_interleave", "arm64.blk_cbc_4way",
    "arm64.blk_mac_4way", "arm64.sha256_neon_chunks", "arm64.sha1_yield", "arm64.sha2_yield",
    "arm64.ccm_yield", "arm64.blk_yield", "arm64.bs_yield", "arm64.ghash_yield",
    "arm64.crc32_yield", "arm64.crct10dif_yield", "arm64.yield_always",
)
"""The features in the order of the patches that switch them on."""

DEFINES = ("CONFIG_PREEMPTION=1",)
_STUBS = ("kernel_neon_begin", "kernel_neon_end")


@dataclass(frozen=True, slots=True)
class Unit:
    """One assembly file of ``arch/arm64/crypto``, and what it has to be linked with.

    ``includes`` are files beside it that it includes; ``data`` gives the bytes of symbols
    that C code or other objects define.
    """

    file: str
    includes: tuple[str, ...] = ()
    data: tuple[tuple[str, bytes], ...] = ()

    @property
    def features(self) -> tuple[str, ...]:
        """The features that change this file or its macros, in the order of the patches."""
        known: set[str] = {"arm64.yield_always"}
        for name in (self.file, *self.includes):
            known |= features_of(COMPONENT, f"{FOLDER}/{name}")
        unknown = known - set(FEATURES)
        if unknown:
            raise InputError(f"{self.file} asks for unknown features: {', '.join(unknown)}",
                             advice="name them in patchgen/emulator/units.py")
        return tuple(feature for feature in FEATURES if feature in known)


@dataclass(frozen=True, slots=True)
class State:
    """A kernel, the features switched on, and whether somebody always wants the CPU."""

    kernel: str
    features: frozenset[str] = frozenset()
    forced: bool = False

    def yields(self, feature: str) -> bool:
        """Whether a routine that yields with this feature takes every chance to."""
        if profile_for(self.kernel).neon_sections_preemptible or feature not in self.features:
            return False
        return self.forced or "arm64.yield_always" in self.features

    @property
    def task(self) -> dict[int, bytes]:
        """The current task: in a NEON section and nothing else, reschedule wanted or not."""
        return {16: struct.pack("<II", 0x200, 0 if self.forced else 1)}


def states(unit: Unit, kernel: str) -> Iterator[State]:
    """The base, and the state after each patch that changes ``unit``; yields forced last."""
    on: frozenset[str] = frozenset()
    yield State(kernel)
    for feature in unit.features:
        on |= {feature}
        yield State(kernel, on)
        if feature.endswith("_yield"):
            yield State(kernel, on, forced=True)


def macros(state: State) -> str:
    """The text of ``asm/assembler.h`` with our frame and yield macros in it."""
    context = RenderContext(profile_for(state.kernel), state.features)
    return ("#include <asm/asm-offsets.h>\n#include <asm/assembler-basics.h>\n"
            + render("parts", "arm64/frame.h", context)
            + render("parts", "arm64/yield.h", context))


def source(unit: Unit, state: State, defines: tuple[str, ...] = DEFINES) -> Source:
    """The rendered file with the headers it needs."""
    context = RenderContext(profile_for(state.kernel), state.features)

    def text(name: str) -> str:
        return render(COMPONENT, f"{FOLDER}/{name}", context)

    headers = [("asm/assembler.h", macros(state)), *((n, text(n)) for n in unit.includes)]
    return Source(unit.file, text(unit.file), tuple(headers), defines)


def _stub_source(unit: Unit) -> Source:
    lines = ["#include <linux/linkage.h>"]
    lines += [f"SYM_FUNC_START({n})\n\tret\nSYM_FUNC_END({n})" for n in _STUBS]
    lines.append('\t.section\t.rodata, "a"')
    for name, content in unit.data:
        values = ", ".join(map(str, content))
        lines.append(f"\t.balign\t64\n\t.globl\t{name}\n{name}:\n\t.byte\t{values}")
    return Source(f"stubs of {unit.file}", "\n".join(lines) + "\n")


Edit = Callable[[bytes], bytes]


@lru_cache(maxsize=64)
def image(unit: Unit, kernel: str, features: frozenset[str]) -> Image:
    """The linked image of a unit in a state; raises ``InputError`` when it does not build."""
    return image_from(unit, State(kernel, features))


def image_from(unit: Unit, state: State, edit: Edit | None = None,
               defines: tuple[str, ...] = DEFINES) -> Image:
    """As ``image``, with other preprocessor definitions, or the object changed by ``edit``."""
    data = assemble(source(unit, state, defines))
    missing = set(undefined_symbols(data)) - {*_STUBS, *(name for name, _ in unit.data)}
    if missing:
        raise InputError(f"needs {', '.join(sorted(missing))}", path=unit.file,
                         advice="give the unit their data")
    return link([edit(data) if edit else data, assemble(_stub_source(unit))])
