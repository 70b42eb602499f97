"""sparse and smatch on changed files, with the include paths of a configured kernel tree."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from patchgen import process
from patchgen.checks.external.cache import cache_key, load, store
from patchgen.checks.external.model import External
from patchgen.checks.external.scratch import Sources, lay_out
from patchgen.checks.registry import check, get
from patchgen.errors import PatchgenError, ToolMissingError
from patchgen.findings import Severity, Skip

_LINE = re.compile(r"(?P<file>[^:\s]+):(?P<line>\d+)(?::(?P<column>\d+))?:? "
                   r"(?:(?P<function>[\w.]+\(\)) )?(?:(?P<level>error|warn|warning|info): )?"
                   r"(?P<text>.*)$")
_ARCH = re.compile(r"^# Linux/(\w+) \S+ Kernel Configuration$", re.MULTILINE)
_FOLDERS = {"x86_64": "x86", "i386": "x86", "sparc64": "sparc", "parisc64": "parisc"}
_WIDE = re.compile(r"^CONFIG_64BIT=y$", re.MULTILINE)
_BIG = re.compile(r"^CONFIG_CPU_BIG_ENDIAN=y$", re.MULTILINE)
_DEFINES = {"arm64": ("__aarch64__",), "arm": ("__arm__", "__LINUX_ARM_ARCH__=7"),
            "mips": ("__mips__", "_ABIO32=1", "_MIPS_SIM=_ABIO32", "_MIPS_SZLONG=32"),
            "x86": ("__x86_64__",), "riscv": ("__riscv",), "powerpc": ("__powerpc__",)}
_TIMEOUT = 120


@dataclass(frozen=True, slots=True)
class Flags:
    """The compiler options of a configured tree."""

    arch: str
    options: tuple[str, ...]
    config: bytes


@check(
    "sparse", scope="external", severity="warning",
    rule="sparse has nothing to say about the changed lines",
    why="It finds mixed endian types, user pointers and unbalanced locks, which compilers accept.",
    fix="make C=2 FOLDER/ shows it again",
)
def sparse(sources: Sources) -> External:
    """Every changed C file through sparse."""
    return _all_files(sources, "sparse", ("sparse", "-Wbitwise", "-Wno-return-void",
                                          "-Wno-unknown-attribute"))


@check(
    "smatch", scope="external", severity="warning",
    rule="smatch has nothing to say about the changed lines",
    why="It follows values through a function: leaks, unchecked results, impossible conditions.",
    fix="smatch_scripts/kchecker FILE shows it again",
)
def smatch(sources: Sources) -> External:
    """Every changed C file through smatch with its kernel rules."""
    return _all_files(sources, "smatch", ("smatch", "-p=kernel"))


def _all_files(sources: Sources, tool: str, command: Sequence[str]) -> External:
    result = External()
    files = [p for p in sources.paths if p.endswith(".c")]
    if not files:
        return result
    if not process.have_tool(tool):
        result.skips.append(Skip(tool, str(ToolMissingError(tool, process.TOOLS[tool].install))))
        return result
    root = sources.root
    flags = read_flags(root) if root is not None else None
    if root is None or flags is None:
        result.skips.append(Skip(tool, "needs --tree with a configured kernel: run make defconfig "
                                 "prepare in it, or use patchgen verify, which builds"))
        return result
    version = _version(tool)
    with tempfile.TemporaryDirectory(prefix="patchgen-") as name:
        folder = Path(name)
        lay_out(sources, folder, sources.paths)
        for path in files:
            key = cache_key("1", tool, version, path, " ".join(flags.options), flags.config,
                            *(sources.data(p) for p in sources.paths))
            lines = load(tool, key)
            if lines is None:
                try:
                    lines = _run(command, flags, root, folder, path)
                except PatchgenError as error:
                    result.skips.append(Skip(tool, f"{path}: {error}"))
                    continue
                store(tool, key, lines)
            _take(result, sources, tool, [str(line) for line in lines])
    result.ran.append((tool, version))
    return result


def _version(tool: str) -> str:
    try:
        done = process.run([tool, "--version"], timeout=20, check=False)
    except PatchgenError:
        return "?"
    lines = (done.text or done.error_text).strip().splitlines()
    return lines[0] if lines and done.returncode == 0 else "?"


def read_flags(root: Path) -> Flags | None:
    """The include paths and macros of a tree that was configured in place, else None."""
    config = root / ".config"
    if not config.is_file() or not (root / "include/generated/autoconf.h").is_file():
        return None
    data = config.read_bytes()
    text = data.decode("utf-8", "replace")
    match = _ARCH.search(text)
    if match is None:
        return None
    arch = _FOLDERS.get(match[1], match[1])
    includes = [f"arch/{arch}/include", f"arch/{arch}/include/generated", "include",
                f"arch/{arch}/include/uapi", f"arch/{arch}/include/generated/uapi",
                "include/uapi", "include/generated/uapi"]
    options = ["-nostdinc", *(f"-I{root / folder}" for folder in includes)]
    for header in ("compiler-version.h", "kconfig.h", "compiler_types.h"):
        if (root / "include/linux" / header).is_file():
            options += ["-include", str(root / "include/linux" / header)]
    wide = _WIDE.search(text) is not None
    big = _BIG.search(text) is not None
    options += ["-D__KERNEL__", "-D__linux__", "-m64" if wide else "-m32",
                "-mbig-endian" if big else "-mlittle-endian",
                *(f"-D{name}" for name in _DEFINES.get(arch, ()))]
    return Flags(arch, tuple(options), data)


def _run(command: Sequence[str], flags: Flags, root: Path, folder: Path, path: str) -> list[str]:
    beside = root / Path(path).parent
    module = Path(path).stem.replace("-", "_")
    done = process.run(
        [*command, *flags.options, f"-I{beside}", f'-DKBUILD_MODNAME="{module}"',
         f'-DKBUILD_BASENAME="{module}"', f"-DKBUILD_MODFILE=\"{module}\"", path],
        cwd=folder, timeout=_TIMEOUT, check=False, env={"LC_ALL": "C.UTF-8"})
    return [line for line in (done.text + "\n" + done.error_text).splitlines() if line.strip()]


def _take(result: External, sources: Sources, tool: str, lines: list[str]) -> None:
    rule = get(tool)
    known = set(sources.paths)
    for line in lines:
        match = _LINE.match(line)
        if match is None:
            result.findings.append(rule.finding(f"unknown output: {line}"))
        elif match["text"].startswith("  ") and result.findings:
            last = result.findings[-1]
            if (last.file, last.line) == (match["file"], int(match["line"])):
                more = f"{last.message}; {' '.join(match['text'].split())}"
                result.findings[-1] = replace(last, message=more)
        elif match["file"] in known and sources.is_written(match["file"], int(match["line"])):
            severity: Severity = "error" if match["level"] == "error" else "warning"
            where = f"{match['function']} " if match["function"] else ""
            result.findings.append(rule.finding(
                where + match["text"].strip(), severity=severity, file=match["file"],
                line=int(match["line"]),
                column=int(match["column"]) if match["column"] else None))
