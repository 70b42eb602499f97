"""What is known about the symbols of one kernel version, from Kconfig or from shipped facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import msgspec

SymbolType = Literal["bool", "tristate", "int", "hex", "string", "unknown"]


class Definition(msgspec.Struct, frozen=True, omit_defaults=True):
    """One ``config`` block: conditions are Kconfig expressions, ``""`` is "always".

    ``depends`` holds what the surrounding ``if``, ``menu`` and ``choice`` demand as well.
    """

    type: SymbolType = "unknown"
    depends: str = ""
    prompt: str | None = None
    """The condition of the prompt; None when the block has no prompt."""
    defaults: tuple[tuple[str, str], ...] = ()
    """(value, condition), the first that holds counts."""
    selects: tuple[tuple[str, str], ...] = ()
    """(symbol, condition)."""
    choice: bool = False


@dataclass(frozen=True)
class SymbolTable:
    """The symbols of one kernel version and architecture.

    A ``complete`` table knows every symbol, so an absent name does not exist; facts cover some
    symbols only, and ``gone`` lists names known to have left.
    """

    kernel: str
    arch: str
    symbols: Mapping[str, tuple[Definition, ...]]
    complete: bool
    elsewhere: frozenset[str] = frozenset()
    """Names that only other architectures define."""
    gone: frozenset[str] = frozenset()
    open: frozenset[str] = frozenset()
    """Symbols that others, which the facts do not hold, may select."""
    helpers: frozenset[str] = frozenset()
    """Symbols that are known for what they select only; their prompts are not looked at."""
    probes: Mapping[str, str] = field(default_factory=dict)
    """What the compiler answers to a macro (``$(ld-option,…)``), where it is known."""
    source: str = ""

    def __contains__(self, name: str) -> bool:
        return name in self.symbols

    def exists(self, name: str) -> bool | None:
        """Whether the architecture has the symbol; None when nothing is known about it."""
        if name in self.symbols:
            return True
        if self.complete or name in self.gone or name in self.elsewhere:
            return False
        return None

    def type_of(self, name: str) -> SymbolType:
        """The type of a symbol, ``unknown`` without facts."""
        for definition in self.symbols.get(name, ()):
            if definition.type != "unknown":
                return definition.type
        return "unknown"

    def has_prompt(self, name: str) -> bool:
        """Whether a user can set the symbol anywhere."""
        return any(d.prompt is not None for d in self.symbols.get(name, ()))

    @cached_property
    def askable(self) -> tuple[str, ...]:
        """The symbols whose prompts ``make oldconfig`` would ask about, sorted."""
        return tuple(sorted(
            name for name, definitions in self.symbols.items()
            if name not in self.helpers
            and any(d.prompt is not None for d in definitions)
            and not any(d.choice for d in definitions)
        ))

    @cached_property
    def selectors(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """For each selected symbol: (selecting symbol, condition with its dependencies)."""
        found: dict[str, list[tuple[str, str]]] = {}
        for name, definitions in self.symbols.items():
            for definition in definitions:
                for target, condition in definition.selects:
                    found.setdefault(target, []).append((name, condition))
        return {target: tuple(pairs) for target, pairs in found.items()}


def conjunction(*conditions: str) -> str:
    """The conditions joined by ``&&``; empty ones are always true."""
    parts = [c for c in dict.fromkeys(conditions) if c]
    if len(parts) < 2:
        return parts[0] if parts else ""
    return " && ".join(f"({p})" if "||" in p else p for p in parts)
