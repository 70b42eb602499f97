"""Modes that steal ciphertext for a last block that is not whole: CBC-CS3 and XTS.

Both hold back the end of the message until `final`, since the last two blocks are treated
together (SP 800-38A addendum; IEEE 1619-2007 section 5.3.2).
"""

from __future__ import annotations

from reference.aes import AES, BLOCK_SIZE
from reference.bulk import decrypt_blocks, encrypt_blocks, xor
from reference.modes import CBCDecryption, CBCEncryption

_TWEAK_MODULUS = 1 << 128 | 0x87


class _Stealing:
    """Hands on blocks as soon as a whole one and at least one byte more follow them."""

    name = ""

    def __init__(self) -> None:
        self._end = b""

    def update(self, data: bytes) -> bytes:
        """Take any number of bytes and return the output that can no longer change."""
        data = self._end + data
        ready = max((len(data) - 1) // BLOCK_SIZE - 1, 0) * BLOCK_SIZE
        self._end = data[ready:]
        return self._whole(data[:ready]) if ready else b""

    def final(self) -> bytes:
        """The output of the end; ValueError when the whole message is below 16 bytes."""
        if len(self._end) < BLOCK_SIZE:
            raise ValueError(f"{self.name} needs at least 16 bytes")
        return self._last(self._end)

    def _whole(self, data: bytes) -> bytes:
        raise NotImplementedError

    def _last(self, data: bytes) -> bytes:
        """The output of the last 16 to 32 bytes."""
        raise NotImplementedError


class CTSEncryption(_Stealing):
    """CBC-CS3 encryption: the last two blocks change places, always (RFC 3962 section 5)."""

    name = "CBC-CTS"

    def __init__(self, key: bytes, iv: bytes) -> None:
        super().__init__()
        self._cbc = CBCEncryption(key, iv)

    def _whole(self, data: bytes) -> bytes:
        return self._cbc.update(data)

    def _last(self, data: bytes) -> bytes:
        if len(data) == BLOCK_SIZE:
            return self._cbc.update(data)
        first = self._cbc.update(data[:BLOCK_SIZE])
        last = self._cbc.update(data[BLOCK_SIZE:].ljust(BLOCK_SIZE, b"\0"))
        return last + first[: len(data) - BLOCK_SIZE]


class CTSDecryption(_Stealing):
    """CBC-CS3 decryption."""

    name = "CBC-CTS"

    def __init__(self, key: bytes, iv: bytes) -> None:
        super().__init__()
        self._cbc = CBCDecryption(key, iv)

    def _whole(self, data: bytes) -> bytes:
        return self._cbc.update(data)

    def _last(self, data: bytes) -> bytes:
        if len(data) == BLOCK_SIZE:
            return self._cbc.update(data)
        swapped, stolen = data[:BLOCK_SIZE], data[BLOCK_SIZE:]
        mixed = self._cbc.aes.decrypt_block(swapped)
        previous = stolen + mixed[len(stolen) :]
        return self._cbc.update(previous) + xor(mixed[: len(stolen)], stolen)


class _XTS(_Stealing):
    name = "XTS"
    _decrypting = False

    def __init__(self, key: bytes, tweak: bytes) -> None:
        super().__init__()
        if len(key) not in (32, 48, 64):
            raise ValueError(f"an XTS key has 32, 48 or 64 bytes, not {len(key)}")
        if len(tweak) != BLOCK_SIZE:
            raise ValueError(f"an XTS tweak has 16 bytes, not {len(tweak)}")
        half = len(key) // 2
        self._aes = AES(key[:half])
        self._tweak = int.from_bytes(AES(key[half:]).encrypt_block(tweak), "little")

    def _tweaks(self, count: int) -> bytes:
        """The next `count` masks: E(tweak) times x, x^2, ... (section 5.2)."""
        masks = []
        tweak = self._tweak
        for _ in range(count):
            masks.append(tweak.to_bytes(BLOCK_SIZE, "little"))
            tweak <<= 1
            if tweak >> 128:
                tweak ^= _TWEAK_MODULUS
        self._tweak = tweak
        return b"".join(masks)

    def _crypt(self, data: bytes, masks: bytes) -> bytes:
        crypt = decrypt_blocks if self._decrypting else encrypt_blocks
        return xor(crypt(self._aes, xor(data, masks)), masks)

    def _whole(self, data: bytes) -> bytes:
        return self._crypt(data, self._tweaks(len(data) // BLOCK_SIZE))

    def _last(self, data: bytes) -> bytes:
        if len(data) == BLOCK_SIZE:
            return self._whole(data)
        masks = self._tweaks(2)
        first, second = masks[:BLOCK_SIZE], masks[BLOCK_SIZE:]
        if len(data) == 2 * BLOCK_SIZE:
            return self._crypt(data, masks)
        if self._decrypting:
            first, second = second, first
        middle = self._crypt(data[:BLOCK_SIZE], first)
        stolen = data[BLOCK_SIZE:]
        end = self._crypt(stolen + middle[len(stolen) :], second)
        return end + middle[: len(stolen)]


class XTSEncryption(_XTS):
    """XTS-AES encryption of one data unit; `tweak` is its number, 16 bytes little-endian."""


class XTSDecryption(_XTS):
    """XTS-AES decryption of one data unit."""

    _decrypting = True


def cts_encrypt(key: bytes, iv: bytes, plaintext: bytes) -> bytes:
    """CBC-CS3 encryption; ValueError below 16 bytes."""
    stream = CTSEncryption(key, iv)
    return stream.update(plaintext) + stream.final()


def cts_decrypt(key: bytes, iv: bytes, ciphertext: bytes) -> bytes:
    """CBC-CS3 decryption; ValueError below 16 bytes."""
    stream = CTSDecryption(key, iv)
    return stream.update(ciphertext) + stream.final()


def xts_encrypt(key: bytes, tweak: bytes, plaintext: bytes) -> bytes:
    """XTS-AES encryption of a data unit of 16 bytes or more (IEEE 1619-2007 section 5.3)."""
    stream = XTSEncryption(key, tweak)
    return stream.update(plaintext) + stream.final()


def xts_decrypt(key: bytes, tweak: bytes, ciphertext: bytes) -> bytes:
    """XTS-AES decryption of a data unit of 16 bytes or more (IEEE 1619-2007 section 5.4)."""
    stream = XTSDecryption(key, tweak)
    return stream.update(ciphertext) + stream.final()
