"""ECB, CBC, CTR of SP 800-38A and CBC with ciphertext stealing, over AES.

Streaming form: an object per direction with `update` (any bytes, gives what is complete)
and `final` (gives the rest). The functions below them do a whole message in one call.
Keys have 16, 24 or 32 bytes, IVs and counters 16; other lengths raise ValueError.
"""

from __future__ import annotations

from reference.aes import AES, BLOCK_SIZE
from reference.bulk import decrypt_blocks, encrypt_blocks, xor

COUNTER_MODULUS = 1 << 128


class _Blocks:
    """Collects input and hands on whole blocks; a rest at the end is an error."""

    def __init__(self, key: bytes) -> None:
        self.aes = AES(key)
        self._rest = b""

    def update(self, data: bytes) -> bytes:
        """Take any number of bytes and return the output of all blocks that are complete."""
        data = self._rest + data
        whole = len(data) - len(data) % BLOCK_SIZE
        self._rest = data[whole:]
        return self._crypt(data[:whole]) if whole else b""

    def final(self) -> bytes:
        """End the message: empty, or ValueError when its last block is not complete."""
        if self._rest:
            raise ValueError(f"{len(self._rest)} bytes too many for whole blocks of 16")
        return b""

    def _crypt(self, data: bytes) -> bytes:
        raise NotImplementedError


class ECBEncryption(_Blocks):
    """ECB encryption (SP 800-38A section 6.1)."""

    def _crypt(self, data: bytes) -> bytes:
        return encrypt_blocks(self.aes, data)


class ECBDecryption(_Blocks):
    """ECB decryption (SP 800-38A section 6.1)."""

    def _crypt(self, data: bytes) -> bytes:
        return decrypt_blocks(self.aes, data)


class _Chained(_Blocks):
    def __init__(self, key: bytes, iv: bytes) -> None:
        super().__init__(key)
        self.iv = _checked_iv(iv)


class CBCEncryption(_Chained):
    """CBC encryption (SP 800-38A section 6.2); `iv` is the IV of the next block."""

    def _crypt(self, data: bytes) -> bytes:
        encrypt = self.aes.encrypt_number
        previous = int.from_bytes(self.iv, "big")
        output = []
        for i in range(0, len(data), BLOCK_SIZE):
            previous = encrypt(previous ^ int.from_bytes(data[i : i + BLOCK_SIZE], "big"))
            output.append(previous.to_bytes(BLOCK_SIZE, "big"))
        self.iv = output[-1]
        return b"".join(output)


class CBCDecryption(_Chained):
    """CBC decryption (SP 800-38A section 6.2); `iv` is the IV of the next block."""

    def _crypt(self, data: bytes) -> bytes:
        previous = self.iv + data[:-BLOCK_SIZE]
        self.iv = data[-BLOCK_SIZE:]
        return xor(decrypt_blocks(self.aes, data), previous)


class CTR:
    """CTR encryption and decryption with a 128-bit big-endian counter (section 6.5).

    `counter` is the counter block of the next block that has not been started, as the
    kernel writes it back; it wraps to zero past 2^128 - 1 (appendix B.1 with m = 128).
    """

    def __init__(self, key: bytes, counter: bytes) -> None:
        self.aes = AES(key)
        self.counter = _checked_iv(counter)
        self._keystream = b""

    def update(self, data: bytes) -> bytes:
        """Take any number of bytes and return as many."""
        missing = len(data) - len(self._keystream)
        if missing > 0:
            counters = self._counter_blocks(-(-missing // BLOCK_SIZE))
            self._keystream += encrypt_blocks(self.aes, counters)
        used, self._keystream = self._keystream[: len(data)], self._keystream[len(data) :]
        return xor(data, used)

    def final(self) -> bytes:
        """End the message; nothing is left to give."""
        return b""

    def _counter_blocks(self, count: int) -> bytes:
        first = int.from_bytes(self.counter, "big")
        blocks = [
            ((first + i) % COUNTER_MODULUS).to_bytes(BLOCK_SIZE, "big") for i in range(count + 1)
        ]
        self.counter = blocks.pop()
        return b"".join(blocks)


class CTR32(CTR):
    """CTR whose counter is the last 32 bits alone: no carry leaves them (B.1 with m = 32).

    GCM counts this way (SP 800-38D, inc32), and so do engines that do not carry.
    """

    def _counter_blocks(self, count: int) -> bytes:
        fixed, first = self.counter[:12], int.from_bytes(self.counter[12:], "big")
        blocks = [
            fixed + ((first + i) & 0xFFFFFFFF).to_bytes(4, "big") for i in range(count + 1)
        ]
        self.counter = blocks.pop()
        return b"".join(blocks)


def _checked_iv(iv: bytes) -> bytes:
    if len(iv) != BLOCK_SIZE:
        raise ValueError(f"an IV or counter block has 16 bytes, not {len(iv)}")
    return bytes(iv)


def ecb_encrypt(key: bytes, plaintext: bytes) -> bytes:
    """ECB encryption of whole blocks; ValueError for a length that is no multiple of 16."""
    stream = ECBEncryption(key)
    return stream.update(plaintext) + stream.final()


def ecb_decrypt(key: bytes, ciphertext: bytes) -> bytes:
    """ECB decryption of whole blocks; ValueError for a length that is no multiple of 16."""
    stream = ECBDecryption(key)
    return stream.update(ciphertext) + stream.final()


def cbc_encrypt(key: bytes, iv: bytes, plaintext: bytes) -> bytes:
    """CBC encryption of whole blocks; ValueError for a length that is no multiple of 16."""
    stream = CBCEncryption(key, iv)
    return stream.update(plaintext) + stream.final()


def cbc_decrypt(key: bytes, iv: bytes, ciphertext: bytes) -> bytes:
    """CBC decryption of whole blocks; ValueError for a length that is no multiple of 16."""
    stream = CBCDecryption(key, iv)
    return stream.update(ciphertext) + stream.final()


def ctr_crypt(key: bytes, counter: bytes, data: bytes) -> bytes:
    """CTR over `data` of any length from a 16-byte counter block, 128-bit carry."""
    return CTR(key, counter).update(data)


def ctr32_crypt(key: bytes, counter: bytes, data: bytes) -> bytes:
    """CTR over `data` of any length where only the last 32 bits of the counter count."""
    return CTR32(key, counter).update(data)
