"""Start-up and the main job against what a developer would run otherwise.

    python benchmarks/main_job.py [KERNEL_TREE]

Start-up is compared with b4 where it is installed. The whole `patchgen series realtek`,
all in-process checks on, is compared with checkpatch.pl --strict alone on the mails it
writes; KERNEL_TREE is where checkpatch.pl comes from.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import PYTHON, compare, table


def start_up() -> None:
    """`patchgen --help` and `b4 --version`."""
    commands = [("patchgen --help", [PYTHON, "-m", "patchgen", "--help"])]
    b4 = shutil.which("b4")
    if b4:
        commands.append(("b4 --version", [b4, "--version"]))
    print(table(compare(commands, runs=15)))
    if not b4:
        print("b4 is not installed (pip install b4): no peer in this run")


def main_job(tree: Path) -> None:
    """The series on the embedded base, and checkpatch on the same mails."""
    checkpatch = tree / "scripts" / "checkpatch.pl"
    if not checkpatch.is_file():
        print(f"{checkpatch} is not there: name a kernel tree to compare with checkpatch.pl")
        return
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "v4")
        series = [PYTHON, "-m", "patchgen", "series", "realtek", "-o", out, "--force"]
        subprocess.run(series, check=True, stdout=subprocess.DEVNULL)
        mails = [str(p) for p in sorted(Path(out).glob("*-000[1-9]-*.patch"))]
        figures = compare([
            ("patchgen series realtek", series),
            ("checkpatch.pl --strict", ["perl", str(checkpatch), "--strict", "--no-tree", *mails]),
        ])
        print(table(figures))
        ours, theirs = figures.values()
        print(f"ratio of wall time: {ours.wall / theirs.wall:.2f}")


if __name__ == "__main__":
    start_up()
    print()
    main_job(Path(sys.argv[1]) if len(sys.argv) > 1 else Path())
