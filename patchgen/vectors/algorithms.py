"""The algorithms that vectors can be about, by the names the kernel's crypto API gives them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from patchgen.errors import InputError

Kind = Literal["cipher", "hash", "mac", "aead"]


@dataclass(frozen=True, slots=True)
class Algorithm:
    """`name` is the kernel's where it has the algorithm; sizes are in bytes.

    `output_size` is that of a digest (0 where the output is as long as the input), which may
    be cut down to `shortest_output` where that is not 0; `whole_blocks` means that input must
    be a multiple of 16.
    """

    name: str
    kind: Kind
    aliases: tuple[str, ...] = ()
    key_sizes: tuple[int, ...] = ()
    iv_sizes: tuple[int, ...] = ()
    output_size: int = 0
    shortest_output: int = 0
    whole_blocks: bool = False
    shortest_input: int = 0


_AES = (16, 24, 32)

ALGORITHMS: dict[str, Algorithm] = {
    a.name: a
    for a in (
        Algorithm("ecb(aes)", "cipher", ("ecb-aes", "aes-ecb", "aes"), _AES, (0,),
                  whole_blocks=True),
        Algorithm("cbc(aes)", "cipher", ("cbc-aes", "aes-cbc"), _AES, (16,), whole_blocks=True),
        Algorithm("cts(cbc(aes))", "cipher", ("cts-cbc-aes", "aes-cbc-cts"), _AES, (16,),
                  shortest_input=16),
        Algorithm("ctr(aes)", "cipher", ("ctr-aes", "aes-ctr"), _AES, (16,)),
        Algorithm("ctr32(aes)", "cipher", ("ctr32-aes", "aes-ctr32"), _AES, (16,)),
        Algorithm("xts(aes)", "cipher", ("xts-aes", "aes-xts"), (32, 48, 64), (16,),
                  shortest_input=16),
        Algorithm("essiv(cbc(aes),sha256)", "cipher", ("essiv-cbc-aes",), _AES, (16,),
                  whole_blocks=True),
        Algorithm("chacha20", "cipher", (), (32,), (16,)),
        Algorithm("chacha12", "cipher", (), (32,), (16,)),
        Algorithm("xchacha20", "cipher", (), (32,), (32,)),
        Algorithm("xchacha12", "cipher", (), (32,), (32,)),
        Algorithm("cbcmac(aes)", "mac", ("cbcmac-aes", "aes-cbc-mac"), _AES,
                  output_size=16, shortest_output=4),
        Algorithm("cmac(aes)", "mac", ("cmac-aes", "aes-cmac"), _AES,
                  output_size=16, shortest_output=4),
        Algorithm("xcbc(aes)", "mac", ("xcbc-aes", "aes-xcbc-mac"), (16,),
                  output_size=16, shortest_output=4),
        Algorithm("ghash", "mac", (), (16,), output_size=16),
        Algorithm("crc32", "mac", ("crc-32",), (0, 4), output_size=4),
        Algorithm("crc32c", "mac", ("crc-32c",), (0, 4), output_size=4),
        Algorithm("crct10dif", "hash", ("crc-t10dif",), output_size=2),
        Algorithm("md5", "hash", (), output_size=16),
        Algorithm("sha1", "hash", ("sha-1",), output_size=20),
        Algorithm("sha224", "hash", ("sha-224",), output_size=28),
        Algorithm("sha256", "hash", ("sha-256",), output_size=32),
        Algorithm("sha384", "hash", ("sha-384",), output_size=48),
        Algorithm("sha512", "hash", ("sha-512",), output_size=64),
        Algorithm("gcm(aes)", "aead", ("gcm-aes", "aes-gcm"), _AES),
        Algorithm("ccm(aes)", "aead", ("ccm-aes", "aes-ccm"), _AES, tuple(range(7, 14))),
        Algorithm("rfc4106(gcm(aes))", "aead", ("rfc4106-gcm-aes",), (20, 28, 36), (8,)),
        Algorithm("rfc4309(ccm(aes))", "aead", ("rfc4309-ccm-aes",), (19, 27, 35), (8,)),
    )
}

_BY_ALIAS = {alias: a for a in ALGORITHMS.values() for alias in a.aliases}


def find(name: str) -> Algorithm | None:
    """The algorithm of a name or alias (any case), or None."""
    lowered = name.lower()
    return ALGORITHMS.get(lowered) or _BY_ALIAS.get(lowered)


def get(name: str) -> Algorithm:
    """The algorithm of a name or alias; raises `InputError` with the nearest names."""
    algorithm = find(name)
    if algorithm is None:
        raise InputError(f"no algorithm is called {name!r}", advice=nearest(name, ALGORITHMS))
    return algorithm


def nearest(name: str, choices: Iterable[str]) -> str:
    """The advice to give for a name that is none of the choices."""
    lowered = {choice.lower(): choice for choice in sorted(choices)}
    near = [lowered[n] for n in difflib.get_close_matches(name.lower(), lowered, 3, 0.5)]
    return f"did you mean {', '.join(near)}?" if near else "see: patchgen vectors list"
