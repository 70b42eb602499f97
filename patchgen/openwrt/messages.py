"""Commit messages in OpenWrt's style: ``target/subtarget: lower case``, at most 50 columns.

Source: OpenWrt's "Submitting patches" page; subject 50 columns, body wrapped at 72, lists in
alphabetical order.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from patchgen.openwrt.choice import Choice
from patchgen.openwrt.refresh import Refresh

SUBJECT_WIDTH = 50
BODY_WIDTH = 72


def wrapped(text: str) -> str:
    """A paragraph wrapped for a commit message; symbols are never broken."""
    return "\n".join(textwrap.wrap(" ".join(text.split()), BODY_WIDTH, break_on_hyphens=False,
                                   break_long_words=False))


def listed(words: Sequence[str]) -> str:
    """``A, B and C``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def fitting(prefix: str, candidates: Sequence[str]) -> str:
    """The first ``prefix: candidate`` within 50 columns, else the last one."""
    subjects = [f"{prefix}: {candidate}" for candidate in candidates]
    return next((s for s in subjects if len(s) <= SUBJECT_WIDTH), subjects[-1])


def refresh_subject(name: str, kernel: str) -> str:
    """Subject of a refresh commit."""
    return fitting(name, (f"refresh kernel {kernel} config", f"refresh {kernel} config",
                          f"refresh {kernel}"))


def refresh_body(
    result: Refresh, reasons: Sequence[str], answers: Mapping[str, str] | None = None
) -> str:
    """Which lines move, come and go in a refresh, and why it is made.

    ``answers`` gives the reason of each answer of the series, by symbol.
    """
    answers = answers or {}
    why = f"Refresh the file as make kernel_oldconfig does, since {listed(list(reasons))}."
    parts = [wrapped(why)]
    apart = {*result.asked, *result.answered}
    selected = [name for name in result.added if name not in apart]
    if selected:
        parts.append(wrapped(f"Symbols that Kconfig sets by now: {listed(selected)}."))
    asked = [name for name in result.asked if name in result.added]
    if asked:
        parts.append(wrapped(f"New symbols, answered with no: {listed(asked)}."))
    parts += [wrapped(f"{name}: {answers[name]}") for name in result.answered if name in answers]
    if result.changed:
        parts.append(wrapped(f"Symbols with a new value: {listed(list(result.changed))}."))
    if result.removed:
        parts.append(wrapped("Lines that go, since they have no effect or repeat a lower layer: "
                             f"{listed(list(result.removed))}."))
    return "\n\n".join(parts) + "\n"


def enable_subject(name: str, choice: Choice) -> str:
    """Subject of an enable commit; it says whether the Cryptography Extensions are used."""
    if len(choice.missing) == 1 and not choice.gates:
        driver = choice.missing[0]
        kind = "armv8-CE" if driver.uses_extensions else "asm"
        return fitting(name, (f"add {kind} version of {driver.name}", f"add {kind} {driver.name}",
                              f"add {kind} crypto"))
    kind = "armv8-CE" if any(d.uses_extensions for d in choice.missing) else "asm"
    return fitting(name, (f"enable {kind} crypto algorithms", f"enable {kind} crypto algos",
                          f"enable {kind} crypto", "enable asm crypto", "add asm crypto"))


def _algorithms(choice: Choice, forced: frozenset[str]) -> list[str]:
    names = {d.name for d in choice.missing if d.symbol not in forced}
    return sorted(names)


def enable_body(choice: Choice, kernels: Sequence[str]) -> str:
    """Which algorithms are accelerated, by what, and what comes along."""
    forced = frozenset(s for override in choice.overrides for s in override.enable)
    algorithms = _algorithms(choice, forced)
    parts = []
    if algorithms:
        many = len(algorithms) > 1
        extensions = any(d.uses_extensions for d in choice.missing)
        how = "the Armv8 Cryptography Extensions" if extensions else (
            "NEON, as this CPU lacks the Cryptography Extensions")
        parts.append(
            f"The C version{'s' if many else ''} of {listed(algorithms)} "
            f"{'are' if many else 'is'} built in, so nothing asks for a faster module. Build in "
            f"the version{'s' if many else ''} for {choice.cpu.name} as well, which "
            f"use{'' if many else 's'} {how}. Built in they take less room than as modules."
            .replace("they take", "they take" if many else "it takes")
        )
    parts += [override.reason for override in choice.overrides]
    along = [*choice.gates, *choice.dependencies]
    if along:
        parts.append(f"{listed(sorted(along))} come{'s' if len(along) == 1 else ''} along, as "
                     "no other layer sets what these depend on.")
    if len(kernels) > 1:
        parts.append(f"Kernels {listed(list(kernels))} get the same symbols.")
    return "\n\n".join(wrapped(part) for part in parts) + "\n"
