"""Vectors written as C, JSON and Python say the same as the vectors."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from patchgen.errors import ChecksFailedError, InputError
from patchgen.process import have_tool
from patchgen.vectors import store
from patchgen.vectors.check import check_vector, forms_for
from patchgen.vectors.emit import default_array, emit
from patchgen.vectors.emit_c import c_array, c_literals
from patchgen.vectors.imported import read_file
from patchgen.vectors.kernel_form import kernel_vector, moved_iv, obstacle_to_kernel
from patchgen.vectors.model import Vector

STRUCTS = """
#include <stdbool.h>
#include <stdio.h>
typedef unsigned char u8;
typedef unsigned short u16;
struct hash_testvec {
	const char *key, *plaintext, *digest;
	unsigned int psize;
	unsigned short ksize;
};
struct cipher_testvec {
	const char *key, *iv, *iv_out, *ptext, *ctext;
	unsigned short klen;
	unsigned int len;
};
struct aead_testvec {
	const char *key, *iv, *ptext, *assoc, *ctext;
	unsigned char novrfy, klen;
	unsigned int plen, clen, alen;
};
static void hex(const char *bytes, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		printf("%02x", (u8)bytes[i]);
	printf(" ");
}
"""
PRINTERS = {
    "hash_testvec": "hex(v->key, v->ksize); hex(v->plaintext, v->psize); hex(v->digest, SIZE);",
    "cipher_testvec": "hex(v->key, v->klen); hex(v->ptext, v->len); hex(v->ctext, v->len);",
    "aead_testvec": "hex(v->key, v->klen); hex(v->assoc, v->alen); hex(v->ptext, v->plen);"
                    "hex(v->ctext, v->clen);",
}


def compiled(text: str, digest_size: int, folder: Path) -> list[list[str]]:
    """Compile an emitted array with the members of testmgr.h and print it back."""
    struct, array = re.match(r"static const struct (\w+) (\w+)\[\]", text).groups()  # type: ignore[union-attr]
    printer = PRINTERS[struct].replace("SIZE", str(digest_size))
    program = (
        f"{STRUCTS}\n{text}\nint main(void)\n{{\n"
        f"for (unsigned int i = 0; i < sizeof({array}) / sizeof({array}[0]); i++) {{\n"
        f"const struct {struct} *v = &{array}[i]; {printer} puts(\"\"); }} return 0; }}\n"
    )
    source = folder / "array.c"
    source.write_text(program, "utf-8")
    subprocess.run(["gcc", "-std=gnu11", "-Wall", "-Werror", "-Wno-pointer-sign", "-o",
                    folder / "array", source], check=True, capture_output=True)
    out = subprocess.run([folder / "array"], check=True, capture_output=True, text=True).stdout
    return [line.split(" ")[:-1] for line in out.splitlines()]


@pytest.mark.skipif(not have_tool("gcc"), reason="gcc is not installed: apt-get install gcc")
@pytest.mark.parametrize(
    "name", ["sp800-38a/cbc-aes", "rfc1321", "rfc3610", "generated/rfc4106-gcm-aes", "crc32c",
             "generated/crct10dif-folding", "ieee1619"],
)
def test_emitted_c_compiles_and_holds_the_same_bytes(name: str, tmp_path: Path) -> None:
    vectors = [v for group in store.select([name]) for v in group.vectors]
    if name == "crc32c":
        vectors = [v for v in vectors if not v.name.startswith("generated/")]
    vectors = [v for v in vectors if not obstacle_to_kernel(v)]
    lines = compiled(emit([name], "c").text, len(vectors[0].output), tmp_path)
    assert len(lines) == len(vectors) > 0
    for fields, v in zip(lines, vectors, strict=True):
        if v.tag:
            aad = v.aad + v.iv if v.algorithm.startswith("rfc4") else v.aad
            expected = [v.key, aad, v.input, v.output + v.tag]
        elif v.algorithm == "crct10dif":
            expected = [v.key, v.input, v.output[::-1]]  # a u16 of a little-endian machine
        else:
            expected = [v.key, v.input, v.output]
        assert fields == [value.hex() for value in expected]


def test_c_is_in_kernel_style() -> None:
    text = emit(["sp800-38a/ctr-aes"], "c", array="my_tv").text
    lines = text.splitlines()
    assert lines[0] == "static const struct cipher_testvec my_tv[] = {"
    assert lines[1] == "\t{"
    assert lines[-2:] == ["\t}", "};"]
    assert text.count("\t}, {\n") == 2
    assert max(len(line.expandtabs(8)) for line in lines) <= 80
    assert not any(line != line.rstrip() for line in lines)
    assert '\t\t.klen\t= 16,\n' in text
    assert '\t\t.key\t= "\\x2b\\x7e\\x15\\x16\\x28\\xae\\xd2\\xa6"\n\t\t\t  "\\xab' in text
    assert "NIST SP 800-38A, F.5.1 CTR-AES128.Encrypt; agreed: reference," in text


def test_hashes_align_their_longer_names() -> None:
    text = emit(["rfc1321"], "c").text
    assert text.startswith("static const struct hash_testvec md5_patchgen_tv_template[] = {\n")
    assert '\t\t.plaintext\t= "",\n\t\t.psize\t\t= 0,\n\t\t.digest\t\t= "\\xd4' in text


def test_a_crc_of_16_bits_is_a_number_of_the_machine() -> None:
    text = emit(["generated/crct10dif-folding"], "c").text
    (vector,) = store.select(["generated/crct10dif-folding"])[0].vectors
    assert f"\t\t.digest\t\t= (u8 *)(u16 []){{ 0x{vector.output.hex()} }},\n" in text
    assert ".psize\t\t= 2048," in text


def test_the_kernels_form_of_ivs() -> None:
    def members(vector: Vector) -> dict[str, Any]:
        return {m.name: m.value for m in kernel_vector(vector).members}

    ccm = store.select(["rfc3610"])[0].vectors[0]
    assert members(ccm)["iv"] == b"\x01" + ccm.iv + b"\0\0"
    cbc = store.select(["sp800-38a/cbc-aes"])[0].vectors[0]
    assert members(cbc)["iv_out"] == cbc.output[-16:]
    ctr = store.select(["sp800-38a/ctr-aes"])[0].vectors[0]
    assert members(ctr)["iv_out"].hex() == "f0f1f2f3f4f5f6f7f8f9fafbfcfdff03"
    assert moved_iv(replace(ctr, iv=b"\xff" * 16, input=bytes(17))) == bytes(15) + b"\1"
    assert moved_iv(replace(cbc, input=b"", output=b"")) == cbc.iv
    gcm = store.select(["sp800-38d/gcm-aes"])[0].vectors[3]
    refused = members(replace(gcm, valid=False))
    assert next(iter(refused)) == "novrfy"
    assert refused["clen"] == len(gcm.output) + len(gcm.tag)


def test_what_the_kernel_cannot_take_is_left_out_by_name() -> None:
    emission = emit(["sp800-38d/gcm-aes"], "c")
    assert emission.count == 12
    assert dict(emission.left_out)["sp800-38d/gcm-aes/test-case-5"] == (
        "the kernel takes GCM IVs of 12 bytes, not 8"
    )
    assert emit(["sp800-38c/ccm-aes"], "c").left_out == (
        ("sp800-38c/ccm-aes/example-4", "longer than 8192 bytes"),
    )
    first = store.select(["ieee1619"])[0].vectors[0]
    assert obstacle_to_kernel(first) == "both halves of the XTS key are equal"
    with pytest.raises(InputError, match="vector-1 cannot be a kernel test vector"):
        kernel_vector(first)


def test_an_algorithm_means_its_standards_unless_told_otherwise() -> None:
    standards = emit(["cbc(aes)"], "c")
    assert standards.count == 3
    everything = emit(["cbc(aes)"], "c", generated=True)
    assert everything.count == 3 + len(store.select(["generated/cbc-aes"])[0].vectors)
    assert emit(["chacha12"], "json").count > 100


def test_emission_refuses_several_algorithms_none_and_bad_names() -> None:
    with pytest.raises(InputError, match="one algorithm at a time"):
        emit(["sp800-38a"], "c")
    with pytest.raises(InputError, match="'9lives' is not a C identifier"):
        emit(["rfc1321"], "c", array="9lives")
    with pytest.raises(InputError, match="not of no vectors"):
        c_array([], "empty")
    with pytest.raises(InputError, match="no vectors are called"):
        emit(["des"], "c")


def test_a_wrong_vector_is_never_written(monkeypatch: pytest.MonkeyPatch) -> None:
    group = store.select(["rfc1321/md5"])[0]
    wrong = replace(group.vectors[1], output=bytes(16))
    broken = replace(group, vectors=(wrong,))
    monkeypatch.setattr(store, "select", lambda names: (broken,))
    with pytest.raises(ChecksFailedError, match=r"rfc1321/md5/A\.5-2: output: reference says"):
        emit(["rfc1321/md5"], "c")


@pytest.mark.parametrize("name", ["sp800-38d/gcm-aes", "rfc3610", "sp800-38b", "ieee1619"])
def test_json_is_read_back_by_our_own_reader(name: str, tmp_path: Path) -> None:
    emission = emit([name], "json")
    path = tmp_path / "written.json"
    path.write_text(emission.text, "utf-8")
    imported = read_file(path)
    original = store.select([name])[0].vectors
    assert len(imported.vectors) == emission.count == len(original)
    groups = json.loads(emission.text)["testGroups"]
    by_size = [t["comment"].split(":")[0] for g in groups for t in g["tests"]]
    order = {v.name: v for v in original}
    for read, source in zip(imported.vectors, by_size, strict=True):
        v = order[source]
        assert (read.key, read.iv, read.aad, read.input, read.output, read.tag) == (
            v.key, v.iv, v.aad, v.input, v.output, v.tag
        )
        assert check_vector(read, forms_for(read)).ok


def test_json_has_wycheproofs_layout() -> None:
    document = json.loads(emit(["sp800-38d/gcm-aes"], "json").text)
    assert document["algorithm"] == "AES-GCM"
    assert document["schema"] == "aead_test_schema_v1.json"
    assert document["numberOfTests"] == 18
    group = document["testGroups"][0]
    assert {k: group[k] for k in ("type", "keySize", "ivSize", "tagSize")} == {
        "type": "AeadTest", "keySize": 128, "ivSize": 96, "tagSize": 128
    }
    assert set(group["tests"][0]) == {"tcId", "comment", "flags", "key", "iv", "aad", "msg", "ct",
                                      "tag", "result"}
    ids = sorted(t["tcId"] for g in document["testGroups"] for t in g["tests"])
    assert ids == list(range(1, 19))
    mac = json.loads(emit(["sp800-38b"], "json").text)["testGroups"][0]
    assert (mac["type"], mac["tagSize"]) == ("MacTest", 128)
    digest = json.loads(emit(["rfc1321"], "json").text)["testGroups"][0]
    assert digest["type"] == "HashTest"
    assert digest["tests"][2]["digest"] == "900150983cd24fb0d6963f7d28e17f72"


def test_python_runs_and_says_the_same() -> None:
    namespace: dict[str, Any] = {}
    exec(emit(["ieee1619"], "python").text, namespace)
    original = store.select(["ieee1619"])[0].vectors
    assert len(namespace["VECTORS"]) == len(original)
    for written, v in zip(namespace["VECTORS"], original, strict=True):
        assert written["name"] == v.name
        assert written["output"] == v.output
        assert written["key"] == v.key
        assert "reference" in written["agreed"]


def test_names_of_arrays() -> None:
    assert default_array("cbc(aes)") == "aes_cbc_patchgen_tv_template"
    assert default_array("rfc4106(gcm(aes))") == "aes_gcm_rfc4106_patchgen_tv_template"
    assert default_array("sha1") == "sha1_patchgen_tv_template"


def test_literals() -> None:
    assert c_literals(b"") == ['""']
    assert c_literals(bytes(range(9))) == [
        '"\\x00\\x01\\x02\\x03\\x04\\x05\\x06\\x07"', '"\\x08"'
    ]
