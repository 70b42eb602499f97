"""Booting under QEMU: the console line by line until the plan is over, or time is."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from patchgen import process
from patchgen.kernel.arches import Board
from patchgen.kernel.console import Console, plain, read_console

BOOT_SECONDS = 900.0
_COMMAND_LINE = "panic=-1 oops=panic printk.devkmsg=on hung_task_panic=1 plan={plan}"
_DEAD = ("Kernel panic - not syncing", "---[ end Kernel panic", "Attempted to kill init")


@dataclass(frozen=True, slots=True)
class Booted:
    """One run of QEMU."""

    console: Console
    log: tuple[str, ...]
    seconds: float
    ended: str
    """How it ended: ``over``, ``panic``, ``timeout`` or ``QEMU ended``."""
    command: tuple[str, ...]


def qemu_command(board: Board, image: Path, initrd: Path, append: str, plan: str) -> list[str]:
    """The whole command; without network and display, so no option ROM is needed."""
    line = f"console={board.console} {_COMMAND_LINE.format(plan=plan)} {append}".strip()
    return [*board.qemu, "-nographic", "-nic", "none", "-no-reboot", "-monitor", "none",
            "-kernel", str(image), "-initrd", str(initrd), "-append", line]


def boot(
    board: Board, image: Path, initrd: Path, *, append: str = "", plan: str = "main",
    seconds: float = BOOT_SECONDS, on_stage: Callable[[str], None] = lambda _: None,
    cancel: threading.Event | None = None, console: Path | None = None,
) -> Booted:
    """Boot and follow the console; ``console`` is a file that gets it, line by line.

    Ends when the plan is over (malta cannot switch itself off), on a panic, when QEMU ends,
    or when ``seconds`` are over. Raises ``ToolMissingError`` without QEMU.
    """
    process.find_tool(board.qemu[0], why=f"boots the board {board.name}")
    command = qemu_command(board, image, initrd, append, plan)
    log: list[str] = []
    ended = "QEMU ended"
    grace = 0

    def take(line: str) -> bool:
        nonlocal ended, grace
        log.append(line)
        copy.write(f"{line}\n")
        text = plain(line)
        if text.startswith("@stage "):
            on_stage(text.removeprefix("@stage "))
        if text == "@over":
            ended = "over"
            return False
        if any(sign in line for sign in _DEAD):
            ended = "panic"
        if ended == "panic":
            grace += 1
        return grace < 40

    started = time.monotonic()
    with (console or Path(os.devnull)).open("w", encoding="utf-8") as copy:
        try:
            process.stream(command, timeout=seconds, on_line=take, cancel=cancel)
        except process.ProcessTimeoutError:
            ended = "timeout"
    return Booted(read_console(log), tuple(log), time.monotonic() - started, ended,
                  tuple(command))
