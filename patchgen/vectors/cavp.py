"""Reading NIST CAVP response files (`.rsp`): AES modes, GCM, CCM, XTS, CMAC and SHA.

A file is lines `NAME = value` in blocks; `[NAME = value]` and values in front of a block
hold for all that follow. Lengths are in bits except those of CCM, and a length of 0 means
that the value given with it is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from patchgen.errors import InputError
from patchgen.vectors.imported import Imported, unhex
from patchgen.vectors.model import Vector

_LINE = re.compile(r"\s*(\w+)\s*=\s*(.*?)\s*$")
_SECTION = re.compile(r"\s*\[\s*(.*?)\s*\]\s*$")

_HASHES = {16: "md5", 20: "sha1", 28: "sha224", 32: "sha256", 48: "sha384", 64: "sha512"}
_RESULTS = frozenset(("ct", "ciphertext", "md", "mac", "output", "tag"))


@dataclass(slots=True)
class _Block:
    """One test: its values by lower-case name, the line each is on, and the section."""

    values: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    fails: bool = False
    line: int = 0


def read_cavp(text: str, path: Path) -> Imported:
    """All tests of a response file; raises `InputError` with the line of what is wrong."""
    header = " ".join(line for line in text.splitlines()[:12] if line.startswith("#"))
    if re.search(r"\b(MCT|Monte)\b", header):
        raise InputError("a Monte Carlo file holds links of a chain, not vectors", path=path,
                         advice="give the known answer or multi-block file")
    vectors, skipped = [], []
    for number, block in enumerate(_blocks(text, path)):
        label = f"{path.name}/{number} (line {block.line})"
        made = _vector(block, label, header, path)
        if isinstance(made, Vector):
            vectors.append(made)
        else:
            skipped.append((label, made))
    if not vectors and not skipped:
        raise InputError("no test vector in it", path=path,
                         advice="a CAVP file has lines NAME = value, a Wycheproof file is JSON")
    return Imported("CAVP", tuple(vectors), tuple(skipped))


def _blocks(text: str, path: Path) -> Iterator[_Block]:
    """Tests one by one: a block ends at an empty line once it has a result."""
    context: dict[str, str] = {}
    block = _Block()
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped:
            if _is_test(block):
                yield _with_context(block, context)
            else:
                context.update(block.values)
            block = _Block()
        elif stripped.startswith("#"):
            continue
        elif section := _SECTION.match(line):
            _enter(section[1], context)
        elif stripped.upper() == "FAIL":
            block.fails = True
        elif found := _LINE.match(line):
            name = found[1].lower()
            block.line = block.line or number
            if name in block.values:
                raise InputError(f"{found[1]} is given twice", path=path, line=number)
            block.values[name], block.lines[name] = found[2], number
        else:
            raise InputError(f"{stripped[:40]!r} is not NAME = value", path=path, line=number)
    if _is_test(block):
        yield _with_context(block, context)
    elif block.values and "count" in block.values:
        raise InputError("the last test has no result", path=path, line=block.line,
                         advice="is the file cut off?")


def _is_test(block: _Block) -> bool:
    return block.fails or bool(_RESULTS & set(block.values))


def _enter(section: str, context: dict[str, str]) -> None:
    for part in section.split(","):
        name, equals, value = part.partition("=")
        if equals:
            context[name.strip().lower()] = value.strip()
        else:
            context["direction"] = name.strip().lower()


def _with_context(block: _Block, context: dict[str, str]) -> _Block:
    block.values = {**context, **block.values}
    return block


def _vector(block: _Block, label: str, header: str, path: Path) -> Vector | str:
    """The vector of a block, or the reason why it is none."""
    values = block.values
    get = _Getter(block, path)
    source = f"{path.name}, line {block.line}"
    invalid = block.fails or values.get("result", "").lower().startswith("f")
    if "md" in values:
        return _digest(get, label, source)
    if "mac" in values or ("message" in values and "output" in values):
        return _cmac(get, label, source, invalid)
    if "nonce" in values:
        return _ccm(get, label, source, invalid)
    if "dataunitlen" in values:
        return _xts(get, label, source)
    if "tag" in values or "aad" in values:
        return _gcm(get, label, source, invalid)
    if "ciphertext" in values or "ct" in values:
        return _mode(get, label, source, header)
    raise InputError("a test without tag, digest or ciphertext", path=path, line=block.line)


class _Getter:
    """Values of a block as bytes and numbers, with the line in every error."""

    def __init__(self, block: _Block, path: Path) -> None:
        self._block, self._path = block, path

    def has(self, name: str) -> bool:
        """Whether the block or what holds for it has a value."""
        return name in self._block.values

    def octets(self, *names: str) -> bytes:
        """The first of some values; raises `InputError` when there is none."""
        for name in names:
            if name in self._block.values:
                line = self._block.lines.get(name)
                return unhex(self._block.values[name], name, self._path, line)
        raise InputError(f"the test has no {names[0].upper()}", path=self._path,
                         line=self._block.line)

    def number(self, name: str) -> int:
        """A decimal value; raises `InputError` when it is none."""
        value = self._block.values.get(name, "")
        if not value.isdecimal():
            raise InputError(f"{name} is {value!r}, not a number", path=self._path,
                             line=self._block.lines.get(name, self._block.line))
        return int(value)

    def sized(self, name: str, bits: int) -> bytes:
        """A value of so many bits; a value given along with the length 0 is none at all."""
        if bits == 0:
            return b""
        value = self.octets(name)
        if len(value) != bits // 8:
            raise InputError(f"{name} has {len(value)} bytes, its length says {bits // 8}",
                             path=self._path, line=self._block.lines.get(name))
        return value

    def error(self, what: str) -> InputError:
        """An error about this block."""
        return InputError(what, path=self._path, line=self._block.line)


def _digest(get: _Getter, label: str, source: str) -> Vector | str:
    if not get.has("msg"):
        return "a link of a chain, not a vector"
    bits = get.number("len")
    if bits % 8:
        return f"a message of {bits} bits"
    digest = get.octets("md")
    name = _HASHES.get(len(digest))
    if name is None:
        raise get.error(f"no hash has a digest of {len(digest)} bytes")
    return Vector(label, name, source, input=get.sized("msg", bits), output=digest)


def _cmac(get: _Getter, label: str, source: str, invalid: bool) -> Vector | str:
    key = get.octets("key")
    bits = 8 * get.number("mlen") if get.has("mlen") else None
    message = get.octets("msg", "message") if bits is None else get.sized("msg", bits)
    return Vector(label, "cmac(aes)", source, key=key, input=message,
                  output=get.octets("mac", "output"), valid=not invalid)


def _ccm(get: _Getter, label: str, source: str, invalid: bool) -> Vector | str:
    sealed, size = get.octets("ct"), get.number("tlen")
    aad = get.sized("adata", 8 * get.number("alen"))
    if len(sealed) < size:
        raise get.error(f"CT has {len(sealed)} bytes, its tag alone {size}")
    output, tag = sealed[: len(sealed) - size], sealed[len(sealed) - size :]
    payload = bytes(len(output)) if invalid else get.sized("payload", 8 * get.number("plen"))
    return Vector(label, "ccm(aes)", source, key=get.octets("key"), iv=get.octets("nonce"),
                  aad=aad, input=payload, output=output, tag=tag, valid=not invalid)


def _xts(get: _Getter, label: str, source: str) -> Vector | str:
    bits = get.number("dataunitlen")
    if bits % 8:
        return f"a data unit of {bits} bits"
    number = get.has("dataunitseqnumber")
    tweak = get.number("dataunitseqnumber").to_bytes(16, "little") if number else get.octets("i")
    return Vector(label, "xts(aes)", source, key=get.octets("key"), iv=tweak,
                  input=get.sized("pt", bits), output=get.sized("ct", bits))


def _gcm(get: _Getter, label: str, source: str, invalid: bool) -> Vector | str:
    output = get.octets("ct")
    text = bytes(len(output)) if invalid else get.octets("pt")
    return Vector(label, "gcm(aes)", source, key=get.octets("key"), iv=get.octets("iv"),
                  aad=get.octets("aad"), input=text, output=output, tag=get.octets("tag"),
                  valid=not invalid)


def _mode(get: _Getter, label: str, source: str, header: str) -> Vector | str:
    found = re.search(r"test data for (\w+)", header)
    mode = found[1].lower() if found else ("cbc" if get.has("iv") else "ecb")
    if mode not in ("ecb", "cbc", "ctr"):
        return f"AES in {mode.upper()} mode is not one of ours"
    iv = b"" if mode == "ecb" else get.octets("iv")
    return Vector(label, f"{mode}(aes)", source, key=get.octets("key"), iv=iv,
                  input=get.octets("plaintext", "pt"), output=get.octets("ciphertext", "ct"))
