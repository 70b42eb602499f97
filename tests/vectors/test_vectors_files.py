"""Files by others: what is read, and one clear line for whatever is wrong in them."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

from patchgen.errors import InputError
from patchgen.vectors.check import check_vector, forms_for
from patchgen.vectors.imported import Imported, read_file


def read(tmp_path: Path, name: str, text: str) -> Imported:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return read_file(path)


def agreeing(imported: Imported) -> list[bool]:
    return [check_vector(v, forms_for(v)).ok for v in imported.vectors]


def gcm_document(**changes: Any) -> dict[str, Any]:
    """Test case 4 of the GCM specification in Wycheproof's layout."""
    test = {
        "tcId": 7, "comment": "case 4", "flags": [],
        "key": "feffe9928665731c6d6a8f9467308308", "iv": "cafebabefacedbaddecaf888",
        "aad": "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        "msg": "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
               "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
        "ct": "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
              "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
        "tag": "5bc94fbc3221a5db94fae95ae7121a47", "result": "valid", **changes,
    }
    return {"algorithm": "AES-GCM", "testGroups": [{"type": "AeadTest", "tests": [test]}]}


def test_wycheproof_json(tmp_path: Path) -> None:
    imported = read(tmp_path, "gcm.json", json.dumps(gcm_document(), indent=2))
    (vector,) = imported.vectors
    assert (imported.format, vector.algorithm, vector.name) == (
        "Wycheproof", "gcm(aes)", "gcm.json/tcId 7"
    )
    assert agreeing(imported) == [True]
    wrong = read(tmp_path, "bad.json", json.dumps(gcm_document(tag="00" * 16)))
    assert agreeing(wrong) == [False]
    refused = read(tmp_path, "inv.json", json.dumps(gcm_document(tag="00" * 16, result="invalid")))
    assert agreeing(refused) == [True]
    accepted = read(tmp_path, "acc.json", json.dumps(gcm_document(result="invalid")))
    assert agreeing(accepted) == [False]


