"""Architectures that verify builds for, and the boards that QEMU boots."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from patchgen import process

FRAGMENTS = Path(__file__).resolve().parent / "fragments"


@dataclass(frozen=True, slots=True)
class Arch:
    """One architecture as the kernel's top Makefile knows it."""

    name: str
    karch: str
    """``ARCH=`` of make."""
    prefix: str
    """``CROSS_COMPILE=`` of make; empty for the native compiler."""
    source: str
    """Folder below ``arch/``."""
    byte_order: tuple[str, ...] = ()
    """Configuration lines that choose the byte order."""

    @property
    def compiler(self) -> str:
        """The C compiler's name."""
        return f"{self.prefix}gcc"


ARCHES = {
    arch.name: arch
    for arch in (
        Arch("mips", "mips", "mips-linux-gnu-", "mips", ("CONFIG_CPU_BIG_ENDIAN=y",)),
        Arch("mipsel", "mips", "mipsel-linux-gnu-", "mips", ("CONFIG_CPU_LITTLE_ENDIAN=y",)),
        Arch("arm64", "arm64", "aarch64-linux-gnu-", "arm64", ("CONFIG_CPU_LITTLE_ENDIAN=y",)),
        Arch("arm64be", "arm64", "aarch64-linux-gnu-", "arm64", ("CONFIG_CPU_BIG_ENDIAN=y",)),
        Arch("arm", "arm", "arm-linux-gnueabihf-", "arm"),
        Arch("x86_64", "x86_64", "", "x86", ("CONFIG_64BIT=y",)),
    )
}


@dataclass(frozen=True, slots=True)
class Board:
    """A machine of QEMU: how to build for it and how to start it."""

    name: str
    arch: str
    image: str
    """The image below the build folder."""
    target: str
    """The make target that builds it."""
    qemu: tuple[str, ...]
    console: str
    fragments: tuple[str, ...]
    init_flags: tuple[str, ...] = ()
    """Flags for the program of the initrd, besides those of every board."""


BOARDS = {
    board.name: board
    for board in (
        Board("malta", "mips", "vmlinux", "vmlinux",
              ("qemu-system-mips", "-M", "malta", "-cpu", "24Kf", "-m", "256", "-vga", "none"),
              "ttyS0", ("malta",), ("-mno-abicalls", "-G0", "-msoft-float")),
        Board("virt", "arm64", "arch/arm64/boot/Image", "Image",
              ("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a57", "-smp", "2",
               "-m", "768"),
              "ttyAMA0", ("virt",)),
    )
}

BOOT_FRAGMENTS = ("boot", "crypto-tests", "debug")
"""On every kernel that is booted, before the board's own."""


def fragment_lines(name: str) -> tuple[str, ...]:
    """The configuration lines of a fragment; comments that set nothing are left out."""
    text = (FRAGMENTS / f"{name}.config").read_text("utf-8")
    return tuple(line for line in text.splitlines()
                 if line.startswith("CONFIG_") or line.endswith(" is not set"))


def fragment_names() -> tuple[str, ...]:
    """The names of all fragments, sorted."""
    return tuple(sorted(file.stem for file in FRAGMENTS.glob("*.config")))


def require_build_tools(arch: Arch) -> None:
    """Raise ``ToolMissingError`` for the first tool that a kernel build needs and lacks."""
    for tool in ("make", "gcc", "flex", "bison", "bc", "perl"):
        process.find_tool(tool, why="building a kernel needs it")
    if arch.prefix:
        process.find_tool(arch.compiler, why=f"builds for {arch.name}")
