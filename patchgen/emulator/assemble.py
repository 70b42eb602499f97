"""From the text of a ``.S`` file to a linked image, with the pip-installable clang.

Kernel headers are replaced by our own small ones in ``include/``; objects are cached by
content, so that an unchanged routine is assembled once.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from patchgen import process
from patchgen.errors import InputError, ToolMissingError

INCLUDE = Path(__file__).resolve().parent / "include"
TEXT_ADDRESS = 0x400000
TIME_LIMIT = 60.0


@dataclass(frozen=True, slots=True)
class Source:
    """One assembly file: its name (for messages) and text; ``headers`` are beside it by
    the name it includes them with."""

    name: str
    text: str
    headers: tuple[tuple[str, str], ...] = ()
    defines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Segment:
    """A loadable part of an image."""

    address: int
    data: bytes
    size: int


@dataclass(frozen=True, slots=True)
class Image:
    """A linked image: its segments, and the address of every symbol."""

    segments: tuple[Segment, ...]
    symbols: Mapping[str, int]


def zig() -> list[str]:
    """The words that start zig; raises ``ToolMissingError`` without the extra ``asm``."""
    if importlib.util.find_spec("ziglang") is None:
        raise ToolMissingError("ziglang", "pip install 'patchgen[asm]'",
                               why="it assembles arm64 templates")
    return [sys.executable, "-m", "ziglang"]


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "patchgen" / "objects"


def assemble(source: Source, *, big_endian: bool = False) -> bytes:
    """The object file of a source; raises ``InputError`` with the assembler's first error."""
    target = f"aarch64{'_be' if big_endian else ''}-freestanding"
    digest = hashlib.sha256(repr((source, target, _include_digest())).encode()).hexdigest()
    cached = _cache() / f"{digest}.o"
    if cached.is_file():
        return cached.read_bytes()
    with tempfile.TemporaryDirectory(prefix="patchgen-asm-") as name:
        folder = Path(name)
        (folder / "routine.S").write_text(source.text, "utf-8")
        for header, text in source.headers:
            path = folder / "headers" / header
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        done = process.run(
            [*zig(), "cc", "-target", target, "-c", "-D__ASSEMBLY__", "-I", folder / "headers",
             "-I", INCLUDE, *(f"-D{define}" for define in source.defines),
             "-o", folder / "routine.o", folder / "routine.S"],
            timeout=TIME_LIMIT, check=False)
        if done.returncode != 0:
            raise InputError(_first_error(done.error_text), path=source.name)
        data = (folder / "routine.o").read_bytes()
    cached.parent.mkdir(parents=True, exist_ok=True)
    partial = cached.with_suffix(f".{os.getpid()}")
    partial.write_bytes(data)
    partial.rename(cached)
    return data


def _include_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(INCLUDE.rglob("*.h")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _first_error(text: str) -> str:
    errors = [line for line in text.splitlines() if "error:" in line]
    first = (errors or text.splitlines() or ["the assembler failed"])[0]
    return first.rpartition("routine.S:")[2] or first


def link(objects: Sequence[bytes], *, big_endian: bool = False) -> Image:
    """Link objects at ``TEXT_ADDRESS``; raises ``InputError`` for an undefined symbol."""
    with tempfile.TemporaryDirectory(prefix="patchgen-link-") as name:
        folder = Path(name)
        for number, data in enumerate(objects):
            (folder / f"{number}.o").write_bytes(data)
        emulation = "aarch64elfb" if big_endian else "aarch64elf"
        done = process.run(
            [*zig(), "ld.lld", "-m", emulation, "--no-relax", "--entry=0",
             f"--image-base={TEXT_ADDRESS:#x}", "-o", folder / "image.elf",
             *(folder / f"{number}.o" for number in range(len(objects)))],
            timeout=TIME_LIMIT, check=False)
        if done.returncode != 0:
            raise InputError((done.error_text or "ld.lld failed").splitlines()[0])
        return read_image(folder / "image.elf")


def read_image(path: Path) -> Image:
    """The loadable segments and the symbols of an ELF file."""
    if importlib.util.find_spec("elftools") is None:
        raise ToolMissingError("pyelftools", "pip install 'patchgen[emulate]'",
                               why="it reads assembled routines")
    from elftools.elf.elffile import ELFFile

    with path.open("rb") as handle:
        elf = ELFFile(handle)
        segments = tuple(
            Segment(part["p_vaddr"], part.data(), part["p_memsz"])
            for part in elf.iter_segments() if part["p_type"] == "PT_LOAD")
        symbols = {
            symbol.name: int(symbol["st_value"])
            for symbol in _symbols(elf) if symbol.name and not symbol.name.startswith("$")}
    return Image(segments, symbols)


def _symbols(elf: Any) -> Iterator[Any]:
    table = elf.get_section_by_name(".symtab")
    if table is not None:
        yield from table.iter_symbols()


def undefined_symbols(data: bytes) -> tuple[str, ...]:
    """The symbols an object needs from elsewhere, sorted."""
    import io

    from elftools.elf.elffile import ELFFile

    return tuple(sorted(
        symbol.name for symbol in _symbols(ELFFile(io.BytesIO(data)))
        if symbol.name and symbol["st_shndx"] == "SHN_UNDEF"))
