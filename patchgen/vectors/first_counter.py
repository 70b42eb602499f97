"""GCM IVs whose first counter block is chosen: counters that wrap in 32 bits can be reached.

For an IV of 16 bytes J0 is ((IV . H) + L) . H with L the block of lengths (SP 800-38D
section 7.1 step 2), which can be solved for the IV because GF(2^128) is a field.
"""

from __future__ import annotations

from reference.aes import AES
from reference.ghash import multiply

_ONE = 1 << 127
_LENGTHS = 8 * 16


def _inverse(h: int) -> int:
    """h^(2^128 - 2), the inverse of a block other than zero."""
    result, power = _ONE, h
    for _ in range(127):
        power = multiply(power, power)
        result = multiply(result, power)
    return result


def iv_for_first_counter(key: bytes, j0: bytes) -> bytes:
    """The IV of 16 bytes for which the pre-counter block under `key` is `j0`."""
    inverse = _inverse(AES(key).encrypt_number(0))
    before = multiply(int.from_bytes(j0, "big"), inverse) ^ _LENGTHS
    return multiply(before, inverse).to_bytes(16, "big")
