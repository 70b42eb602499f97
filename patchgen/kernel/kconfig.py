"""A build folder's ``.config``: fragments merged by the tree's own tools, and what they became."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from patchgen import process
from patchgen.errors import InputError
from patchgen.kernel.arches import Arch
from patchgen.kernel.farm import SourceFarm

STAMP = ".patchgen-config"
_SECONDS = 300.0


def last_wins(lines: Iterable[str]) -> tuple[str, ...]:
    """Configuration lines with the last one of every symbol only, in order."""
    chosen: dict[str, str] = {}
    for line in lines:
        symbol = symbol_of(line)
        chosen.pop(symbol, None)
        chosen[symbol] = line
    return tuple(chosen.values())


def symbol_of(line: str) -> str:
    """``CONFIG_X`` of ``CONFIG_X=y`` or ``# CONFIG_X is not set``."""
    return line.removeprefix("# ").split("=")[0].split(" ")[0]


def make_words(farm: SourceFarm, folder: Path, arch: Arch) -> list[str]:
    """The words every call of make begins with; the compiler goes through ccache if there is."""
    prefix = f"ccache {arch.prefix}" if process.have_tool("ccache") else arch.prefix
    words = ["make", "-s", "-C", str(farm.folder), f"O={folder}", f"ARCH={arch.karch}",
             f"CROSS_COMPILE={prefix}"]
    if not arch.prefix and process.have_tool("ccache"):
        # Without a prefix CROSS_COMPILE would only rename the tools.
        words[-1:] = ["CROSS_COMPILE=", "CC=ccache gcc"]
    return words


def configure(
    farm: SourceFarm, folder: Path, arch: Arch, base: str, lines: Sequence[str]
) -> bool:
    """Write ``folder/.config``; returns whether it changed.

    ``base`` is a make target such as ``tinyconfig``. Nothing is done when neither the lines
    nor any Kconfig file of the series changed since the last time. Raises ``InputError``
    naming the symbols that the kernel did not take over.
    """
    lines = last_wins((*arch.byte_order, *lines))
    stamp = _digest(farm, arch, base, lines)
    config, note = folder / ".config", folder / STAMP
    if config.is_file() and note.is_file() and note.read_text("utf-8") == stamp:
        return False
    make = make_words(farm, folder, arch)
    before = config.read_bytes() if config.is_file() else b""
    process.run([*make, base], timeout=_SECONDS)
    fragment = folder / ".patchgen-fragment"
    fragment.write_text("\n".join(lines) + "\n", "utf-8")
    process.run([farm.folder / "scripts/kconfig/merge_config.sh", "-m", "-O", ".", ".config",
                 fragment.name], timeout=_SECONDS, cwd=folder,
                env={"ARCH": arch.karch, "CROSS_COMPILE": arch.prefix,
                     "srctree": os.fspath(farm.folder)})
    process.run([*make, "olddefconfig"], timeout=_SECONDS)
    lost = lost_lines(config.read_text("utf-8"), lines)
    if lost:
        config.unlink()
        raise InputError(f"the kernel's configuration did not take {', '.join(lost)}",
                         path=farm.source,
                         advice=f"look at the dependencies of these symbols for {arch.name}")
    note.write_text(stamp, "utf-8")
    return config.read_bytes() != before


def lost_lines(config: str, lines: Iterable[str]) -> tuple[str, ...]:
    """The lines that a ``.config`` does not hold; a symbol that is not there counts as off."""
    have = {symbol_of(line): line for line in config.splitlines() if "CONFIG_" in line}
    lost = []
    for line in lines:
        found = have.get(symbol_of(line))
        off = line.endswith((" is not set", "=n"))
        if (found is not None and not found.endswith(" is not set")) if off else found != line:
            lost.append(line)
    return tuple(lost)


def _digest(farm: SourceFarm, arch: Arch, base: str, lines: Sequence[str]) -> str:
    text = hashlib.sha256("\n".join((arch.name, base, *lines)).encode())
    for file in sorted(farm.folder.rglob("Kconfig*")):
        if file.is_file() and not file.is_symlink():
            text.update(file.read_bytes())
    return text.hexdigest()
