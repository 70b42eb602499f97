"""Logs for the bench tests: what tcrypt prints, written from its formats, and the series' logs."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SEEDS = ROOT / "../shared/seeds"
SERIES = ROOT / "series"

REALTEK = (SERIES / "realtek/logs/software.log", SERIES / "realtek/logs/hardware.log")
QCE = SERIES / "qce-gcm/logs/aes-sw-max-len.log"
MT7622 = (SERIES / "openwrt-arm64-ce/logs/mt7622-generic.log",
          SERIES / "openwrt-arm64-ce/logs/mt7622-ce.log")

BEFORE_AFTER = {
    "before": {(16, 16): 6043898, (64, 16): 1654308, (64, 64): 4610615, (256, 256): 2282970,
               (1024, 256): 590457, (1024, 1024): 781719, (8192, 8192): 107200},
    "after": {(16, 16): 5756550, (64, 16): 1652111, (64, 64): 4471887, (256, 256): 2274306,
              (1024, 256): 589121, (1024, 1024): 768426, (8192, 8192): 106061},
}
"""Operations a second of ghash-ce by block and update bytes, from the arm64 letter."""


def cipher_line(key: int, block: int, ops: int, *, test: int = 0, seconds: int = 1,
                prefix: str = "tcrypt: ") -> str:
    """One line of a cipher test, as ``pr_info`` and ``pr_cont`` make it."""
    return (f"{prefix}test {test} ({key} bit key, {block} byte blocks): {ops} operations in "
            f"{seconds} seconds ({ops * block} bytes)")


def hash_line(block: int, update: int, ops: int, *, test: int = 0, prefix: str = "tcrypt: ") -> str:
    """One line of a hash test."""
    return (f"{prefix}test{test:3} ({block:5} byte blocks,{update:5} bytes per update,"
            f"{block // update:4} updates): {ops:6} opers/sec, {ops * block:9} bytes/sec")


def ghash_sections() -> str:
    """A log with BEFORE and AFTER sections."""
    lines = []
    for section, figures in BEFORE_AFTER.items():
        lines += [section.upper(), "=" * len(section), "",
                  "testing speed of async ghash (ghash-ce)"]
        lines += [hash_line(block, update, ops, test=number)
                  for number, ((block, update), ops) in enumerate(figures.items())]
        lines.append("")
    return "\n".join(lines)


def side_by_side(left: str, right: str, width: int = 177) -> str:
    """Two logs as ``diff --side-by-side`` shows them: both columns cut off on the right."""
    half = (width - 3) // 2
    return "\n".join(
        f"{mine[:half]:<{half}} | {theirs[:half]}".rstrip() if mine or theirs else ""
        for mine, theirs in zip(left.split("\n"), right.split("\n"), strict=True)
    )


def without_comments(path: Path) -> str:
    """A log of a series without its leading remarks."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return "\n".join(line for line in lines if not line.startswith("#")).strip("\n")
