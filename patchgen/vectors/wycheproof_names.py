"""What Project Wycheproof calls algorithms and kinds of tests."""

from __future__ import annotations

from patchgen.vectors.algorithms import Kind

NAMES: dict[str, str] = {
    "ecb(aes)": "AES-ECB",
    "cbc(aes)": "AES-CBC",
    "cts(cbc(aes))": "AES-CBC-CS3",
    "ctr(aes)": "AES-CTR",
    "xts(aes)": "AES-XTS",
    "cbcmac(aes)": "AES-CBC-MAC",
    "cmac(aes)": "AES-CMAC",
    "xcbc(aes)": "AES-XCBC-MAC",
    "gcm(aes)": "AES-GCM",
    "ccm(aes)": "AES-CCM",
    "chacha20": "CHACHA20",
    "xchacha20": "XCHACHA20",
    "md5": "MD5",
    "sha1": "SHA-1",
    "sha224": "SHA-224",
    "sha256": "SHA-256",
    "sha384": "SHA-384",
    "sha512": "SHA-512",
}

TYPES: dict[Kind, tuple[str, str]] = {
    "aead": ("AeadTest", "aead_test"),
    "mac": ("MacTest", "mac_test"),
    "cipher": ("IndCpaTest", "ind_cpa_test"),
    "hash": ("HashTest", "hash_test"),
}
"""Kind to the type of a test group and the stem of its schema."""

PADDED_CBC = "AES-CBC-PKCS5"


def wycheproof_name(algorithm: str) -> str:
    """The name in a document's `algorithm`; the kernel's where Wycheproof has none."""
    return NAMES.get(algorithm, algorithm)


def kernel_name(name: str) -> str | None:
    """The algorithm of a document's `algorithm`, or None when it is not one of ours."""
    from patchgen.vectors.algorithms import find

    for kernel, other in NAMES.items():
        if other == name.upper():
            return kernel
    known = find(name)
    return known.name if known else None
