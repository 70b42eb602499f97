"""Single functions of the rendered driver, compiled for this machine and called from Python."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

from patchgen.process import find_tool, run
from patchgen.profiles import profile_for
from patchgen.render import RenderContext, render

DRIVER = "drivers/crypto/realtek"
ALL_FEATURES = frozenset({"realtek.hash", "realtek.skcipher"})
STUBS = Path(__file__).with_name("engine_harness_stubs.h")
CALLS = Path(__file__).with_name("engine_harness_calls.c")


def rendered(name: str, kernel: str = "6.12", features: frozenset[str] = ALL_FEATURES) -> str:
    """One file of the driver as it is with some features on."""
    return render("realtek", f"{DRIVER}/{name}", RenderContext(profile_for(kernel), features))


def function(source: str, name: str) -> str:
    """The whole text of one function."""
    match = re.search(rf"^[a-z][^\n;]*\b{name}\((?:[^;{{]|\n)*\n{{\n.*?^}}\n", source, re.M | re.S)
    assert match, f"no function {name}"
    return match[0]


def structure(source: str, name: str) -> str:
    """The whole text of one struct."""
    match = re.search(rf"^struct {name} {{\n.*?^}}[^\n]*;\n", source, re.M | re.S)
    assert match, f"no struct {name}"
    return match[0]


def defines(source: str) -> str:
    """All macro definitions of a file, in order, with their continuation lines."""
    return "".join(re.findall(r"^#define (?:[^\n]*\\\n)*[^\n]*\n", source, re.M))


def without_includes(header: str) -> str:
    """A header that the stubs stand in for the includes of."""
    return re.sub(r"^#include .*\n", "", header, flags=re.M)


class Request(ctypes.Structure):
    """What Python and ``struct shared_request`` of the harness share of a request."""

    _fields_ = (
        ("finished", ctypes.c_uint),
        ("run", ctypes.c_uint),
        ("bounce", ctypes.c_int),
    )


def compile_driver_functions(folder: Path) -> ctypes.CDLL:
    """A shared library of the driver's pure functions; needs a compiler for this machine."""
    header = rendered("realtek_crypto.h")
    core = rendered("realtek_crypto.c")
    cipher = rendered("realtek_crypto_skcipher.c")
    ahash = rendered("realtek_crypto_ahash.c")
    parts = [
        f'#include "{STUBS}"\n',
        without_includes(header),
        defines(cipher),
        defines(ahash),
        "struct crypto_skcipher;\n",
        structure(cipher, "rtce_skcipher_ctx"),
        structure(cipher, "rtce_skcipher_reqctx"),
        "static int rtce_skcipher_fallback_setkey(struct crypto_skcipher *tfm, const u8 *key,\n"
        "\t\t\t\t\t unsigned int keylen)\n{\n\treturn fallback_verdict;\n}\n",
    ]
    parts += [
        function(cipher, f"rtce_skcipher_{name}")
        for name in ("setkey", "count", "reach", "is_scattered", "plan")
    ]
    parts.append(function(ahash, "rtce_ahash_pad"))
    parts += [
        function(core, f"rtce_{name}")
        for name in ("begin", "unmap", "map_src", "fill_src", "fill_dst", "fill")
    ]
    parts.append(f'#include "{CALLS}"\n')
    source = folder / "driver.c"
    source.write_text("\n".join(parts), "utf-8")
    library = folder / "driver.so"
    run([find_tool("gcc"), "-shared", "-fPIC", "-O1", "-Wall", "-Wno-unused", "-Werror",
         "-o", str(library), str(source)], timeout=60)
    return ctypes.CDLL(str(library))
