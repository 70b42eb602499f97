"""Constants that FIPS 180-4 takes from roots of primes, computed instead of listed."""

from __future__ import annotations

from math import isqrt


def first_primes(count: int) -> list[int]:
    """The first `count` prime numbers."""
    primes: list[int] = []
    candidate = 2
    while len(primes) < count:
        if all(candidate % p for p in primes):
            primes.append(candidate)
        candidate += 1
    return primes


def square_root_fraction(prime: int, bits: int) -> int:
    """The first `bits` bits of the fractional part of the square root (section 5.3)."""
    return isqrt(prime << 2 * bits) % (1 << bits)


def cube_root_fraction(prime: int, bits: int) -> int:
    """The first `bits` bits of the fractional part of the cube root (section 4.2)."""
    target = prime << 3 * bits
    low, high = 0, 1 << (target.bit_length() // 3 + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if middle**3 <= target:
            low = middle
        else:
            high = middle
    return low % (1 << bits)
