"""The one place that starts external programs.

Each call has a time limit, captures output, and turns a missing program into
``ToolMissingError`` with an install line, so that no check passes because its tool was
not there. Interrupting patchgen ends the whole process group of a running child.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from patchgen.errors import PatchgenError, ToolMissingError


@dataclass(frozen=True, slots=True)
class Tool:
    """An optional program: what it enables and how to get it (``patchgen doctor``)."""

    name: str
    install: str
    enables: str


_APT = "apt-get install"
TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool("git", f"{_APT} git", "everything: diffs, mails, apply checks"),
        Tool("git-send-email", f"{_APT} git-email", "patchgen send"),
        Tool("perl", f"{_APT} perl", "checkpatch.pl, get_maintainer.pl, kconfig.pl"),
        Tool("make", f"{_APT} make", "patchgen verify"),
        Tool("gcc", f"{_APT} gcc", "patchgen verify on x86-64, harness tests"),
        Tool("flex", f"{_APT} flex", "patchgen verify: the kernel's kconfig"),
        Tool("bison", f"{_APT} bison", "patchgen verify: the kernel's kconfig"),
        Tool("bc", f"{_APT} bc", "patchgen verify: the kernel's timeconst"),
        Tool("rsync", f"{_APT} rsync", "patchgen verify: scratch copies of a tree"),
        Tool("cpio", f"{_APT} cpio", "patchgen verify: initramfs"),
        Tool("modinfo", f"{_APT} kmod", "patchgen verify: what modules need"),
        Tool("sparse", f"{_APT} sparse", "patchgen verify: endian and lock annotations"),
        Tool("smatch", "build it from its own repository", "validate: flow checks"),
        Tool("spatch", f"{_APT} coccinelle", "validate: the kernel's semantic patches"),
        Tool("dtc", f"{_APT} device-tree-compiler", "binding examples"),
        Tool("ccache", f"{_APT} ccache", "faster patchgen verify"),
        Tool("aarch64-linux-gnu-gcc", f"{_APT} gcc-aarch64-linux-gnu", "verify on arm64"),
        Tool("arm-linux-gnueabihf-gcc", f"{_APT} gcc-arm-linux-gnueabihf", "verify on arm"),
        Tool("mips-linux-gnu-gcc", f"{_APT} gcc-mips-linux-gnu", "verify on MIPS big endian"),
        Tool(
            "mipsel-linux-gnu-gcc", f"{_APT} gcc-mipsel-linux-gnu", "verify on MIPS little endian"
        ),
        Tool("qemu-system-aarch64", f"{_APT} qemu-system-arm", "verify --boot on arm64"),
        Tool("qemu-system-mips", f"{_APT} qemu-system-mips", "verify --boot on MIPS"),
        Tool("llvm-mca", f"{_APT} llvm", "benchmarks of the arm64 assembly"),
    )
}


@dataclass(frozen=True, slots=True)
class Completed:
    """A finished program: its exit status and what it printed (bytes)."""

    argv: tuple[str, ...]
    returncode: int
    stdout: bytes
    stderr: bytes

    @property
    def text(self) -> str:
        """Standard output as text; bytes that are not UTF-8 are replaced."""
        return self.stdout.decode("utf-8", "replace")

    @property
    def error_text(self) -> str:
        """Standard error as text, stripped."""
        return self.stderr.decode("utf-8", "replace").strip()


class ProcessFailedError(PatchgenError):
    """A program ended with a status that its caller did not expect."""

    exit_code = 2

    def __init__(self, done: Completed) -> None:
        self.done = done
        lines = (done.error_text or done.text.strip()).splitlines() or ["no output"]
        super().__init__(f"{' '.join(done.argv[:3])}: exit {done.returncode}: {lines[-1]}")


class ProcessTimeoutError(PatchgenError):
    """A program did not end within its time limit."""

    exit_code = 2

    def __init__(self, argv: Sequence[str], seconds: float) -> None:
        super().__init__(f"{' '.join(argv[:3])}: did not end within {seconds:g} s")


def find_tool(name: str, *, why: str = "") -> str:
    """Absolute path of a program on PATH; raises ``ToolMissingError`` when it is absent."""
    path = shutil.which(name)
    if path is None and name == "git-send-email":
        for folder in ("/usr/lib/git-core", "/usr/libexec/git-core"):
            candidate = Path(folder, name)
            if candidate.exists():
                return str(candidate)
    if path is None:
        tool = TOOLS.get(name)
        raise ToolMissingError(name, tool.install if tool else f"{_APT} {name}", why=why)
    return path


def have_tool(name: str) -> bool:
    """Whether a program is on PATH."""
    try:
        find_tool(name)
    except ToolMissingError:
        return False
    return True


@contextmanager
def _interrupts_later() -> Iterator[list[int]]:
    """Hold back SIGINT and SIGTERM while a child is being started.

    An interrupt in the middle of ``Popen()`` would lose the child that is already running.
    The signals that came are listed; whoever has the child in hand raises them again.
    """
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return
    saved = {number: signal.signal(number, lambda seen, _: came.append(seen))
             for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield came
    finally:
        for number, handler in saved.items():
            signal.signal(number, handler)


@contextmanager
def _own_group(child: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        raise


def run(
    argv: Sequence[str | os.PathLike[str]],
    *,
    timeout: float,
    cwd: Path | None = None,
    stdin: bytes | None = None,
    env: Mapping[str, str] | None = None,
    check: bool = True,
) -> Completed:
    """Run a program to its end and return what it printed.

    ``timeout`` is in seconds. ``env`` is added to the environment. With ``check`` a non-zero
    status raises ``ProcessFailedError``. Raises ``ToolMissingError`` when the program is
    absent and ``ProcessTimeoutError`` past the limit; the child's process group is gone by
    then in every case.
    """
    words = [os.fspath(word) for word in argv]
    if "/" not in words[0]:
        words[0] = find_tool(words[0])
    with _interrupts_later() as came:
        child = subprocess.Popen(
            words,
            cwd=cwd,
            env={**os.environ, **env} if env else None,
            stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    with _own_group(child):
        for number in came:
            signal.raise_signal(number)
        try:
            out, err = child.communicate(stdin, timeout=timeout)
        except subprocess.TimeoutExpired as late:
            raise ProcessTimeoutError(words, timeout) from late
    done = Completed(tuple(words), child.returncode, out, err)
    if check and done.returncode != 0:
        raise ProcessFailedError(done)
    return done


def run_attached(argv: Sequence[str | os.PathLike[str]], *, timeout: float) -> int:
    """Run a program on the user's own terminal, for one that asks questions.

    Returns its exit status; ``timeout`` is in seconds. Raises as ``run`` does.
    """
    words = [os.fspath(word) for word in argv]
    words[0] = find_tool(words[0])
    child = subprocess.Popen(words)
    try:
        return child.wait(timeout)
    except subprocess.TimeoutExpired as late:
        child.kill()
        child.wait()
        raise ProcessTimeoutError(words, timeout) from late
    except BaseException:
        child.terminate()
        child.wait()
        raise


class ProcessCancelledError(PatchgenError):
    """A program was ended because another part of the same job gave up."""

    exit_code = 130


def stream(
    argv: Sequence[str | os.PathLike[str]],
    *,
    timeout: float,
    on_line: Callable[[str], bool],
    cancel: threading.Event | None = None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> int | None:
    """Run a program and hand over every line of its output (both streams) as it comes.

    ``on_line`` gets a line without its end and returns whether to go on; False ends the
    program. Returns the exit status, or None when it was ended that way. ``timeout`` is in
    seconds. Raises ``ToolMissingError``, ``ProcessTimeoutError``, and ``ProcessCancelledError``
    when ``cancel`` is set meanwhile; the child's process group is gone by then in every case.
    """
    words = [os.fspath(word) for word in argv]
    if "/" not in words[0]:
        words[0] = find_tool(words[0])
    with _interrupts_later() as came:
        child = subprocess.Popen(
            words, cwd=cwd, env={**os.environ, **env} if env else None, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )
    assert child.stdout is not None
    with child.stdout, _own_group(child):
        for number in came:
            signal.raise_signal(number)
        for line in _lines(child.stdout.fileno(), words, time.monotonic() + timeout, timeout,
                           cancel):
            if not on_line(line):
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                return None
        return child.wait(max(1.0, timeout))


def _lines(
    descriptor: int, words: Sequence[str], deadline: float, timeout: float,
    cancel: threading.Event | None,
) -> Iterator[str]:
    rest = b""
    while True:
        if cancel is not None and cancel.is_set():
            raise ProcessCancelledError(f"{words[0]}: ended early")
        left = deadline - time.monotonic()
        if left <= 0:
            raise ProcessTimeoutError(words, timeout)
        if not select.select([descriptor], [], [], min(left, 0.2))[0]:
            continue
        data = os.read(descriptor, 65536)
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        yield from (line.rstrip(b"\r").decode("utf-8", "replace") for line in lines)
    if rest:
        yield rest.decode("utf-8", "replace")
