"""Second in-house forms, for what OpenSSL, hashlib and zlib do not have.

Each is the definition written down bit by bit or byte by byte, sharing no code with the
form it checks.
"""

from __future__ import annotations

from patchgen.vectors.forms import Form
from patchgen.vectors.model import Vector
from patchgen.vectors.reference_forms import crc32_seed
from reference import chacha_definition, crc, ghash

NAME = "definition"


def _chacha(rounds: int) -> Form:
    def crypt(v: Vector, data: bytes) -> bytes:
        counter = int.from_bytes(v.iv[:4], "little")
        return chacha_definition.crypt(v.key, counter, v.iv[4:], data, rounds)

    return Form(NAME, lambda v: (crypt(v, v.input), b""), lambda v: crypt(v, v.output))


def _xchacha(rounds: int) -> Form:
    def crypt(v: Vector, data: bytes) -> bytes:
        subkey = chacha_definition.hchacha(v.key, v.iv[:16], rounds)
        counter = int.from_bytes(v.iv[24:28], "little")
        nonce = v.iv[28:] + v.iv[16:24]
        return chacha_definition.crypt(subkey, counter, nonce, data, rounds)

    return Form(NAME, lambda v: (crypt(v, v.input), b""), lambda v: crypt(v, v.output))


def _ghash(v: Vector) -> tuple[bytes, bytes]:
    h, y = int.from_bytes(v.key, "big"), 0
    for i in range(0, len(v.input), 16):
        block = v.input[i : i + 16].ljust(16, b"\0")
        y = ghash.multiply(y ^ int.from_bytes(block, "big"), h)
    return y.to_bytes(16, "big"), b""


def _crc32(v: Vector) -> tuple[bytes, bytes]:
    p = crc.PARAMETERS_CRC32
    register = crc.register_bit_by_bit(p, crc32_seed(v.key, 0), v.input)
    return register.to_bytes(4, "little"), b""


def _crc32c(v: Vector) -> tuple[bytes, bytes]:
    p = crc.PARAMETERS_CRC32C
    register = crc.register_bit_by_bit(p, crc32_seed(v.key, 0xFFFFFFFF), v.input)
    return (register ^ 0xFFFFFFFF).to_bytes(4, "little"), b""


def _crct10dif(v: Vector) -> tuple[bytes, bytes]:
    register = crc.register_bit_by_bit(crc.PARAMETERS_CRC_T10DIF, 0, v.input)
    return register.to_bytes(2, "big"), b""


FORMS: dict[str, Form] = {
    "chacha20": _chacha(20),
    "chacha12": _chacha(12),
    "xchacha20": _xchacha(20),
    "xchacha12": _xchacha(12),
    "ghash": Form(NAME, _ghash),
    "crc32": Form(NAME, _crc32),
    "crc32c": Form(NAME, _crc32c),
    "crct10dif": Form(NAME, _crct10dif),
}
