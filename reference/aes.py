"""AES by tables: a round is sixteen lookups of 128-bit numbers (FIPS 197).

Entry b of table i is what state byte i with value b adds to the state after SubBytes,
ShiftRows and MixColumns; exclusive or is all that is left of a round. `reference.fips197`
holds the definition these tables are built from and checked against.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from reference import fips197

BLOCK_SIZE = 16
KEY_SIZES = fips197.KEY_SIZES

Tables = tuple[Sequence[int], ...]

_PADDING = bytes(240)
_SHIFT_ROWS = fips197.shift_rows(bytes(range(16)))
_INV_SHIFT_ROWS = fips197.inv_shift_rows(bytes(range(16)))


def _round_tables(box: bytes, coefficients: tuple[int, int, int, int], moves: bytes) -> Tables:
    """Sixteen tables of 256 numbers of 128 bits for one direction of the cipher."""
    products = {c: bytes(fips197.gf_multiply(c, b) for b in box) for c in set(coefficients)}
    tables = []
    for i in range(16):
        place = moves.index(i)
        column, row = place - place % 4, place % 4
        shifts = [8 * (15 - column - r) for r in range(4)]
        first, second, third, fourth = (
            products[coefficients[(row - r) % 4]] for r in range(4)
        )
        tables.append([
            first[b] << shifts[0] | second[b] << shifts[1]
            | third[b] << shifts[2] | fourth[b] << shifts[3]
            for b in range(256)
        ])
    return tuple(tables)


@cache
def _encryption_tables() -> Tables:
    return _round_tables(fips197.SBOX, (2, 3, 1, 1), _SHIFT_ROWS)


@cache
def _decryption_tables() -> Tables:
    return _round_tables(fips197.INVERSE_SBOX, (0x0E, 0x0B, 0x0D, 0x09), _INV_SHIFT_ROWS)


def _rounds(state: int, tables: Tables, keys: Sequence[int], box: bytes, moves: bytes) -> int:
    """All rounds on one state, a big-endian 128-bit number; `keys` in the order of use."""
    t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, ta, tb, tc, td, te, tf = tables
    state ^= keys[0]
    for key in keys[1:-1]:
        b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, ba, bb, bc, bd, be, bf = state.to_bytes(16, "big")
        state = (
            t0[b0] ^ t1[b1] ^ t2[b2] ^ t3[b3] ^ t4[b4] ^ t5[b5] ^ t6[b6] ^ t7[b7]
            ^ t8[b8] ^ t9[b9] ^ ta[ba] ^ tb[bb] ^ tc[bc] ^ td[bd] ^ te[be] ^ tf[bf] ^ key
        )
    substituted = state.to_bytes(16, "big").translate(box)
    return int.from_bytes(moves.translate(substituted + _PADDING), "big") ^ keys[-1]


class AES:
    """One expanded AES key of 16, 24 or 32 bytes; any other length raises ValueError."""

    __slots__ = ("_decryption_keys", "_encryption_keys", "key", "round_keys")

    def __init__(self, key: bytes) -> None:
        self.key = bytes(key)
        self.round_keys: tuple[bytes, ...] = _expand(self.key)
        self._encryption_keys = [int.from_bytes(k, "big") for k in self.round_keys]
        self._decryption_keys: list[int] | None = None

    @property
    def inverse_round_keys(self) -> tuple[bytes, ...]:
        """Round keys of EqInvCipher in the order of use: the last one of dw comes first."""
        return tuple(k.to_bytes(16, "big") for k in self._inverse_keys())

    def _inverse_keys(self) -> list[int]:
        if self._decryption_keys is None:
            middle = [_inv_mix_columns(k) for k in self.round_keys[-2:0:-1]]
            self._decryption_keys = [
                self._encryption_keys[-1], *middle, self._encryption_keys[0]
            ]
        return self._decryption_keys

    def encrypt_number(self, block: int) -> int:
        """Cipher on a block given and returned as a big-endian 128-bit number."""
        return _rounds(
            block, _encryption_tables(), self._encryption_keys, fips197.SBOX, _SHIFT_ROWS
        )

    def decrypt_number(self, block: int) -> int:
        """InvCipher on a block given and returned as a big-endian 128-bit number."""
        return _rounds(
            block, _decryption_tables(), self._inverse_keys(), fips197.INVERSE_SBOX,
            _INV_SHIFT_ROWS,
        )

    def encrypt_block(self, block: bytes) -> bytes:
        """Cipher on 16 bytes; another length raises ValueError (FIPS 197 section 5.1)."""
        return self.encrypt_number(_number(block)).to_bytes(16, "big")

    def decrypt_block(self, block: bytes) -> bytes:
        """InvCipher on 16 bytes; another length raises ValueError (FIPS 197 section 5.3)."""
        return self.decrypt_number(_number(block)).to_bytes(16, "big")


def _number(block: bytes) -> int:
    if len(block) != BLOCK_SIZE:
        raise ValueError(f"an AES block has 16 bytes, not {len(block)}")
    return int.from_bytes(block, "big")


def _inv_mix_columns(round_key: bytes) -> int:
    """InvMixColumns by the decryption tables: SubBytes first undoes their InvSubBytes."""
    mixed = 0
    tables = _decryption_tables()
    for place, source in enumerate(_INV_SHIFT_ROWS):
        mixed ^= tables[source][fips197.SBOX[round_key[place]]]
    return mixed


def _expand(key: bytes) -> tuple[bytes, ...]:
    """KeyExpansion on 32-bit numbers (FIPS 197 section 5.2)."""
    if len(key) not in KEY_SIZES:
        raise ValueError(f"an AES key has 16, 24 or 32 bytes, not {len(key)}")
    nk = len(key) // 4
    words = [int.from_bytes(key[i : i + 4], "big") for i in range(0, len(key), 4)]
    rcon = 1
    for i in range(nk, 4 * (nk + 7)):
        temp = words[i - 1]
        if i % nk == 0:
            temp = _sub_word((temp << 8 | temp >> 24) & 0xFFFFFFFF) ^ rcon << 24
            rcon = fips197.xtime(rcon)
        elif nk > 6 and i % nk == 4:
            temp = _sub_word(temp)
        words.append(words[i - nk] ^ temp)
    schedule = b"".join(word.to_bytes(4, "big") for word in words)
    return tuple(schedule[i : i + 16] for i in range(0, len(schedule), 16))


def _sub_word(word: int) -> int:
    return int.from_bytes(word.to_bytes(4, "big").translate(fips197.SBOX), "big")
