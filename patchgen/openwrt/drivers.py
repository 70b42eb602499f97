"""The tables behind the choice: asm drivers and the C versions they replace, SoCs and CPUs."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from patchgen.openwrt.facts import DATA

if TYPE_CHECKING:
    from patchgen.openwrt.layers import Stack


class Driver(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An assembly driver: what it accelerates (any of), what the CPU needs (all of)."""

    symbol: str
    name: str
    accelerates: tuple[str, ...]
    needs: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()

    @property
    def uses_extensions(self) -> bool:
        """Whether it needs more than NEON: the Cryptography Extensions of some kind."""
        return any(feature != "neon" for feature in self.needs)


class DriverTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/drivers.toml``."""

    gates: tuple[str, ...]
    driver: tuple[Driver, ...]

    def by_symbol(self, symbol: str) -> Driver | None:
        """The driver of a symbol, or None when the symbol is none of a driver."""
        return next((d for d in self.driver if d.symbol == symbol), None)


class Soc(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of ``data/soc.toml``."""

    has: str
    cpu_name: str
    target: str = ""
    symbol: str = ""
    cpu: str = ""


class SocTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/soc.toml``."""

    features: dict[str, tuple[str, ...]]
    soc: tuple[Soc, ...]


@dataclass(frozen=True, slots=True)
class Cpu:
    """What a subtarget's CPUs can do, and how that is known."""

    name: str
    features: frozenset[str]
    known: bool
    """False when no row fits and the Cryptography Extensions are assumed."""

    def has(self, driver: Driver) -> bool:
        """Whether every feature that the driver needs is there."""
        return self.features.issuperset(driver.needs)


@lru_cache(maxsize=1)
def driver_table() -> DriverTable:
    """The shipped table of drivers."""
    return msgspec.toml.decode((DATA / "drivers.toml").read_bytes(), type=DriverTable)


@lru_cache(maxsize=1)
def soc_table() -> SocTable:
    """The shipped table of SoCs."""
    return msgspec.toml.decode((DATA / "soc.toml").read_bytes(), type=SocTable)


def _fits(row: Soc, stack: Stack) -> bool:
    if row.target:
        return fnmatchcase(stack.name, row.target)
    if row.symbol:
        return stack.merged.get(row.symbol) == "y"
    return fnmatchcase(stack.get("CPU_TYPE"), row.cpu)


def cpu_of(stack: Stack) -> Cpu:
    """The CPU of a subtarget, by the first row that fits.

    Without one, the Cryptography Extensions are assumed: the drivers look at the CPU before
    they register, so a wrong guess costs size and nothing else.
    """
    table = soc_table()
    for row in table.soc:
        if _fits(row, stack):
            return Cpu(row.cpu_name, frozenset(table.features[row.has]), True)
    return Cpu("an unlisted Armv8 CPU", frozenset(table.features["ce"]), False)
