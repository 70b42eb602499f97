"""Refreshing a layer: what OpenWrt's ``make kernel_oldconfig`` would write, without a kernel.

Symbols that others certainly select come in, lines without effect and lines equal to a lower
layer go, and the rest is put in order. A new prompt is answered "not set" unless the series
gives another answer: a refresh switches no hardware on. Only what the symbol table makes
certain is changed; see ``evaluate``. With a kernel source that lacks OpenWrt's patches, no line
is deleted for want of a dependency.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from patchgen.openwrt import algebra
from patchgen.openwrt.config import ConfigFile, Value, Values, format_line, format_values
from patchgen.openwrt.evaluate import Evaluator
from patchgen.openwrt.layers import Stack
from patchgen.openwrt.patched import is_foreign
from patchgen.openwrt.symbols import SymbolTable


@dataclass(frozen=True, slots=True)
class Refresh:
    """A layer as a refresh would leave it, and what led to that."""

    data: bytes
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    asked: tuple[str, ...]
    """New prompts that were answered with no."""
    answered: tuple[str, ...]
    """Prompts that the series answers and whose value that changed."""
    moved: tuple[str, ...]

    @property
    def changes(self) -> bool:
        """Whether anything but the order differs."""
        return bool(self.added or self.removed or self.changed)


def reasons(stack: Stack, table: SymbolTable) -> tuple[str, ...]:
    """Why the top layer has to be refreshed before it can be edited; empty when it need not.

    A line out of order or given twice, or a prompt that no layer answers (the build would
    stop and ask). Lines that merely repeat a lower layer do no harm and are no reason.
    """
    found = [
        f"{line.symbol} is out of order (line {line.number})"
        for line, _ in stack.top.config.misplaced
    ]
    found += [
        f"{later.symbol} is given twice (lines {earlier.number} and {later.number})"
        for earlier, later in stack.top.config.duplicates
    ]
    found += [f"{name} is new and has no answer" for name in open_prompts(stack, table)]
    return tuple(found)


def open_prompts(stack: Stack, table: SymbolTable) -> tuple[str, ...]:
    """The prompts that certainly show and that no layer answers.

    None when the source is not the kernel that OpenWrt builds: it may have other prompts.
    """
    if is_foreign(stack, table):
        return ()
    return Evaluator(table, stack.merged).unanswered()


def _oldconfig(
    stack: Stack, table: SymbolTable, answers: Mapping[str, Value]
) -> tuple[dict[str, Value], tuple[str, ...]]:
    """The full configuration after ``make oldconfig``, as far as it is certain."""
    asked = open_prompts(stack, table)
    values: dict[str, Value] = {**stack.merged, **dict.fromkeys(asked)}
    before = Evaluator(table, stack.merged)
    values.update({name: value for name, value in answers.items() if before.shows(name).high})
    evaluator = Evaluator(table, values)
    result = dict(values)
    foreign = is_foreign(stack, table)
    for name in values:
        if table.exists(name) is False and not foreign:
            del result[name]
    for name in table.symbols:
        if table.type_of(name) not in ("bool", "tristate"):
            continue
        given = values.get(name)
        value = evaluator.value(name)
        if value.low == 2 and given != "y":
            result[name] = "y"
        elif name in values and not foreign and not value.high and not evaluator.shows(name).high:
            result.pop(name, None)
    return result, asked


def refresh(
    stack: Stack,
    table: SymbolTable,
    filter_: Values,
    answers: Mapping[str, Value] | None = None,
) -> Refresh:
    """The top layer of a stack, refreshed; raises ``InputError`` for a line it cannot read."""
    config = stack.top.config
    config.require_sound()
    answers = answers or {}
    full, asked = _oldconfig(stack, table, answers)
    kept = algebra.subtract(algebra.delta(stack.below, full), filter_)
    before = config.values
    return Refresh(
        data=with_comments(config, kept),
        added=tuple(sorted(kept.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - kept.keys())),
        changed=tuple(sorted(n for n in kept.keys() & before.keys() if kept[n] != before[n])),
        asked=tuple(name for name in asked if name not in answers),
        answered=tuple(sorted(
            n for n in answers if n in kept and kept[n] != stack.merged.get(n, ...)
        )),
        moved=tuple(line.symbol or "" for line, _ in config.misplaced),
    )


def with_comments(config: ConfigFile, values: Values) -> bytes:
    """The file in order; a comment stays in front of the symbol it stood in front of."""
    comments: dict[str, list[str]] = {}
    pending: list[str] = []
    for line in config.lines:
        if line.symbol is None:
            if line.text.strip():
                pending.append(line.text)
        elif pending and line.symbol in values:
            comments.setdefault(line.symbol, []).extend(pending)
            pending = []
    if not comments and not pending:
        return format_values(values)
    out = []
    for name in sorted(values):
        out += [*comments.get(name, ()), format_line(name, values[name])]
    return ("\n".join([*out, *pending]) + "\n").encode("utf-8", "surrogateescape")
