"""Patches that mend a tree: refreshed files, and lines that were lost between versions."""

from __future__ import annotations

from collections.abc import Iterator

from patchgen.checks.openwrt.carry_rules import lost_symbols
from patchgen.openwrt import algebra
from patchgen.openwrt.audit import Audit, LayerUse
from patchgen.openwrt.config import ConfigFile
from patchgen.openwrt.messages import fitting, listed, refresh_subject, wrapped
from patchgen.openwrt.plan import ConfigPatch
from patchgen.openwrt.refresh import refresh, with_comments


def repairs(audit: Audit) -> tuple[ConfigPatch, ...]:
    """One patch a file that is not at its fixed point, then one a file that lost symbols."""
    refreshed: dict[str, bytes] = {}
    patches: list[ConfigPatch] = []
    for use in audit.uses:
        patch = _refresh(audit, use)
        if patch is not None:
            patches.append(patch)
            refreshed.update(patch.files)
    patches.extend(_restored(audit, refreshed))
    return tuple(patches)


def _unix(config: ConfigFile) -> ConfigFile | None:
    """The file with Unix line ends; None when it has lines that nobody can read."""
    if any(line.problem != "crlf" for line in config.problems):
        return None
    if not config.problems:
        return config
    return ConfigFile.parse(config.to_bytes().replace(b"\r\n", b"\n"), config.path)


def _refresh(audit: Audit, use: LayerUse) -> ConfigPatch | None:
    config = _unix(use.layer.config)
    if config is None:
        return None
    data, body = _mended(audit, use, config)
    if data == use.layer.config.to_bytes():
        return None
    kernels = tuple(dict.fromkeys(stack.kernel for stack in use.stacks))
    name = use.layer.name
    subject = (fitting(name, ("refresh default kernel config", "refresh config"))
               if use.layer.applies_to_all_versions else refresh_subject(name, kernels[0]))
    return ConfigPatch("refresh", name, kernels, subject, body, {use.layer.path: data})


def _mended(audit: Audit, use: LayerUse, config: ConfigFile) -> tuple[bytes, str]:
    """The file as it should be and the body of its commit; no symbol is added or changed."""
    needless = _needless(audit, use, config) if use.layer.name != "generic" else []
    dead = _without_effect(audit, use, config)
    values = {n: v for n, v in config.values.items() if n not in dead and n not in needless}
    parts = [wrapped("Refresh the file: it is not what the build would write.")]
    if needless:
        parts.append(wrapped("Lines that go, since they repeat a lower layer or are filtered: "
                             f"{listed(sorted(needless))}."))
    if dead:
        parts.append(wrapped(f"Lines that go, since they have no effect: {listed(dead)}."))
    return with_comments(config, values), "\n\n".join(parts) + "\n"


def _without_effect(audit: Audit, use: LayerUse, config: ConfigFile) -> list[str]:
    """The lines that ``make kernel_oldconfig`` would drop, where that is certain."""
    stack = use.stacks[0]
    table = audit.table(stack)
    if len(use.stacks) > 1 or table is None or stack.top.path != use.layer.path:
        return []
    after = refresh(stack.with_top(config.to_bytes()), table, audit.openwrt.filter)
    needless = set(_needless(audit, use, config))
    return [name for name in after.removed if name not in needless]


def _needless(audit: Audit, use: LayerUse, config: ConfigFile) -> list[str]:
    below = [use.below(stack) for stack in use.stacks]
    return [
        symbol for symbol, value in config.values.items()
        if algebra.matches(symbol, audit.filter)
        or all(symbol in merged and merged[symbol] == value for merged in below)
    ]


def _restored(audit: Audit, refreshed: dict[str, bytes]) -> Iterator[ConfigPatch]:
    for path, entries in lost_symbols(audit).items():
        certain = [entry for entry in entries if entry.fate == "lost"]
        if not certain:
            continue
        config = _unix(certain[0].newer.config)
        if config is None:
            continue
        if path in refreshed:
            config = ConfigFile.parse(refreshed[path], path)
        layer = certain[0].newer
        changes = {entry.symbol: entry.value for entry in certain}
        older = sorted({entry.older.path for entry in certain})
        body = wrapped(f"The file was made without what {listed(older)} has by now. Bring back "
                       f"{listed(sorted(changes))}.")
        yield ConfigPatch(
            "restore", layer.name, (), fitting(layer.name, (
                "restore lost kernel symbols", "restore lost symbols", "restore symbols")),
            body + "\n", {path: config.with_values(changes)},
        )
