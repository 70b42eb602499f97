"""The functions of a (rewritten) qce driver compiled for this machine and called from Python."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from patchgen.process import have_tool, run
from patchgen.steps.c_source import load
from patchgen.tree import Tree

QCE = "drivers/crypto/qce"
STUBS = Path(__file__).with_name("qce_stubs.h")
CALLS = Path(__file__).with_name("qce_calls.c")

AES, DES, DES3 = 1 << 2, 1 << 0, 1 << 1
CBC, ECB, CTR, XTS = 1 << 8, 1 << 9, 1 << 10, 1 << 11
SOFTWARE, HARDWARE = ord("S"), ord("H")


class Outcome(ctypes.Structure):
    """``struct outcome`` of the harness."""

    _fields_ = (
        ("setkey", ctypes.c_int),
        ("crypt", ctypes.c_int),
        ("fallback_setkeys", ctypes.c_uint),
        ("fallback_keylen", ctypes.c_uint),
        ("fallback_flags", ctypes.c_uint),
        ("enc_keylen", ctypes.c_uint),
        ("copied", ctypes.c_uint),
        ("software_len", ctypes.c_uint),
        ("software_buffers", ctypes.c_uint),
    )


class Entry(ctypes.Structure):
    """``struct scatterlist`` of the harness."""

    _fields_ = (
        ("page", ctypes.c_void_p),
        ("offset", ctypes.c_uint),
        ("length", ctypes.c_uint),
        ("last", ctypes.c_bool),
    )


@dataclass(frozen=True)
class Driver:
    """The compiled functions."""

    library: ctypes.CDLL

    def decide(self, flags: int, keylens: tuple[int, ...], length: int, param: int,
               encrypt: int = 1) -> Outcome:
        """Set the keys in turn, do one request of ``length`` bytes, and say what happened."""
        out = Outcome()
        keys = (ctypes.c_uint * max(1, len(keylens)))(*keylens)
        self.library.decide(ctypes.c_ulong(flags), keys, len(keylens), length, param, encrypt,
                            ctypes.byref(out))
        return out

    def add_entries(self, slot_count: int, used: int, entries: list[tuple[int, int, int]],
                    budget: int) -> tuple[int, list[tuple[int, int, int]]]:
        """``qce_sgtable_add()``: the index it returns (-1: NULL) and (page, offset, length) of
        all slots; entries are given the same way."""
        slots = (Entry * max(1, slot_count))()
        given = (Entry * max(1, len(entries)))()
        for entry, (page, offset, length) in zip(given, entries, strict=False):
            entry.page, entry.offset, entry.length = page, offset, length
        last = self.library.add_entries(slots, slot_count, used, given, len(entries), budget)
        return last, [(s.page or 0, s.offset, s.length) for s in slots[:slot_count]]

    @property
    def parameter(self) -> tuple[str, int, str]:
        """Type, mode and description of the module parameter."""
        for name in ("description", "parameter_type"):
            getattr(self.library, name).restype = ctypes.c_char_p
        return (self.library.parameter_type().decode(), self.library.parameter_mode(),
                self.library.description().decode())


def need_compiler() -> None:
    """Skip, by name, where there is no C compiler."""
    if not have_tool("gcc"):
        pytest.skip("gcc is not installed: apt-get install gcc")


def compile_driver(tree: Tree, folder: Path, *, default: int = 512) -> Driver:
    """The key setting, the decision and the scatterlist function of the driver in a tree."""
    need_compiler()
    cipher = next(f"{QCE}/{name}" for name in ("skcipher.c", "ablkcipher.c")
                  if tree.exists(f"{QCE}/{name}"))
    source, dma = load(tree, cipher), load(tree, f"{QCE}/dma.c")
    setkey = next(f for f in source.functions("qce_*_setkey") if "fallback" in source.text(f.node))
    crypt = source.functions("qce_*_crypt")[0]
    parameter = re.search(r"^static unsigned int aes_sw_max_len = .*?MODULE_PARM_DESC\(.*?\);\n",
                          tree.read(cipher), re.M | re.S)
    add = dma.functions("qce_sgtable_add")[0]
    extra = ", budget" if dma.text(add.declarator).count(",") == 2 else ""
    parts = [
        f'#include "{STUBS}"\n',
        f"#define CONFIG_CRYPTO_DEV_QCE_SW_MAX_LEN {default}\n",
        *(f"{line}\n" for path in ("common.h", "common.c")
          for line in tree.read(f"{QCE}/{path}").splitlines() if "define QCE_SECTOR_SIZE" in line),
        parameter[0] + "#define HAS_PARAM\n" if parameter else "",
        f"#define SET_PARAM(x) {'(aes_sw_max_len = (x))' if parameter else '((void)(x))'}\n",
        f"#define ADD_ENTRIES(table, list, budget) qce_sgtable_add(table, list{extra})\n",
        f"#define SETKEY {setkey.name}\n#define CRYPT {crypt.name}\n",
        dma.text(add.node) + "\n",
        source.text(setkey.node) + "\n",
        source.text(crypt.node) + "\n",
        f'#include "{CALLS}"\n',
    ]
    folder.mkdir(parents=True, exist_ok=True)
    text = folder / "driver.c"
    text.write_text("".join(parts), "utf-8")
    library = folder / "driver.so"
    run(["gcc", "-shared", "-fPIC", "-O0", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function",
         "-Wno-unused-variable", "-Wno-sign-compare", "-o", str(library), str(text)], timeout=60)
    return Driver(ctypes.CDLL(str(library)))
