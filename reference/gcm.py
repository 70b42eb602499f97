"""GCM (SP 800-38D section 7) and its IPsec form (RFC 4106), over AES."""

from __future__ import annotations

from reference.aes import AES
from reference.bulk import xor
from reference.ghash import GHASH
from reference.modes import CTR32

TAG_SIZES = (4, 8, 12, 13, 14, 15, 16)


class InvalidTagError(ValueError):
    """The tag does not belong to key, IV, associated data and ciphertext."""


class GCM:
    """One message: `authenticate` all associated data, then `update`, then `final`.

    Keys have 16, 24 or 32 bytes, IVs 1 or more (12 is the fast path of section 7.1 step 2).
    """

    def __init__(self, key: bytes, iv: bytes, *, encrypting: bool) -> None:
        if not iv:
            raise ValueError("a GCM IV has at least one byte")
        self._encrypting = encrypting
        self._aad_size = self._size = 0
        aes = AES(key)
        h = aes.encrypt_block(bytes(16))
        self._ghash = GHASH(h)
        j0 = self._first_counter(h, iv)
        self._tag_mask = aes.encrypt_block(j0)
        inc32 = (int.from_bytes(j0[12:], "big") + 1) % (1 << 32)
        self._ctr = CTR32(key, j0[:12] + inc32.to_bytes(4, "big"))

    @staticmethod
    def _first_counter(h: bytes, iv: bytes) -> bytes:
        """The pre-counter block J0 (section 7.1 step 2)."""
        if len(iv) == 12:
            return iv + b"\0\0\0\1"
        hashed = GHASH(h, iv)
        hashed.pad()
        hashed.update((8 * len(iv)).to_bytes(16, "big"))
        return hashed.final()

    def authenticate(self, aad: bytes) -> None:
        """Take associated data; ValueError once the message has begun."""
        if self._size:
            raise ValueError("associated data comes before the message")
        self._aad_size += len(aad)
        self._ghash.update(aad)

    def update(self, data: bytes) -> bytes:
        """Encrypt or decrypt any number of bytes and return as many."""
        if not data:
            return b""
        if not self._size:
            self._ghash.pad()
        self._size += len(data)
        output = self._ctr.update(data)
        self._ghash.update(output if self._encrypting else data)
        return output

    def final(self) -> bytes:
        """The whole tag of 16 bytes; the caller cuts it and, decrypting, compares it."""
        lengths = (8 * self._aad_size).to_bytes(8, "big") + (8 * self._size).to_bytes(8, "big")
        hashed = self._ghash.copy()
        hashed.pad()
        hashed.update(lengths)
        return xor(hashed.final(), self._tag_mask)


def gcm_encrypt(
    key: bytes, iv: bytes, aad: bytes, plaintext: bytes, tag_size: int = 16
) -> tuple[bytes, bytes]:
    """GCM-AE (Algorithm 4): ciphertext and tag. ValueError for a tag size of section 5.2.1.2."""
    _check_tag_size(tag_size)
    gcm = GCM(key, iv, encrypting=True)
    gcm.authenticate(aad)
    return gcm.update(plaintext), gcm.final()[:tag_size]


def gcm_decrypt(key: bytes, iv: bytes, aad: bytes, ciphertext: bytes, tag: bytes) -> bytes:
    """GCM-AD (Algorithm 5): the plaintext. Raises InvalidTagError for a wrong tag."""
    _check_tag_size(len(tag))
    gcm = GCM(key, iv, encrypting=False)
    gcm.authenticate(aad)
    plaintext = gcm.update(ciphertext)
    if gcm.final()[: len(tag)] != tag:
        raise InvalidTagError("the GCM tag is wrong")
    return plaintext


def rfc4106_encrypt(
    key: bytes, iv: bytes, aad: bytes, plaintext: bytes, tag_size: int = 16
) -> tuple[bytes, bytes]:
    """RFC 4106: the last 4 bytes of `key` are the salt, `iv` has 8 bytes (section 4)."""
    return gcm_encrypt(*_split(key, iv), aad, plaintext, tag_size)


def rfc4106_decrypt(key: bytes, iv: bytes, aad: bytes, ciphertext: bytes, tag: bytes) -> bytes:
    """The other direction of `rfc4106_encrypt`; InvalidTagError for a wrong tag."""
    return gcm_decrypt(*_split(key, iv), aad, ciphertext, tag)


def _split(key: bytes, iv: bytes) -> tuple[bytes, bytes]:
    if len(iv) != 8:
        raise ValueError(f"an RFC 4106 IV has 8 bytes, not {len(iv)}")
    return key[:-4], key[-4:] + iv


def _check_tag_size(size: int) -> None:
    if size not in TAG_SIZES:
        raise ValueError(f"a GCM tag has 4, 8 or 12 to 16 bytes, not {size}")
