"""The list of checks: what each is called, what it demands, why, and how to mend it.

A check is a small function registered by ``@check``. Its good and bad examples are files:
``patchgen/checks/examples/<id>/bad.*`` and ``good.*``; the tests run every check on both,
so a rule without them cannot land.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from patchgen.errors import InputError
from patchgen.findings import Finding, Severity

Scope = Literal["plan", "series", "code", "build", "binding", "openwrt", "external"]
"""What a check reads: ``plan`` a generated series with its trees; ``series`` parsed mails;
``code`` C sources; ``build`` Kconfig and Makefile; ``binding`` DT schemas; ``openwrt``
configuration layers; ``external`` the output of another program."""

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Check:
    """One rule, as ``patchgen checks ID`` shows it."""

    id: str
    scope: Scope
    severity: Severity
    rule: str
    why: str
    fix: str
    function: Callable[..., Any]

    def finding(
        self,
        message: str,
        *,
        severity: Severity | None = None,
        hint: str | None = None,
        patch: int | None = None,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> Finding:
        """A finding of this check, with its default severity and fix unless others are given."""
        return Finding(
            check=self.id, severity=severity or self.severity, message=message,
            hint=self.fix if hint is None else hint,
            patch=patch, file=file, line=line, column=column,
        )


_CHECKS: dict[str, Check] = {}
_EXAMPLES = Path(__file__).resolve().parent / "examples"


def check(
    id: str, *, scope: Scope, severity: Severity, rule: str, why: str, fix: str
) -> Callable[[Function], Function]:
    """Register a function as a check; the function finds its own record with ``get(id)``."""

    def register(function: Function) -> Function:
        if id in _CHECKS and _CHECKS[id].function.__qualname__ != function.__qualname__:
            raise ValueError(f"two checks are called {id}")
        _CHECKS[id] = Check(id, scope, severity, rule, why, fix, function)
        return function

    return register


def registered(scope: Scope) -> tuple[Check, ...]:
    """The checks of a scope whose modules are imported already, in order of registration."""
    return tuple(c for c in _CHECKS.values() if c.scope == scope)


def load_all() -> None:
    """Import every module below ``patchgen.checks``, so that all checks are registered."""
    import patchgen.checks as package

    for module in pkgutil.walk_packages(package.__path__, "patchgen.checks."):
        importlib.import_module(module.name)


def get(id: str) -> Check:
    """The check of this id; raises ``InputError`` with the nearest names when there is none."""
    if id not in _CHECKS:
        load_all()
    try:
        return _CHECKS[id]
    except KeyError:
        import difflib

        near = difflib.get_close_matches(id, _CHECKS, 3)
        raise InputError(f"no check is called {id!r}",
                         advice=f"did you mean {', '.join(near)}?" if near
                         else "see: patchgen checks") from None


def all_checks(scope: Scope | None = None) -> tuple[Check, ...]:
    """Every registered check of a scope (all scopes without one), sorted by id."""
    load_all()
    return tuple(
        sorted((c for c in _CHECKS.values() if scope in (None, c.scope)), key=lambda c: c.id)
    )


def examples(id: str, kind: Literal["bad", "good"]) -> tuple[Path, ...]:
    """The example files of a check: ``bad.c``, ``bad-2.c``, ``good.mbox``, …"""
    return tuple(sorted((_EXAMPLES / id).glob(f"{kind}*")))
