"""The second opinion: OpenWrt's own ``scripts/kconfig.pl``, where a tree and Perl have it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from patchgen import process
from patchgen.openwrt import algebra
from patchgen.openwrt.config import format_values
from patchgen.openwrt.layers import ROOT, OpenWrt, Stack

SCRIPT = "scripts/kconfig.pl"
_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An expression that the script and patchgen evaluate differently: the first lines."""

    stack: str
    kernel: str
    expression: str
    script: str
    patchgen: str


def run_script(script: Path, words: tuple[str, ...], folder: Path) -> bytes:
    """What ``perl kconfig.pl WORDS`` prints, run in ``folder``.

    Raises ``ToolMissingError`` without Perl and ``ProcessFailedError`` when the script fails.
    """
    return process.run(["perl", script, *words], timeout=_SECONDS, cwd=folder).stdout


@contextmanager
def _laid_out(openwrt: OpenWrt, stack: Stack) -> Iterator[tuple[Path, Path, list[str]]]:
    """The script and the layers as files: (folder, script, the layers' names in order)."""
    with tempfile.TemporaryDirectory(prefix="patchgen-kconfig-") as name:
        folder = Path(name)
        entry = openwrt.tree.entry(SCRIPT)
        assert entry is not None
        (folder / "kconfig.pl").write_bytes(entry.data)
        names = []
        for index, layer in enumerate(stack.layers):
            names.append(f"layer{index}")
            (folder / names[-1]).write_bytes(layer.config.to_bytes())
        config_filter = openwrt.tree.entry(f"{ROOT}/generic/config-filter")
        (folder / "filter").write_bytes(config_filter.data if config_filter else b"")
        yield folder, folder / "kconfig.pl", names


def _expressions(names: list[str]) -> tuple[tuple[str, ...], ...]:
    merged = ("+",) * (len(names) - 1) + tuple(names)
    below = ("+",) * (len(names) - 2) + tuple(names[:-1])
    return (merged, ("-", ">", *below, *merged, "filter"))


def disagreements(openwrt: OpenWrt, stacks: tuple[Stack, ...]) -> Iterator[Disagreement]:
    """Merge and fixed point of each stack where the tree's script says something else."""
    for stack in stacks:
        with _laid_out(openwrt, stack) as (folder, script, names):
            for words in _expressions(names):
                theirs = run_script(script, words, folder).splitlines()
                values = algebra.evaluate(
                    words, lambda name: (folder / name).read_text("utf-8", "surrogateescape"))
                ours = format_values(values).splitlines()
                if theirs != ours:
                    at = next((i for i, (a, b) in enumerate(zip(theirs, ours, strict=False))
                               if a != b), min(len(theirs), len(ours)))
                    yield Disagreement(stack.name, stack.kernel, " ".join(words),
                                       _at(theirs, at), _at(ours, at))


def _at(lines: list[bytes], index: int) -> str:
    return lines[index].decode("utf-8", "replace") if index < len(lines) else "(nothing)"
