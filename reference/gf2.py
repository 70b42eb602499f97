"""Polynomials over GF(2) as integers: bit i is the coefficient of x^i.

CRCs, GHASH and XTS stand on the carry-less product defined here.
"""

from __future__ import annotations

from functools import lru_cache

REVERSED_BITS = bytes(int(f"{b:08b}"[::-1], 2) for b in range(256))
"""Table for `bytes.translate` that turns the bits of every byte round."""


def clmul(a: int, b: int) -> int:
    """The carry-less product of two polynomials of any degree (`pmull`, `pclmulqdq`)."""
    if a.bit_count() < b.bit_count():
        a, b = b, a
    product = 0
    while b:
        lowest = b & -b
        product ^= a * lowest
        b ^= lowest
    return product


def remainder(a: int, modulus: int) -> int:
    """a modulo a polynomial of degree 1 or more; the result has a smaller degree."""
    degree = modulus.bit_length()
    while a.bit_length() >= degree:
        a ^= modulus << (a.bit_length() - degree)
    return a


@lru_cache(maxsize=1024)
def power_of_x(exponent: int, modulus: int) -> int:
    """x^exponent modulo a polynomial, by squaring."""
    if exponent < modulus.bit_length() - 1:
        return 1 << exponent
    root = power_of_x(exponent // 2, modulus)
    return remainder(clmul(root, root) << exponent % 2, modulus)


def reverse(a: int, width: int) -> int:
    """The lowest `width` bits of a in the other order."""
    return int(f"{a:0{width}b}"[::-1], 2)
