"""Kernel profiles: the facts of one kernel version that templates and checks depend on.

Sources: include/linux/platform_device.h, include/linux/crypto.h, crypto/engine.h,
arch/arm64/kernel/fpsimd.c and Documentation/ of the version named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from patchgen.errors import InputError


@dataclass(frozen=True, slots=True, order=True)
class KernelVersion:
    """``major.minor``, ordered as numbers."""

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> KernelVersion:
        """From ``6.12`` or ``6.12.3``; raises ``InputError`` for anything else."""
        match = re.fullmatch(r"v?(\d{1,3})\.(\d{1,4})(?:\.\d{1,5})?(?:-\S*)?", text.strip())
        if match is None:
            raise InputError(f"{text!r} is not a kernel version", advice="write it as 6.12")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


@dataclass(frozen=True, slots=True)
class KernelProfile:
    """What templates may ask about the kernel they are rendered for."""

    version: KernelVersion
    platform_remove_returns_void: bool
    """``.remove`` of platform drivers returns void (6.11; ``.remove_new`` in between)."""
    engine_alg_types: bool
    """Crypto engine algorithms are ``struct skcipher_engine_alg`` with their own ``op``
    (6.6); before, the tfm context starts with ``struct crypto_engine_ctx``."""
    unaligned_header: str
    """Header of get_unaligned_*(): ``asm/unaligned.h`` up to 6.11, then ``linux/unaligned.h``."""
    neon_sections_preemptible: bool
    """kernel_neon_begin() leaves preemption on (arm64, 6.8)."""

    def at_least(self, version: str) -> bool:
        """Whether the kernel is this version or a newer one."""
        return self.version >= KernelVersion.parse(version)


OLDEST_GENERATED = KernelVersion(6, 1)
DEFAULT_KERNEL = "6.12"


def profile_for(version: str) -> KernelProfile:
    """The profile of a kernel version (``6.1``, ``6.12``, or any between and around)."""
    kernel = KernelVersion.parse(version)

    def since(major: int, minor: int) -> bool:
        return kernel >= KernelVersion(major, minor)

    return KernelProfile(
        version=kernel,
        platform_remove_returns_void=since(6, 11),
        engine_alg_types=since(6, 6),
        unaligned_header="linux/unaligned.h" if since(6, 12) else "asm/unaligned.h",
        neon_sections_preemptible=since(6, 8),
    )


def fact_names() -> tuple[str, ...]:
    """The names of the facts a template can use as ``kernel.NAME``."""
    return tuple(f.name for f in fields(KernelProfile))
