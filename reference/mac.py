"""MACs from AES: CBC-MAC (FIPS 113), CMAC (SP 800-38B) and XCBC (RFC 3566)."""

from __future__ import annotations

from typing import Self

from reference.aes import AES, BLOCK_SIZE

R_B = 0x87
"""R_128 of SP 800-38B section 5.3."""


class _Chain:
    """CBC-MAC over all blocks but the last one, which subclasses finish."""

    def __init__(self, key: bytes, data: bytes = b"") -> None:
        self._aes = AES(key)
        self._c = 0
        self._last = b""
        if data:
            self.update(data)

    def update(self, data: bytes) -> None:
        """Take the next bytes of the message; the last block waits for `final`."""
        data = self._last + data
        whole = max(len(data) - 1, 0) // BLOCK_SIZE * BLOCK_SIZE
        encrypt, c = self._aes.encrypt_number, self._c
        for i in range(0, whole, BLOCK_SIZE):
            c = encrypt(c ^ int.from_bytes(data[i : i + BLOCK_SIZE], "big"))
        self._c, self._last = c, data[whole:]

    def final(self) -> bytes:
        """The MAC of all bytes so far: 16 bytes."""
        raise NotImplementedError

    def copy(self) -> Self:
        """An object in the same state."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def _finish(self, block: bytes, mask: int = 0) -> bytes:
        last = self._c ^ int.from_bytes(block, "big") ^ mask
        return self._aes.encrypt_number(last).to_bytes(BLOCK_SIZE, "big")

    def _padded(self) -> bytes:
        return (self._last + b"\x80").ljust(BLOCK_SIZE, b"\0")


class CBCMAC(_Chain):
    """CBC-MAC with zero padding; no bytes at all give 16 zero bytes, as cbcmac(aes) does."""

    def final(self) -> bytes:
        """The MAC of all bytes so far: 16 bytes."""
        if not self._last:
            return bytes(BLOCK_SIZE)
        return self._finish(self._last.ljust(BLOCK_SIZE, b"\0"))


class CMAC(_Chain):
    """CMAC (SP 800-38B section 6.2); `k1` and `k2` are its subkeys."""

    def __init__(self, key: bytes, data: bytes = b"") -> None:
        super().__init__(key, data)
        self.k1 = _double(self._aes.encrypt_number(0))
        self.k2 = _double(self.k1)

    def final(self) -> bytes:
        """The MAC of all bytes so far: 16 bytes, to be cut by the caller."""
        if len(self._last) == BLOCK_SIZE:
            return self._finish(self._last, self.k1)
        return self._finish(self._padded(), self.k2)


class XCBC(_Chain):
    """AES-XCBC-MAC (RFC 3566 section 4): a key of 16 bytes; `final` gives all 16 bytes."""

    def __init__(self, key: bytes, data: bytes = b"") -> None:
        if len(key) != BLOCK_SIZE:
            raise ValueError(f"an XCBC key has 16 bytes, not {len(key)}")
        k1, k2, k3 = (AES(key).encrypt_block(bytes([n]) * BLOCK_SIZE) for n in (1, 2, 3))
        super().__init__(k1, data)
        self.k2, self.k3 = int.from_bytes(k2, "big"), int.from_bytes(k3, "big")

    def final(self) -> bytes:
        """The MAC of all bytes so far: 16 bytes (96 bits of it in the RFC)."""
        if len(self._last) == BLOCK_SIZE:
            return self._finish(self._last, self.k2)
        return self._finish(self._padded(), self.k3)


def _double(block: int) -> int:
    """Multiply by x as SP 800-38B section 6.1 does for its subkeys."""
    doubled = block << 1
    return doubled ^ (1 << 128 | R_B) if doubled >> 128 else doubled


def cbc_mac(key: bytes, message: bytes) -> bytes:
    """CBC-MAC of a whole message: 16 bytes."""
    return CBCMAC(key, message).final()


def cmac(key: bytes, message: bytes) -> bytes:
    """CMAC of a whole message: 16 bytes."""
    return CMAC(key, message).final()


def xcbc(key: bytes, message: bytes) -> bytes:
    """AES-XCBC-MAC of a whole message: 16 bytes."""
    return XCBC(key, message).final()
