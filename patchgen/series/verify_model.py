"""The typed model of ``[verify]`` in ``series.toml``: on what a series has to prove itself."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

ArchName = Literal["mips", "mipsel", "arm64", "arm64be", "arm", "x86_64"]
BoardName = Literal["malta", "virt"]
ConfigLine = Annotated[
    str, msgspec.Meta(pattern=r"^(CONFIG_[A-Za-z0-9_]+=\S+|# CONFIG_[A-Za-z0-9_]+ is not set)$")
]
BuildName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=40)]


class BuildSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One configuration in which the folders that the series touches are built."""

    name: BuildName
    arch: ArchName
    options: tuple[ConfigLine, ...] = ()
    """On top of the options of the whole matrix; a later line wins."""
    base: Literal["tinyconfig", "defconfig", "allmodconfig"] = "tinyconfig"
    kernels: tuple[str, ...] = ()
    """Only on these versions; default: on all of the matrix."""


class BootSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One boot under QEMU: a board, what its kernel has on top, what its command line says."""

    name: BuildName
    board: BoardName
    fragments: tuple[str, ...] = ()
    """Fragments of ``patchgen/kernel/fragments``, without ``.config``."""
    options: tuple[ConfigLine, ...] = ()
    append: str = ""
    """Added to the kernel's command line."""
    kernels: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    """Only these stages; default: all."""


class EngineSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model of the hardware: a template component built next to the driver."""

    component: str
    folder: str
    """The driver's folder in the kernel tree; it is built as a module, unmodified."""
    module: str
    """The driver's module, without ``.ko``."""
    device: str
    """Name of the model's device on the platform bus."""
    driver: str
    """Name of the driver on the platform bus."""
    params: str = ""
    """Module parameters that send every request to the engine."""


class VerifyMatrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``patchgen verify`` does for a series."""

    kernels: tuple[str, ...]
    """Versions of kernels, as ``6.12``; other trees are refused."""
    options: tuple[ConfigLine, ...]
    """What switches the series on."""
    build: tuple[BuildSpec, ...]
    boot: tuple[BootSpec, ...] = ()
    algorithms: tuple[str, ...] = ()
    """Driver names in /proc/crypto that must have passed their self-tests."""
    engine: EngineSpec | None = None
    symbol: str | None = None
    """The series' own Kconfig symbol without ``CONFIG_``, for random configurations."""
    randconfigs: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0

    def __post_init__(self) -> None:
        for names in ([b.name for b in self.build], [b.name for b in self.boot]):
            twice = {name for name in names if names.count(name) > 1}
            if twice:
                raise ValueError(f"two entries are called {sorted(twice)[0]}")
        if self.randconfigs and not self.symbol:
            raise ValueError("randconfigs needs symbol")
