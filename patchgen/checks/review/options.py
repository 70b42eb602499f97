"""What a review may look at and leave out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from patchgen.checks.silence import Silence
from patchgen.profiles import KernelProfile


@dataclass(frozen=True)
class ReviewOptions:
    """``select`` empty means every check; ``external`` runs other programs' checkers."""

    kernel: KernelProfile
    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    external: bool = True
    silences: tuple[Silence, ...] = ()
    jobs: int = field(default=0)

    def wants(self, id: str) -> bool:
        """Whether a check is to run."""
        return (not self.select or id in self.select) and id not in self.ignore

    @property
    def selected(self) -> Collection[str] | None:
        """``select`` in the form of the code rules: None for all."""
        return self.select or None
