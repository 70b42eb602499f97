"""AES exactly as FIPS 197 writes it down: one byte, one step, one round at a time.

This is the definition that `reference.aes` (tables) and `reference.bitslice` (bit planes)
are checked against. Names and order follow the standard: a state is 16 bytes in input
order, so byte `r + 4*c` is row r of column c (section 3.4).
"""

from __future__ import annotations

BLOCK_SIZE = 16
KEY_SIZES = (16, 24, 32)


def xtime(b: int) -> int:
    """Multiply a byte by x in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (section 4.2)."""
    b <<= 1
    return b ^ 0x11B if b & 0x100 else b


def gf_multiply(a: int, b: int) -> int:
    """Product of two bytes in GF(2^8) (section 4.2)."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = xtime(a)
        b >>= 1
    return product


def _multiplicative_inverses() -> list[int]:
    """b^-1 for every byte, and 0 for 0 (section 4.4).

    {03} generates all 255 bytes but zero, so {03}^i and {03}^(255 - i) are inverses.
    """
    powers = [1]
    for _ in range(254):
        powers.append(powers[-1] ^ xtime(powers[-1]))
    inverses = [0] * 256
    for i, power in enumerate(powers):
        inverses[power] = powers[-i % 255]
    return inverses


def _affine(b: int) -> int:
    """The affine transformation over GF(2) of equation 5.3, with the constant {63}."""
    result = 0x63
    for shift in range(5):
        result ^= ((b << shift) | (b >> (8 - shift))) & 0xFF
    return result


SBOX = bytes(_affine(b) for b in _multiplicative_inverses())
"""SubBytes as a table of 256 bytes (section 5.1.1), computed from its definition."""

INVERSE_SBOX = bytes(SBOX.index(b) for b in range(256))
"""InvSubBytes as a table of 256 bytes (section 5.3.2)."""


def sub_bytes(state: bytes, box: bytes = SBOX) -> bytes:
    """SubBytes, or InvSubBytes with `INVERSE_SBOX` (sections 5.1.1, 5.3.2)."""
    return bytes(box[b] for b in state)


def shift_rows(state: bytes) -> bytes:
    """ShiftRows: row r moves left by r columns (section 5.1.2)."""
    return bytes(state[(i + 4 * (i % 4)) % 16] for i in range(16))


def inv_shift_rows(state: bytes) -> bytes:
    """InvShiftRows: row r moves right by r columns (section 5.3.1)."""
    return bytes(state[(i - 4 * (i % 4)) % 16] for i in range(16))


def mix_columns(state: bytes, coefficients: tuple[int, int, int, int] = (2, 3, 1, 1)) -> bytes:
    """MixColumns: each column times a fixed polynomial modulo x^4 + 1 (section 5.1.3).

    `coefficients` is the first row of the matrix; each further row is the one above it
    moved right by one. InvMixColumns has {0e} {0b} {0d} {09} (section 5.3.3).
    """
    mixed = bytearray()
    for c in range(0, 16, 4):
        for r in range(4):
            byte = 0
            for i in range(4):
                byte ^= gf_multiply(coefficients[(i - r) % 4], state[c + i])
            mixed.append(byte)
    return bytes(mixed)


def inv_mix_columns(state: bytes) -> bytes:
    """InvMixColumns (section 5.3.3)."""
    return mix_columns(state, (0x0E, 0x0B, 0x0D, 0x09))


def add_round_key(state: bytes, round_key: bytes) -> bytes:
    """AddRoundKey: exclusive or of 16 bytes (section 5.1.4)."""
    return bytes(a ^ b for a, b in zip(state, round_key, strict=True))


def key_expansion(key: bytes) -> tuple[bytes, ...]:
    """KeyExpansion: the Nr + 1 round keys of 16 bytes each, words in order (section 5.2).

    `key` has 16, 24 or 32 bytes; any other length raises ValueError.
    """
    if len(key) not in KEY_SIZES:
        raise ValueError(f"an AES key has 16, 24 or 32 bytes, not {len(key)}")
    nk = len(key) // 4
    nr = nk + 6
    words = [key[i : i + 4] for i in range(0, len(key), 4)]
    rcon = 1
    for i in range(nk, 4 * (nr + 1)):
        temp = words[i - 1]
        if i % nk == 0:
            temp = sub_bytes(temp[1:] + temp[:1])
            temp = bytes([temp[0] ^ rcon]) + temp[1:]
            rcon = xtime(rcon)
        elif nk > 6 and i % nk == 4:
            temp = sub_bytes(temp)
        words.append(add_round_key(words[i - nk], temp))
    return tuple(b"".join(words[i : i + 4]) for i in range(0, len(words), 4))


def cipher(block: bytes, key: bytes) -> bytes:
    """Cipher: encrypt one block of 16 bytes (section 5.1)."""
    w = key_expansion(key)
    state = add_round_key(block, w[0])
    for round_key in w[1:-1]:
        state = add_round_key(mix_columns(shift_rows(sub_bytes(state))), round_key)
    return add_round_key(shift_rows(sub_bytes(state)), w[-1])


def inv_cipher(block: bytes, key: bytes) -> bytes:
    """InvCipher: decrypt one block of 16 bytes (section 5.3)."""
    w = key_expansion(key)
    state = add_round_key(block, w[-1])
    for round_key in reversed(w[1:-1]):
        state = sub_bytes(inv_shift_rows(state), INVERSE_SBOX)
        state = inv_mix_columns(add_round_key(state, round_key))
    return add_round_key(sub_bytes(inv_shift_rows(state), INVERSE_SBOX), w[0])


def eq_inv_key_expansion(key: bytes) -> tuple[bytes, ...]:
    """The modified schedule dw of EqInvCipher, indexed like w (section 5.3.5)."""
    w = key_expansion(key)
    return (w[0], *(inv_mix_columns(round_key) for round_key in w[1:-1]), w[-1])


def eq_inv_cipher(block: bytes, key: bytes) -> bytes:
    """EqInvCipher: the equivalent inverse cipher on one block of 16 bytes (section 5.3.5)."""
    dw = eq_inv_key_expansion(key)
    state = add_round_key(block, dw[-1])
    for round_key in reversed(dw[1:-1]):
        state = inv_mix_columns(inv_shift_rows(sub_bytes(state, INVERSE_SBOX)))
        state = add_round_key(state, round_key)
    return add_round_key(inv_shift_rows(sub_bytes(state, INVERSE_SBOX)), dw[0])
