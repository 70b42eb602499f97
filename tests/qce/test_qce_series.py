"""`patchgen series qce-gcm` on every tree it may meet: eras, half-patched, foreign, hostile."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from email import message_from_bytes
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qce_eras import ERAS, QCE, Era, tree_of
from qce_harness import AES, CBC, HARDWARE, SOFTWARE, XTS, compile_driver
from qce_scramble import scrambled
from qce_series import applied, context, only, series, steps

from patchgen.cli.main import main
from patchgen.errors import AlreadyAppliedError
from patchgen.series.plan import PlanOptions, plan_series
from patchgen.steps.rewrite import outcome_of
from patchgen.steps.rewrite_base import AnchorError
from patchgen.tree import Tree

SUBJECTS = [
    "crypto: qce - use cryptlen when adding extra sgl",
    "crypto: qce - use AES fallback for small requests",
    "crypto: qce - handle AES-XTS cases that qce fails",
]
KCONFIG = "drivers/crypto/Kconfig"
ERA = {era.name: era for era in ERAS}
LATE = ERA["5.6"]
ALL_ERAS = pytest.mark.parametrize("era", ERAS, ids=lambda era: era.name)


def plan(tree: Tree):
    return plan_series(series(), tree.base, PlanOptions())


def changed(files: dict[str, str], path: str, old: str, new: str, count: int = 1) -> dict[str, str]:
    """The files with one text in one of them replaced; it must be there."""
    assert files[path].count(old) >= 1, old
    return {**files, path: files[path].replace(old, new, count)}


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return root


def final_files(tree: Tree) -> dict[str, str]:
    paths = set(tree.overlay) | set(tree.base.files)
    return {path: tree.read(path) for path in paths}


# --- what the patches are ---------------------------------------------------------------------


def test_embedded_base_gets_three_patches():
    made = plan_series(series(), None, PlanOptions())
    assert [patch.subject for patch in made.patches] == SUBJECTS
    assert [patch.paths for patch in made.patches] == [
        (f"{QCE}/dma.c", f"{QCE}/dma.h", f"{QCE}/skcipher.c"),
        (KCONFIG, f"{QCE}/skcipher.c"),
        (f"{QCE}/common.c", f"{QCE}/common.h", f"{QCE}/skcipher.c"),
    ]


@ALL_ERAS
def test_every_era_gets_three_patches(era: Era):
    made = plan(era.tree())
    assert [patch.subject for patch in made.patches] == SUBJECTS
    assert [set(patch.paths) for patch in made.patches] == [
        {f"{QCE}/dma.c", f"{QCE}/dma.h", era.cipher}, {KCONFIG, era.cipher},
        {f"{QCE}/common.c", f"{QCE}/common.h", era.cipher}]
    length = "req->nbytes" if era.api == "ablkcipher" else "req->cryptlen"
    cipher = made.patches[-1].after.read(era.cipher)
    assert f"qce_sgtable_add(&rctx->dst_tbl, req->dst, {length});" in cipher
    assert "&rctx->result_sg,\n\t\t\t     QCE_RESULT_BUF_SZ);" in cipher
    assert f"{length} <= READ_ONCE(aes_sw_max_len)" in cipher
    assert f"{length} > QCE_SECTOR_SIZE" in cipher
    assert not [line for line in cipher.splitlines() if line != line.rstrip()]
    assert "goto fallback" not in cipher


@ALL_ERAS
def test_untouched_lines_stay_as_they_are(era: Era):
    """Only lines that a step has to touch differ, and patches do not undo one another."""
    before, after = era.files(), final_files(applied(era.tree()))
    gone = {
        line.strip() for path in before
        for line in set(before[path].splitlines()) - set(after[path].splitlines())}
    allowed = re.compile(
        r"qce_sgtable_add|max_ents|while \(new_sgl|sg_set_page|new_sgl->offset|#define QCE_SECTOR"
        r"|goto fallback|fallback:|setkey\(ctx->fallback|if \(!ret\)|return ret|IS_AES"
        r"|keylen != |^ctx->enc_keylen = keylen;$")
    assert [line for line in gone if line and not allowed.search(line)] == []


def test_messages_name_what_they_repair():
    for text in series().messages:
        trailers = text.strip().rpartition("\n\n")[2].splitlines()
        assert all(re.fullmatch(r'Fixes: [0-9a-f]{12} \("crypto: qce - .+"\)', t)
                   for t in trailers)
        assert max(len(line) for line in text.splitlines() if "Fixes" not in line) <= 72


# --- Kconfig and the module parameter ---------------------------------------------------------


@ALL_ERAS
def test_kconfig_entry_fits_the_version(era: Era):
    text = applied(era.tree()).read(KCONFIG)
    entry = re.search(r"config CRYPTO_DEV_QCE_SW_MAX_LEN\n(.*?)\n(?=config )", text, re.S)
    assert entry
    lines = entry[1].splitlines()
    wanted = "CRYPTO_DEV_QCE && CRYPTO_DEV_QCE_SKCIPHER" if era.choice else "CRYPTO_DEV_QCE"
    assert lines[0].startswith('\tint "')
    assert f"\tdepends on {wanted}" in lines
    assert "\tdefault 512" in lines
    assert "\trange 0 65536" in lines
    help_text = " ".join(entry[1].partition("\thelp\n")[2].split())
    for fact in ("aes_sw_max_len", "about 2 times", "30%", "768", "1024", "at least 16", "AES-GCM",
                 "0 gives all", "192-bit", "DES"):
        assert fact in help_text, fact
    before = text[: entry.start()].rstrip().splitlines()[-1]
    assert before == ("endchoice" if era.choice else "\t\tThe engine.")


@pytest.mark.parametrize("files", [*(era.files() for era in ERAS)], ids=[e.name for e in ERAS])
def test_every_config_symbol_in_c_is_defined(files: dict[str, str]):
    """The posted series named a symbol that no Kconfig had."""
    after = applied(tree_of(files))
    defined = set(re.findall(r"^\s*config (\w+)$", after.read(KCONFIG), re.M))
    for path in files:
        if path.endswith(".c"):
            used = set(re.findall(r"CONFIG_(CRYPTO_DEV_QCE\w*)", after.read(path)))
            assert used <= defined, path
            if "cipher" in path:
                assert used == {"CRYPTO_DEV_QCE_SW_MAX_LEN"}


def test_one_name_for_the_symbol():
    entry = next(step for step in steps(2) if hasattr(step, "symbol"))
    assert entry.symbol == series().spec.params["sw_max_len_symbol"]


@ALL_ERAS
def test_include_keeps_its_order(era: Era):
    lines = applied(era.tree()).read(era.cipher).splitlines()
    linux = [line for line in lines if line.startswith("#include <linux/")]
    assert linux == sorted(linux)
    assert "#include <linux/moduleparam.h>" in linux


# --- trees that have some of it ---------------------------------------------------------------


@ALL_ERAS
def test_applying_twice_says_where_it_already_is(era: Era):
    done = tree_of(final_files(applied(era.tree())))
    with pytest.raises(AlreadyAppliedError) as error:
        plan(done)
    assert "3 patches are already applied" in str(error.value)
    for number in (1, 2, 3):
        for step in steps(number):
            outcome = outcome_of(step, done, context())
            assert outcome.state == "already applied", outcome
            assert done.exists(outcome.file or "")
            assert (outcome.line or 0) >= 1


@pytest.mark.parametrize("there", [(1,), (2,), (1, 2), (2, 3)], ids=str)
@ALL_ERAS
def test_a_tree_with_some_gets_the_others(era: Era, there: tuple[int, ...]):
    tree = tree_of(final_files(only(era.tree(), *there)))
    made = plan(tree)
    assert [a.number for a in made.applied] == list(there)
    missing = [n for n in (1, 2, 3) if n not in there]
    assert [patch.subject for patch in made.patches] == [SUBJECTS[n - 1] for n in missing]
    assert final_files(made.patches[-1].after) == final_files(applied(era.tree()))


UPSTREAM_CONDITION = """\
	if (IS_AES(rctx->flags) &&
		(((keylen != AES_KEYSIZE_128 && keylen != AES_KEYSIZE_256) ||
		req->cryptlen <= aes_sw_max_len){rest})) {{
"""
XTS_TERM = """ ||
		(IS_XTS(rctx->flags) && req->cryptlen > QCE_SECTOR_SIZE &&
		req->cryptlen % QCE_SECTOR_SIZE)"""
OWN_CONDITION = """\
	if (IS_AES(rctx->flags) && keylen != AES_KEYSIZE_128 &&
		keylen != AES_KEYSIZE_256) {
"""


def like_5_7(*, xts: bool) -> dict[str, str]:
    """The last era with patches 1 and 2 (and 3) in the way they were once accepted."""
    files = final_files(only(LATE.tree(), 1, 2))
    own = files[LATE.cipher]
    start = own.index("\tret = crypto_sync_skcipher_setkey")
    end = own.index("\treturn 0;\n}\n\nstatic int qce_skcipher_crypt") + len("\treturn 0;\n}\n")
    setkey = """\
	switch (IS_XTS(flags) ? keylen >> 1 : keylen) {
	case AES_KEYSIZE_128:
	case AES_KEYSIZE_256:
		memcpy(ctx->enc_key, key, keylen);
		break;
	}

	ret = crypto_sync_skcipher_setkey(ctx->fallback, key, keylen);
	if (!ret)
		ctx->enc_keylen = keylen;
	return ret;
}
"""
    files[LATE.cipher] = own[:start] + setkey + own[end:]
    condition = own[own.index("\tif (IS_AES(rctx->flags)") : own.index("\t\tSYNC_SKCIPHER")]
    new = UPSTREAM_CONDITION.format(rest=XTS_TERM if xts else "")
    files = changed(files, LATE.cipher, condition, new)
    if xts:
        files = changed(files, f"{QCE}/common.c", "#define QCE_SECTOR_SIZE\t\t512\n\n", "")
        files = changed(files, f"{QCE}/common.h", "/* key size",
                        "#define QCE_SECTOR_SIZE\t\t\t512\n\n/* key size")
    return files


def test_the_accepted_form_counts_as_applied():
    with pytest.raises(AlreadyAppliedError):
        plan(tree_of(like_5_7(xts=True)))


def test_the_accepted_form_without_the_third_patch_gets_it(tmp_path: Path):
    made = plan(tree_of(like_5_7(xts=False)))
    assert [a.number for a in made.applied] == [1, 2]
    driver = compile_driver(made.patches[-1].after, tmp_path)
    for length, goes in ((512, SOFTWARE), (513, SOFTWARE), (768, SOFTWARE), (1024, HARDWARE)):
        assert driver.decide(AES | XTS, (32,), length, 512).crypt == goes


def test_the_third_patch_without_the_second(tmp_path: Path):
    """Somebody took only the XTS fix: the others find their places beside it."""
    condition = (f"\tif (IS_AES(rctx->flags) &&\n\t    ((keylen != AES_KEYSIZE_128 &&\n"
                 f"\t      keylen != AES_KEYSIZE_256){XTS_TERM})) {{\n")
    files = changed(LATE.files(), LATE.cipher, OWN_CONDITION, condition)
    files = changed(files, f"{QCE}/common.c", "#define QCE_SECTOR_SIZE\t\t512\n\n", "")
    files = changed(files, f"{QCE}/common.h", "/* key size",
                    "#define QCE_SECTOR_SIZE\t\t\t512\n\n/* key size")
    made = plan(tree_of(files))
    assert [a.number for a in made.applied] == [3]
    driver = compile_driver(made.patches[-1].after, tmp_path)
    for mode, length, goes in ((CBC, 512, SOFTWARE), (CBC, 513, HARDWARE), (XTS, 768, SOFTWARE),
                               (XTS, 16, SOFTWARE), (XTS, 1024, HARDWARE)):
        assert driver.decide(AES | mode, (32,), length, 512).crypt == goes


def test_a_later_form_counts_as_applied():
    """Where later work has changed every place, the signature, the parameter and the use of
    the sector size still show that the patches are there."""
    files = like_5_7(xts=True)
    files = changed(files, LATE.cipher, "\tret = crypto_sync_skcipher_setkey(ctx->fallback, key, "
                    "keylen);\n\tif (!ret)\n\t\tctx->enc_keylen = keylen;\n\treturn ret;\n",
                    "\treturn qce_set_both_keys(ctx, key, keylen);\n")
    files = changed(files, LATE.cipher, UPSTREAM_CONDITION.format(rest=XTS_TERM),
                    "\tif (qce_is_software(ctx, req)) {\n")
    files = changed(files, LATE.cipher, "static int qce_skcipher_setkey",
                    "static bool qce_is_small(struct skcipher_request *req)\n{\n"
                    "\treturn min(req->cryptlen, QCE_SECTOR_SIZE) < aes_sw_max_len;\n}\n\n"
                    "static int qce_skcipher_setkey")
    loop = files[f"{QCE}/dma.c"]
    start = loop.index("\twhile (new_sgl")
    files[f"{QCE}/dma.c"] = loop[:start] + "\treturn qce_copy(sg, new_sgl, max_len);\n}\n"
    with pytest.raises(AlreadyAppliedError, match="all 3 patches are already applied"):
        plan(tree_of(files))


def test_traces_of_a_patch_do_not_excuse_a_missing_place():
    """An include that is there for another reason is no sign of the second patch."""
    files = changed(LATE.files(), LATE.cipher, "#include <linux/types.h>\n",
                    "#include <linux/moduleparam.h>\n#include <linux/types.h>\n")
    files = changed(files, LATE.cipher, "keylen != AES_KEYSIZE_256", "keylen != 33")
    with pytest.raises(AnchorError, match="no such anchor in a condition"):
        plan(tree_of(files))


# --- trees that others have changed -----------------------------------------------------------


def around(era: Era) -> dict[str, str]:
    """An era with other patches around every anchor."""
    files = era.files()
    cipher = era.cipher
    files = changed(files, cipher, "#include <linux/types.h>\n",
                    "#include <linux/types.h>\n#include <linux/vmalloc.h>\n")
    files = changed(files, cipher, "if (IS_AES(rctx->flags) && ",
                    "if (IS_AES(rctx->flags) && likely(tmpl->qce) && ")
    files = changed(files, cipher, "\tret = sg_alloc_table(",
                    "\tfoo_prepare(req, /* first, */ rctx->dst_nents - 1);\n"
                    "\tret = sg_alloc_table(")
    files = changed(files, cipher, "\tif (!key || !keylen)",
                    "\tWARN_ON_ONCE(!ctx->fallback);\n\tif (!key || !keylen)")
    files = changed(files, f"{QCE}/dma.c", "\t\tsg_last = sg;\n",
                    "\t\tsg_dma_mark_bus_address(sg);\n\t\tsg_last = sg;\n")
    files = changed(files, f"{QCE}/dma.c", "struct scatterlist *\nqce_sgtable_add",
                    "EXPORT_THING(qce_dma_release)\nstruct scatterlist *\nqce_sgtable_add")
    files = changed(files, f"{QCE}/common.h", "/* key size",
                    "#ifdef CONFIG_FOO\n#define FOO 1\n#endif\n\n/* key size")
    return changed(files, KCONFIG, "config CRYPTO_DEV_QCOM_RNG",
                   "# Added by a vendor\nconfig CRYPTO_DEV_QCEX\n\tbool\n\n"
                   "config CRYPTO_DEV_QCOM_RNG")


@ALL_ERAS
def test_other_patches_around_do_not_hide_the_anchors(era: Era):
    made = plan(tree_of(around(era)))
    assert [patch.subject for patch in made.patches] == SUBJECTS
    cipher = made.patches[-1].after.read(era.cipher)
    assert "likely(tmpl->qce) &&" in cipher
    assert "foo_prepare(req, /* first, */ rctx->dst_nents - 1);" in cipher
    assert "\t\tsg_dma_mark_bus_address(sg);\n" in made.patches[0].after.read(f"{QCE}/dma.c")


@given(seed=st.integers(0, 2**32))
@settings(max_examples=max(1, settings().max_examples // 6))
def test_layout_and_comments_do_not_matter(seed: int):
    random = Random(seed)
    era = random.choice(ERAS)
    files = {path: scrambled(path, text, random) if path.endswith((".c", ".h")) else text
             for path, text in era.files().items()}
    after = applied(tree_of(files))
    for path, text in final_files(after).items():
        marks = text.count("READ_ONCE(aes_sw_max_len)"), text.count("QCE_RESULT_BUF_SZ")
        assert marks == ((1, 2) if path == era.cipher else (0, 0)), path


@pytest.mark.parametrize("seed", range(2))
def test_scrambled_drivers_still_decide_by_the_table(seed: int, tmp_path: Path):
    era = ERAS[3 * seed + 2]
    files = {path: scrambled(path, text, Random(seed)) if path.endswith(("dma.c", "cipher.c"))
             else text for path, text in era.files().items()}
    driver = compile_driver(applied(tree_of(files)), tmp_path)
    for mode, length, goes in ((CBC, 512, SOFTWARE), (CBC, 513, HARDWARE), (XTS, 768, SOFTWARE),
                               (XTS, 1024, HARDWARE)):
        assert driver.decide(AES | mode, (32,), length, 512).crypt == goes
    assert driver.add_entries(4, 0, [(16, 0, 50), (17, 8, 50)], 60)[1][:2] == [
        (16, 0, 50), (17, 8, 10)]


# --- hostile input ----------------------------------------------------------------------------


def _hostile() -> dict[str, tuple[dict[str, str | bytes | None], str]]:
    """Name: (files that replace those of the last era, None to delete; what is said)."""
    files = LATE.files()
    cipher, dma = LATE.cipher, f"{QCE}/dma.c"
    function = files[dma][files[dma].index("struct scatterlist *\nqce_sgtable_add") :]
    twice = f"#ifdef OLD\n{function}#else\n{function}#endif\n"
    condition = files[cipher].replace("keylen != AES_KEYSIZE_256", "keylen != 33")
    doubled = files[cipher].replace(
        "\treturn tmpl->qce->async_req_enqueue",
        "\tif (IS_AES(rctx->flags) && keylen != AES_KEYSIZE_128 &&\n"
        "\t    keylen != AES_KEYSIZE_256)\n\t\treturn -EINVAL;\n\n"
        "\treturn tmpl->qce->async_req_enqueue")
    return {
        "function missing": ({dma: files[dma].replace("qce_sgtable_add(", "qce_table_add(")},
                             f"{dma}:1: no such anchor: no file of the set defines "
                             "qce_sgtable_add(); nearest: qce_table_add"),
        "function twice": ({dma: files[dma].replace(function, twice)},
                           f"{dma}:13: anchor found 2 times: definition of qce_sgtable_add()"),
        "condition missing": ({cipher: condition},
                              "no such anchor in a condition: qce_skcipher_crypt() has no "
                              "`$keylen != AES_KEYSIZE_128 && $keylen != AES_KEYSIZE_256`; "
                              "nearest: line "),
        "condition twice": ({cipher: doubled}, "anchor found 2 times: `$keylen !="),
        "unknown call": ({cipher: files[cipher].replace(
            "\treturn 0;\n\nerror_free", "\tqce_sgtable_add(&rctx->dst_tbl, sg, 7);\n"
            "\treturn 0;\n\nerror_free")}, "does not know what qce_sgtable_add(&rctx->dst_tbl, "
            "sg, 7) should pass"),
        "define missing": ({f"{QCE}/common.c": files[f"{QCE}/common.c"].replace(
            "QCE_SECTOR_SIZE", "QCE_SECTOR_BYTES")},
            "#define QCE_SECTOR_SIZE; nearest: QCE_SECTOR_BYTES"),
        "file missing": ({dma: None}, "no such anchor: no file of the set defines"),
        "cipher missing": ({cipher: None}, f"{QCE}/skcipher.c: no such file in the tree"),
        "Kconfig missing": ({KCONFIG: None}, f"{KCONFIG}: no such file in the tree"),
        "Kconfig foreign": ({KCONFIG: "config FOO\n\tbool\n"},
                            f"{KCONFIG}:1: no such anchor: no config CRYPTO_DEV_QCE_ENABLE_ALL"),
        "CRLF": ({cipher: files[cipher].replace("\n", "\r\n")},
                 f"{cipher}:1: has CRLF line ends; convert it first"),
        "one CRLF": ({dma: files[dma].replace("return sg_last;\n", "return sg_last;\r\n")},
                     f"{dma}:33: has CRLF line ends"),
        "CRLF in Kconfig": ({KCONFIG: files[KCONFIG].replace("\n", "\r\n")},
                            f"{KCONFIG}:1: has CRLF line ends"),
        "not UTF-8": ({cipher: files[cipher].encode().replace(b"\n\n", b"\n/* \xe9 */\n", 1)},
                      f"{cipher}:7: is not UTF-8 text"),
        "NUL": ({dma: files[dma] + "\0"}, f"{dma}:35: holds a NUL byte"),
        "syntax in the function": ({cipher: files[cipher].replace(
            "\trctx->flags = tmpl", "\tauto [a, b] = @foo<int>;\n\trctx->flags = tmpl")},
            "has syntax that the C grammar does not know"),
        "syntax between functions": ({cipher: files[cipher].replace(
            "static LIST_HEAD", "@@ what -> is <this>\nstatic LIST_HEAD")},
            f"{cipher}:10: has syntax that the C grammar does not know: '@@"),
        "bottomless": ({cipher: files[cipher].replace(
            "encrypt ? QCE_ENCRYPT", "(" * 2000 + "encrypt" + ")" * 2000 + " ? QCE_ENCRYPT")},
            "has more than 300 levels of nesting"),
        "endless condition": ({cipher: files[cipher].replace(
            "if (IS_AES(rctx->flags) &&", "if (IS_AES(rctx->flags) &&" + " a &&" * 2000)},
            "has more than 300 levels of nesting"),
        "not C": ({cipher: "Dear diary, today I wrote no C.\n"}, cipher),
        "empty": ({dma: ""}, "no such anchor: no file of the set defines qce_sgtable_add()"),
    }


HOSTILE = _hostile()


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_is_one_clear_line(name: str, tmp_path: Path,
                                         capsys: pytest.CaptureFixture[str]):
    damage, said = HOSTILE[name]
    files = {p: t for p, t in ({**LATE.files(), **damage}).items() if t is not None}
    root = write(tmp_path / "tree", files)
    before = {p: p.read_bytes() for p in root.rglob("*") if p.is_file()}
    out = tmp_path / "out"
    assert main(["series", "qce-gcm", "-o", str(out), "--tree", str(root)]) == 2
    shown = capsys.readouterr()
    lines = [line for line in shown.err.splitlines() if line.startswith("patchgen:")]
    assert len(lines) == 1
    assert said in lines[0]
    assert "Traceback" not in shown.err
    assert not out.exists()
    assert {p: p.read_bytes() for p in root.rglob("*") if p.is_file()} == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["tree"]


# --- the command, and kernels of today --------------------------------------------------------


def test_command_writes_mails_for_an_old_tree(tmp_path: Path):
    root = write(tmp_path / "linux", ERA["4.14"].files())
    out = tmp_path / "out"
    assert main(["series", "qce-gcm", "-o", str(out), "--tree", str(root), "--from",
                 "A B <a@example.org>"]) == 0
    names = sorted(p.name for p in out.glob("*.patch"))
    assert [name[:7] for name in names] == ["v1-0000", "v1-0001", "v1-0002", "v1-0003"]
    for name, subject in zip(names[1:], SUBJECTS, strict=True):
        mail = message_from_bytes((out / name).read_bytes())
        assert mail["Subject"].replace("\n", "").endswith(subject)


@pytest.mark.parametrize("version", ["6.1", "6.12"])
def test_kernels_of_today_have_it(version: str, tmp_path: Path,
                                  kernel_tree: Callable[[str], Path],
                                  capsys: pytest.CaptureFixture[str]):
    tree = kernel_tree(version)
    out = tmp_path / "out"
    assert main(["series", "qce-gcm", "-o", str(out), "--tree", str(tree), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert [(a["number"], a["subject"]) for a in document["already_applied"]] == list(
        enumerate(SUBJECTS, start=1))
    for entry in document["already_applied"]:
        path, _, line = entry["where"].partition(":")
        assert int(line) <= len((tree / path).read_text("utf-8").splitlines())
    assert not out.exists()
    assert main(["series", "qce-gcm", "-o", str(out), "--tree", str(tree)]) == 1
    assert capsys.readouterr().err.count("already applied") >= 1


def test_only_the_missing_are_numbered(tmp_path: Path):
    root = write(tmp_path / "linux", final_files(only(LATE.tree(), 1)))
    out = tmp_path / "out"
    assert main(["series", "qce-gcm", "-o", str(out), "--tree", str(root)]) == 0
    subjects = [message_from_bytes(p.read_bytes())["Subject"].replace("\n", "")
                for p in sorted(out.glob("*.patch"))[1:]]
    assert [re.sub(r".*?(\d/\d)\] ", r"\1 ", s) for s in subjects] == [
        f"1/2 {SUBJECTS[1]}", f"2/2 {SUBJECTS[2]}"]
    about = json.loads((out / "series.json").read_text("utf-8"))
    assert [a["number"] for a in about["already_applied"]] == [1]
