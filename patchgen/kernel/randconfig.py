"""Random configurations that hold the series' symbol: each has to build and link.

Only what surrounds the symbol is thrown for (the crypto menus); the rest stays as the board
boots it, so that one configuration costs some dozen objects and a link, not a kernel.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from patchgen import process
from patchgen.kernel.evidence import Result
from patchgen.kernel.kconfig import make_words, symbol_of
from patchgen.kernel.make import Kernel

MENUS = ("crypto", "lib/crypto")
_PROBABILITY = "12"
"""Percent of the loose symbols that are on: each costs objects, few of them matter."""
_TRIES = 10
_DEFINITION = re.compile(r"^\s*(?:menu)?config\s+([A-Z0-9_]+)\s*$", re.MULTILINE)


def symbols_of_menus(source: Path, menus: Sequence[str] = MENUS) -> frozenset[str]:
    """``CONFIG_X`` for every symbol that Kconfig files below the folders define."""
    found: set[str] = set()
    for menu in menus:
        todo = [source / menu]
        while todo:
            for entry in todo.pop().iterdir():
                if entry.is_dir():
                    todo.append(entry)
                elif entry.name.startswith("Kconfig"):
                    found.update(_DEFINITION.findall(entry.read_text("utf-8", "replace")))
    return frozenset(f"CONFIG_{name}" for name in found)


def throw(kernel: Kernel, base_config: str, symbol: str, seed: int) -> str | None:
    """Write a random ``.config`` that holds the symbol; returns its value, None for no luck."""
    loose = symbols_of_menus(kernel.farm.folder)
    kept = [line for line in base_config.splitlines()
            if "CONFIG_" in line and symbol_of(line) not in loose]
    fixed = kernel.path(".patchgen-allconfig")
    for attempt in range(_TRIES):
        value = "my"[(seed + attempt) % 2]
        fixed.write_text("\n".join([*kept, "CONFIG_CRYPTO=y", "CONFIG_CRYPTO_HW=y",
                                    f"CONFIG_{symbol}={value}"]) + "\n", "utf-8")
        process.run([*make_words(kernel.farm, kernel.folder, kernel.arch), "randconfig"],
                    timeout=300, env={"KCONFIG_ALLCONFIG": str(fixed),
                                      "KCONFIG_SEED": str(1000 * attempt + seed),
                                      "KCONFIG_PROBABILITY": _PROBABILITY})
        text = kernel.path(".config").read_text("utf-8")
        if f"CONFIG_{symbol}={value}" in text.splitlines():
            return value
    return None


def sweep(kernel: Kernel, image_folder: Path, symbol: str, count: int,
          paths: Sequence[str]) -> list[Result]:
    """Build and link ``count`` random configurations in a copy of an image's build folder."""
    results = []
    base = (image_folder / ".config").read_text("utf-8")
    _copy(image_folder, kernel.folder)
    for number in range(1, count + 1):
        value = throw(kernel, base, symbol, number)
        where = f"{kernel.arch.name} random {number}"
        if value is None:
            results.append(Result("build", where, "failed",
                                  f"no random configuration holds {symbol}"))
            continue
        built = kernel.make("vmlinux", "modules")
        remarks = built.ours(paths)
        on = sum(1 for line in kernel.path(".config").read_text("utf-8").splitlines()
                 if line.startswith("CONFIG_CRYPTO") and not line.endswith("set"))
        good = built.ok and not remarks
        results.append(Result(
            "build", where, "passed" if good else "failed",
            f"{symbol}={value}, {on} crypto symbols: built and linked" if good else
            next(iter((*built.failures, *map(str, remarks)))),
            seconds=built.seconds, log=(*built.failures, *map(str, remarks))[:20]))
    return results


def _copy(image_folder: Path, target: Path) -> None:
    """Start from the image's objects, with their times: most of them stay as they are."""
    shutil.rmtree(target)
    shutil.copytree(image_folder, target, symlinks=True)