def test_wycheproof_forms_that_are_brought_into_ours(tmp_path: Path) -> None:
    padded = {
        "algorithm": "AES-CBC-PKCS5", "testGroups": [{"tests": [
            {"tcId": 1, "key": "2b7e151628aed2a6abf7158809cf4f3c",
             "iv": "000102030405060708090a0b0c0d0e0f", "msg": "6bc1bee22e409f96e93d7e117393172a",
             "ct": "7649abac8119b246cee98e9b12e9197d8964e0b149c10b7b682e6e39aaeb731c",
             "result": "valid"},
            {"tcId": 2, "key": "", "iv": "", "msg": "", "ct": "", "result": "invalid"},
        ]}],
    }
    imported = read(tmp_path, "cbc.json", json.dumps(padded))
    assert agreeing(imported) == [True]
    assert imported.skipped == (("cbc.json/tcId 2", "judges padding, which is the caller's"),)
    chacha = {
        "algorithm": "CHACHA20", "testGroups": [{"algorithm": "ChaCha20-IETF", "tests": [
            {"tcId": 1, "key": "00" * 32, "iv": "00" * 12, "initialCounter": "01000000",
             "msg": "00" * 8, "ct": "9f07e7be5551387a", "result": "valid"},
            {"tcId": 2, "key": "00" * 32, "iv": "00" * 12, "result": "invalid", "msg": "00"},
        ]}],
    }
    imported = read(tmp_path, "chacha.json", json.dumps(chacha))
    assert agreeing(imported) == [True]
    assert "refusal" in imported.skipped[0][1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"algorithm": "AES-GCM",\n "testGroups": [\n', r"w.json:3: not JSON: Expecting"),
        ("[1, 2]", r"w.json: not a Wycheproof file: it has no list testGroups"),
        ('{"testGroups": [{"tests": []}]}', r"w.json: the document does not name its algorithm"),
        ('{"algorithm": "AES-GCM", "testGroups": []}', r"w.json: none of its 0 tests"),
        ('{"algorithm": "AES-GCM", "testGroups": [{}]}', r"a test group has no list of tests"),
        ('{"algorithm": "AES-GCM", "testGroups": [{"tests": [1]}]}', r"a test is not an object"),
        ('{"algorithm": "AES-GCN", "testGroups": [{"tests": []}]}',
         r"algorithm 'AES-GCN' is not one that can be checked; did you mean AES-GCM"),
        ("[" * 100000, r"w.json"),
    ],
)
def test_malformed_json_gives_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path, "w.json", text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"key": "feffe9928665731c6d6a8f946730830"}, "tcId 7: key: 31 hex digits are an odd"),
        ({"key": "zz"}, "tcId 7: key: 'z' is not a hex digit"),
        ({"tag": None}, "tcId 7: tag is missing"),
        ({"ct": 5}, "tcId 7: ct is not a string"),
        ({"result": "maybe"}, "tcId 7: result is 'maybe': not valid, invalid or acceptable"),
    ],
)
def test_malformed_tests_name_their_line(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    text = json.dumps(gcm_document(**changes), indent=1)
    line = next(i for i, row in enumerate(text.splitlines(), 1) if '"tcId"' in row)
    with pytest.raises(InputError, match=re.escape(f"w.json:{line}: {message}")):
        read(tmp_path, "w.json", text)


MMT = """\
# CAVS 11.1
# AESVS MMT test data for CBC
# State : Encrypt and Decrypt

[ENCRYPT]

COUNT = 0
KEY = 2b7e151628aed2a6abf7158809cf4f3c
IV = 000102030405060708090a0b0c0d0e0f
PLAINTEXT = 6bc1bee22e409f96e93d7e117393172a
CIPHERTEXT = 7649abac8119b246cee98e9b12e9197d

[DECRYPT]

COUNT = 0
KEY = 2b7e151628aed2a6abf7158809cf4f3c
IV = 7649abac8119b246cee98e9b12e9197d
CIPHERTEXT = 5086cb9b507219ee95db113a917678b2
PLAINTEXT = ae2d8a571e03ac9c9eb76fac45af8e51
"""
SHA = """\
#  "SHA-1 ShortMsg" information

[L = 20]

Len = 0
Msg = 00
MD = da39a3ee5e6b4b0d3255bfef95601890afd80709

Len = 24
Msg = 616263
MD = a9993e364706816aba3e25717850c26c9cd0d89d

Len = 5
Msg = 98
MD = 29826b003b906e660eff4027ce98af3531ac75ba
"""
CCM = """\
#  "CCM-VTT" information
Alen = 8
Plen = 4
Nlen = 7

[Tlen = 4]

Key = 404142434445464748494a4b4c4d4e4f
Nonce = 10111213141516

Count = 0
Adata = 0001020304050607
Payload = 20212223
CT = 7162015b4dac255d
"""
DVPT = """\
#  "CCM-DVPT" information
[Alen = 8, Plen = 4, Nlen = 7, Tlen = 4]

Key = 404142434445464748494a4b4c4d4e4f

Count = 0
Nonce = 10111213141516
Adata = 0001020304050607
CT = 7162015b4dac255d
Result = Pass
Payload = 20212223

Count = 1
Nonce = 10111213141516
Adata = 0001020304050607
CT = 7162015b4dac255e
Result = Fail
"""
GCM = """\
# GCM Decrypt with keysize 128 test information
[Keylen = 128]
[IVlen = 96]

Count = 0
Key = 00000000000000000000000000000000
IV = 000000000000000000000000
CT = 0388dace60b6a392f328c2b971b2fe78
AAD =
Tag = ab6e47d42cec13bdf53a67b21257bddf
PT = 00000000000000000000000000000000

Count = 1
Key = 00000000000000000000000000000000
IV = 000000000000000000000000
CT = 0388dace60b6a392f328c2b971b2fe78
AAD =
Tag = ab6e47d42cec13bdf53a67b21257bdde
FAIL
"""
XTS = """\
#  XTSGen information

[ENCRYPT]

COUNT = 1
DataUnitLen = 136
Key = fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0
i = 9a785634120000000000000000000000
PT = 000102030405060708090a0b0c0d0e0f10
CT = 6c1625db4671522d3d7599601de7ca09ed

COUNT = 2
DataUnitLen = 130
Key = 00
DataUnitSeqNumber = 5
PT = 00
CT = 00
"""
CMAC = """\
# NIST SP_800-38B
Count = 0
Klen = 16
Mlen = 0
Tlen = 4
Key = 2b7e151628aed2a6abf7158809cf4f3c
Msg = 00
Mac = bb1d6929
Result = P
"""


@pytest.mark.parametrize(
    ("text", "algorithms", "skipped"),
    [
        (MMT, ["cbc(aes)", "cbc(aes)"], 0),
        (SHA, ["sha1", "sha1"], 1),
        (CCM, ["ccm(aes)"], 0),
        (DVPT, ["ccm(aes)", "ccm(aes)"], 0),
        (GCM, ["gcm(aes)", "gcm(aes)"], 0),
        (XTS, ["xts(aes)"], 1),
        (CMAC, ["cmac(aes)"], 0),
    ],
)
def test_cavp_files(tmp_path: Path, text: str, algorithms: list[str], skipped: int) -> None:
    imported = read(tmp_path, "file.rsp", text)
    assert [v.algorithm for v in imported.vectors] == algorithms
    assert len(imported.skipped) == skipped
    assert all(agreeing(imported))
    assert imported.format == "CAVP"


def test_a_wrong_figure_in_a_cavp_file_is_found(tmp_path: Path) -> None:
    imported = read(tmp_path, "file.rsp", MMT.replace("7649abac8119b246", "7649abac8119b247", 1))
    assert agreeing(imported) == [False, True]
    unequal = read(tmp_path, "gcm.rsp", GCM.replace("57bdde", "57bddf"))
    assert agreeing(unequal) == [True, False]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MMT.replace("917678b2", "917678b"), "file.rsp:18: ciphertext: 31 hex digits are an odd"),
        (MMT.replace("IV = 7649", "IV = 76x9"), "file.rsp:17: iv: 'x' is not a hex digit"),
        (MMT.replace("IV = 000102030405060708090a0b0c0d0e0f\n", ""),
         "file.rsp:7: the test has no IV"),
        (MMT.replace("COUNT = 0\nKEY", "COUNT = 0\nCOUNT = 1\nKEY"),
         "file.rsp:8: COUNT is given twice"),
        (MMT[: MMT.rindex("CIPHERTEXT")], "file.rsp:15: the last test has no result; is the file"),
        ("hello\n", "file.rsp:1: 'hello' is not NAME = value"),
        ("# nothing\n", "file.rsp: no test vector in it"),
        (MMT.replace("MMT", "MCT"), "file.rsp: a Monte Carlo file holds links of a chain"),
        (MMT.replace("for CBC", "for CFB8"), "none of its 2 tests can be checked: AES in CFB8"),
        (SHA.replace("Len = 24", "Len = x"), "file.rsp:9: len is 'x', not a number"),
        (SHA.replace("Len = 24", "Len = 32"), "file.rsp:10: msg has 3 bytes, its length says 4"),
        (SHA.replace("9cd0d89d", "9cd0d8"), "no hash has a digest of 19 bytes"),
        (CCM.replace("CT = 7162015b4dac255d", "CT = 7162"), "CT has 2 bytes, its tag alone 4"),
        (GCM.replace("Tag = ab6e47d42cec13bdf53a67b21257bddf\nPT", "PT"),
         "file.rsp:5: the test has no TAG"),
    ],
)
def test_malformed_cavp_gives_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, "file.rsp", text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.rsp: No such file"):
        read_file(tmp_path / "gone.rsp")
    with pytest.raises(InputError, match="directory"):
        read_file(tmp_path)
    with pytest.raises(InputError, match="the file is empty"):
        read(tmp_path, "empty.rsp", " \n")
    binary = tmp_path / "binary.rsp"
    binary.write_bytes(b"A = 1\n\xff\xfe\0")
    with pytest.raises(InputError, match=r"binary\.rsp:2: not a text file"):
        read_file(binary)


def test_a_file_of_100_megabytes_is_answered_at_once(tmp_path: Path) -> None:
    large = tmp_path / "large.rsp"
    with large.open("wb") as file:
        file.truncate(100 << 20)
    with pytest.raises(InputError, match="100 MiB is too large for a vector file; split it") as e:
        read_file(large)
    assert "\n" not in str(e.value)


@pytest.mark.skipif(importlib.util.find_spec("cryptography_vectors") is None,
                    reason="NIST's own files: pip install cryptography-vectors")
@pytest.mark.parametrize(
    "name", ["ciphers/AES/CBC/CBCMMT256.rsp", "ciphers/AES/CCM/DVPT192.rsp",
             "ciphers/AES/ECB/ECBVarKey192.rsp", "hashes/SHA1/SHA1LongMsg.rsp"],
)
def test_nists_own_files(name: str) -> None:
    import cryptography_vectors  # type: ignore[import-not-found,unused-ignore]

    imported = read_file(Path(cryptography_vectors.__file__).parent / name)
    assert all(agreeing(imported))
