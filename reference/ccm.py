"""CCM (SP 800-38C, RFC 3610) and its IPsec form (RFC 4309), over AES."""

from __future__ import annotations

from reference.bulk import xor
from reference.gcm import InvalidTagError
from reference.mac import CBCMAC
from reference.modes import CTR

TAG_SIZES = (4, 6, 8, 10, 12, 14, 16)
NONCE_SIZES = range(7, 14)


class CCM:
    """One message whose lengths are known: `authenticate`, `update`, then `final`.

    `aad_size` and `size` are in bytes. ValueError for a nonce of other than 7 to 13 bytes,
    a tag size that is not even and within 4..16, or a message that the length field of
    15 - len(nonce) bytes cannot hold.
    """

    def __init__(
        self, key: bytes, nonce: bytes, *, tag_size: int, aad_size: int, size: int, encrypting: bool
    ) -> None:
        if len(nonce) not in NONCE_SIZES:
            raise ValueError(f"a CCM nonce has 7 to 13 bytes, not {len(nonce)}")
        if tag_size not in TAG_SIZES:
            raise ValueError(f"a CCM tag has 4, 6, 8, 10, 12, 14 or 16 bytes, not {tag_size}")
        q = 15 - len(nonce)
        if size >= 1 << 8 * q:
            raise ValueError(f"{size} bytes do not fit a CCM length field of {q} bytes")
        self._encrypting = encrypting
        self._missing_aad, self._missing = aad_size, size
        self._aad_size, self._tag_size = aad_size, tag_size
        flags = (64 if aad_size else 0) | (tag_size - 2) // 2 << 3 | q - 1
        b0 = bytes([flags]) + nonce + size.to_bytes(q, "big")
        self._mac = CBCMAC(key, b0 + _encoded_aad_size(aad_size))
        self._ctr = CTR(key, bytes([q - 1]) + nonce + bytes(q))
        self._s0 = self._ctr.update(bytes(16))

    def authenticate(self, aad: bytes) -> None:
        """Take associated data; ValueError past the announced size."""
        if len(aad) > self._missing_aad:
            raise ValueError("more associated data than announced")
        self._missing_aad -= len(aad)
        self._mac.update(aad)
        if aad and not self._missing_aad:
            used = len(_encoded_aad_size(self._aad_size)) + self._aad_size
            self._mac.update(bytes(-used % 16))

    def update(self, data: bytes) -> bytes:
        """Encrypt or decrypt any number of bytes; ValueError past the announced size."""
        if self._missing_aad or len(data) > self._missing:
            raise ValueError("associated data is missing, or more message than announced")
        self._missing -= len(data)
        output = self._ctr.update(data)
        self._mac.update(data if self._encrypting else output)
        return output

    def final(self) -> bytes:
        """The tag; ValueError when less came than was announced."""
        if self._missing_aad or self._missing:
            raise ValueError("less associated data or message than announced")
        return xor(self._mac.final(), self._s0)[: self._tag_size]


def _encoded_aad_size(size: int) -> bytes:
    """The length of associated data in front of it (SP 800-38C section A.2.2)."""
    if size == 0:
        return b""
    if size < 0xFF00:
        return size.to_bytes(2, "big")
    if size < 1 << 32:
        return b"\xff\xfe" + size.to_bytes(4, "big")
    return b"\xff\xff" + size.to_bytes(8, "big")


def ccm_encrypt(
    key: bytes, nonce: bytes, aad: bytes, plaintext: bytes, tag_size: int = 16
) -> tuple[bytes, bytes]:
    """Generation-encryption (SP 800-38C section 6.1): ciphertext and tag."""
    ccm = CCM(key, nonce, tag_size=tag_size, aad_size=len(aad), size=len(plaintext),
              encrypting=True)
    ccm.authenticate(aad)
    return ccm.update(plaintext), ccm.final()


def ccm_decrypt(key: bytes, nonce: bytes, aad: bytes, ciphertext: bytes, tag: bytes) -> bytes:
    """Decryption-verification (section 6.2): the plaintext. InvalidTagError for a wrong tag."""
    ccm = CCM(key, nonce, tag_size=len(tag), aad_size=len(aad), size=len(ciphertext),
              encrypting=False)
    ccm.authenticate(aad)
    plaintext = ccm.update(ciphertext)
    if ccm.final() != tag:
        raise InvalidTagError("the CCM tag is wrong")
    return plaintext


def rfc4309_encrypt(
    key: bytes, iv: bytes, aad: bytes, plaintext: bytes, tag_size: int = 16
) -> tuple[bytes, bytes]:
    """RFC 4309: the last 3 bytes of `key` are the salt, `iv` has 8 bytes (section 4)."""
    return ccm_encrypt(*_split(key, iv), aad, plaintext, tag_size)


def rfc4309_decrypt(key: bytes, iv: bytes, aad: bytes, ciphertext: bytes, tag: bytes) -> bytes:
    """The other direction of `rfc4309_encrypt`; InvalidTagError for a wrong tag."""
    return ccm_decrypt(*_split(key, iv), aad, ciphertext, tag)


def _split(key: bytes, iv: bytes) -> tuple[bytes, bytes]:
    if len(iv) != 8:
        raise ValueError(f"an RFC 4309 IV has 8 bytes, not {len(iv)}")
    return key[:-3], key[-3:] + iv
