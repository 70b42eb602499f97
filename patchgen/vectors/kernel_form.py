"""A vector as the kernel's testmgr wants its fields (crypto/testmgr.h, 6.1 and 6.12).

The kernel glues a tag to the ciphertext, puts the CCM nonce into a whole block, repeats the
IV of the IPsec modes behind the associated data, and expects the IV to be moved on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from patchgen.errors import InputError
from patchgen.vectors.algorithms import get
from patchgen.vectors.model import Vector

Struct = Literal["cipher_testvec", "hash_testvec", "aead_testvec"]

LONGEST_INPUT = 8192
"""testmgr's buffers hold more, but a header with longer strings is of no use to a reader."""

_U16_DIGEST = "crct10dif"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a test vector: bytes for a string, an int for a length, str for other C."""

    name: str
    value: bytes | int | str


@dataclass(frozen=True, slots=True)
class KernelVector:
    """The members of one initialiser, in the order of the struct, and its comment."""

    source: str
    members: tuple[Member, ...]


def struct_of(algorithm: str) -> Struct:
    """The struct of testmgr.h that vectors of an algorithm are written in."""
    kind = get(algorithm).kind
    if kind == "cipher":
        return "cipher_testvec"
    return "aead_testvec" if kind == "aead" else "hash_testvec"


def obstacle_to_kernel(vector: Vector) -> str | None:
    """Why the kernel's API cannot be given a vector, or None when it can."""
    if max(len(vector.input), len(vector.aad)) > LONGEST_INPUT:
        return f"longer than {LONGEST_INPUT} bytes"
    if vector.algorithm == "gcm(aes)" and len(vector.iv) != 12:
        return f"the kernel takes GCM IVs of 12 bytes, not {len(vector.iv)}"
    if vector.algorithm == "gcm(aes)" and len(vector.tag) not in (4, 8, 12, 13, 14, 15, 16):
        return f"a GCM tag of {len(vector.tag)} bytes"
    if vector.algorithm.startswith("rfc4") and len(vector.tag) not in (8, 12, 16):
        return f"IPsec has no tag of {len(vector.tag)} bytes"
    if vector.algorithm == "xts(aes)" and _equal_halves(vector.key):
        return "both halves of the XTS key are equal"
    if not vector.valid and get(vector.algorithm).kind != "aead":
        return "marked invalid"
    return None


def kernel_vector(vector: Vector) -> KernelVector:
    """The initialiser of a vector; raises `InputError` where `obstacle_to_kernel` has one."""
    reason = obstacle_to_kernel(vector)
    if reason:
        raise InputError(f"{vector.name} cannot be a kernel test vector: {reason}")
    struct = struct_of(vector.algorithm)
    if struct == "cipher_testvec":
        members = _cipher(vector)
    elif struct == "aead_testvec":
        members = _aead(vector)
    else:
        members = _hash(vector)
    return KernelVector(vector.source, tuple(members))


def _cipher(v: Vector) -> list[Member]:
    members = [Member("key", v.key), Member("klen", len(v.key))]
    if v.iv:
        members.append(Member("iv", v.iv))
    moved = moved_iv(v)
    if moved is not None:
        members.append(Member("iv_out", moved))
    return [*members, Member("ptext", v.input), Member("ctext", v.output),
            Member("len", len(v.input))]


def moved_iv(v: Vector) -> bytes | None:
    """The IV that a later request would go on with, for modes whose drivers hand it out."""
    if v.algorithm == "cbc(aes)":
        return (v.iv + v.output)[-16:]
    if v.algorithm == "ctr(aes)":
        blocks = -(-len(v.input) // 16)
        return ((int.from_bytes(v.iv, "big") + blocks) % (1 << 128)).to_bytes(16, "big")
    return None


def _hash(v: Vector) -> list[Member]:
    digest: bytes | str = v.output
    if v.algorithm == _U16_DIGEST:
        digest = f"(u8 *)(u16 []){{ 0x{v.output.hex()} }}"
    members = [Member("plaintext", v.input), Member("psize", len(v.input)),
               Member("digest", digest)]
    if v.key:
        members = [Member("key", v.key), Member("ksize", len(v.key)), *members]
    return members


def _aead(v: Vector) -> list[Member]:
    iv, aad = v.iv, v.aad
    if v.algorithm == "ccm(aes)":
        iv = bytes([14 - len(v.iv)]) + v.iv.ljust(15, b"\0")
    elif v.algorithm.startswith("rfc4"):
        aad = v.aad + v.iv
    sealed = v.output + v.tag
    members = [
        Member("key", v.key), Member("klen", len(v.key)), Member("iv", iv),
        Member("assoc", aad), Member("alen", len(aad)),
        Member("ptext", v.input), Member("plen", len(v.input)),
        Member("ctext", sealed), Member("clen", len(sealed)),
    ]
    if not v.valid:
        members.insert(0, Member("novrfy", 1))
    return members


def _equal_halves(key: bytes) -> bool:
    return key[: len(key) // 2] == key[len(key) // 2 :]
