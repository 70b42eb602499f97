"""How fast ``patchgen validate`` is beside checkpatch.pl, on the same 20 patches.

    python benchmarks/validate_speed.py TREES [-o FOLDER] [--rounds 3]

``TREES`` holds ``linux-source-6.1`` and ``linux-source-6.12``. The series brings 20 folders of
``drivers/crypto`` from one to the other, one a patch, cover letter on top.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import compare, table

FOLDERS = ("allwinner", "amcc", "amlogic", "aspeed", "axis", "bcm", "caam", "cavium", "ccp",
           "ccree", "chelsio", "gemini", "hisilicon", "inside-secure", "keembay", "marvell",
           "nx", "qce", "rockchip", "stm32")
IDENTITY = ("-c", "user.name=Jane Doe", "-c", "user.email=jane@example.org", "-c",
            "commit.gpgSign=false", "-c", "core.autocrlf=false")


def git(folder: Path, *words: str) -> None:
    """Run git in a folder; raises when it fails."""
    subprocess.run(["git", "-C", str(folder), *IDENTITY, *words], check=True,
                   stdout=subprocess.DEVNULL)


def build_series(trees: Path, scratch: Path) -> Path:
    """The 20 patches and their cover letter, in a folder."""
    old, new = trees / "linux-source-6.1", trees / "linux-source-6.12"
    repository = scratch / "linux"
    crypto = repository / "drivers/crypto"
    shutil.copytree(old / "drivers/crypto", crypto)
    git(repository, "init", "-q", "-b", "main")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "base")
    for folder in FOLDERS:
        shutil.rmtree(crypto / folder, ignore_errors=True)
        if (new / "drivers/crypto" / folder).is_dir():
            shutil.copytree(new / "drivers/crypto" / folder, crypto / folder)
        git(repository, "add", "-A")
        git(repository, "commit", "-q", "-s", "--allow-empty", "-m",
            f"crypto: {folder} - bring the driver to the newer kernel\n\nTake over what has "
            "changed in this driver between both kernels.")
    out = scratch / "out"
    git(repository, "format-patch", "-q", "--cover-letter", "--thread", "-o", str(out),
        f"HEAD~{len(FOLDERS)}")
    cover = next(out.glob("0000-*"))
    text = cover.read_text(encoding="utf-8")
    cover.write_text(text.replace("*** SUBJECT HERE ***", "crypto: bring twenty drivers forward")
                     .replace("*** BLURB HERE ***", "Twenty drivers as they are in the newer "
                              "kernel. The series applies to v6.1."), encoding="utf-8")
    return out


def main() -> int:
    """Measure and print; status 1 when validate is not five times as fast."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="keep the series here")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="patchgen-") as name:
        scratch = args.output or Path(name)
        scratch.mkdir(parents=True, exist_ok=True)
        out = scratch / "out" if (scratch / "out").is_dir() else build_series(args.trees, scratch)
        files = sorted(str(f) for f in out.glob("00*.patch"))
        size = sum(Path(f).stat().st_size for f in files)
        print(f"{len(files) - 1} patches, {size / 1e6:.2f} MB")
        validate = [sys.executable, "-m", "patchgen", "validate", "--no-external", str(out)]
        checkpatch = args.trees / "linux-source-6.12/scripts/checkpatch.pl"
        figures = compare([
            ("series rules only", [*validate, "--select", "series-gap,patch-conflict,whitespace"]),
            ("validate", validate),
            ("checkpatch --strict", ["perl", str(checkpatch), "--no-tree", "--strict", "--terse",
                                     *files[1:]]),
        ], runs=args.rounds)
    print(table(figures))
    ratio = figures["checkpatch --strict"].user / figures["validate"].user
    print(f"validate is {ratio:.1f} times as fast")
    return int(ratio < 5)


if __name__ == "__main__":
    raise SystemExit(main())
