"""How long the check of a whole OpenWrt tree takes: ``python benchmarks/openwrt_tree.py``.

Builds a tree of synthetic targets (60 targets, 3 kernel versions, 7000 lines in generic by
default), half of them arm64 with subtargets, and prints the time of ``check_tree`` on it.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from patchgen.checks.openwrt import check_tree
from patchgen.openwrt.config import Value, format_values
from patchgen.profiles import profile_for
from patchgen.render import RenderContext, render
from patchgen.tree import DirectoryBase

KERNELS = ("5.15", "6.1", "6.6")


def generic(lines: int) -> dict[str, Value]:
    """Generic values: the embedded base's crypto symbols and filler."""
    from patchgen.openwrt.config import ConfigFile

    text = render("openwrt-base", "target/linux/generic/config-5.15",
                  RenderContext(profile_for("6.12")))
    values = dict(ConfigFile.parse(text.encode(), "generic").values)
    for number in range(max(0, lines - len(values))):
        values[f"DRIVER_{number:05}"] = None if number % 8 else "y"
    return values


def target_values(number: int, kernel: str) -> dict[str, Value]:
    """Four hundred lines of a target, with an Arm64 core in every second one."""
    values: dict[str, Value] = {
        f"DRIVER_{i * 7 % 6000:05}": "y" for i in range(number, number + 400)
    }
    if number % 2 == 0:
        values |= {"ARM64": "y", "64BIT": "y", "CRYPTO_SHA1": "y", "CRYPTO_SHA256": "y"}
        if kernel != KERNELS[-1]:
            values |= {"CRYPTO_SHA1_ARM64_CE": "y", "CRYPTO_SHA256_ARM64": "y"}
    else:
        values["MIPS"] = "y"
    return values


def build(root: Path, targets: int, lines: int) -> int:
    """Write the tree; returns how many files it has."""
    linux = root / "target" / "linux"
    count = 0

    def write(path: Path, values: dict[str, Value]) -> None:
        nonlocal count
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(format_values(values))
        count += 1

    (linux / "generic").mkdir(parents=True)
    (linux / "generic" / "config-filter").write_text("# CONFIG_CC_(HAS|IS)_.* is not set\n")
    for kernel in KERNELS:
        write(linux / "generic" / f"config-{kernel}", generic(lines))
        for number in range(targets):
            folder = linux / f"target{number:02}"
            write(folder / f"config-{kernel}", target_values(number, kernel))
            if number % 3 == 0:
                for name in ("alpha", "beta"):
                    write(folder / name / f"config-{kernel}", {f"BOARD_{name.upper()}": "y"})
    return count


def main() -> None:
    """Build, check, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--targets", type=int, default=60)
    parser.add_argument("--lines", type=int, default=7000, help="lines in each generic file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="patchgen-openwrt-") as name:
        root = Path(name)
        files = build(root, arguments.targets, arguments.lines)
        begin = time.perf_counter()
        findings, _ = check_tree(DirectoryBase(root))
        seconds = time.perf_counter() - begin
    print(f"{arguments.targets} targets x {len(KERNELS)} kernels, {files} files: "
          f"{seconds:.2f} s, {len(findings)} findings")


if __name__ == "__main__":
    main()
