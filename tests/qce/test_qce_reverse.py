"""A kernel of today with the three patches taken out by hand gets them back."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from qce_eras import QCE, tree_of
from qce_harness import AES, CBC, CTR, HARDWARE, SOFTWARE, XTS, Driver, compile_driver
from qce_series import series
from test_qce_series import KCONFIG, SUBJECTS, XTS_TERM

from patchgen.series.plan import PlanOptions, plan_series

Files = dict[str, str]
CIPHER = f"{QCE}/skcipher.c"
OLD, NEW = "6.1", "6.12"
VERSIONS = pytest.mark.parametrize("version", [OLD, NEW])
ONE_VERSION = pytest.mark.parametrize(
    "version", [OLD, NEW] if os.environ.get("PATCHGEN_THOROUGH") else [OLD])


def swap(files: Files, path: str, old: str, new: str) -> None:
    assert files[path].count(old) == 1, (path, old, files[path].count(old))
    files[path] = files[path].replace(old, new)


def cut(files: Files, path: str, pattern: str, new: str = "") -> None:
    files[path], count = re.subn(pattern, new, files[path], flags=re.S)
    assert count == 1, (path, pattern, count)


def undo_1(files: Files) -> None:
    """Entries again: the parameter, the loop, both callers. The AEAD callers stay."""
    dma = f"{QCE}/dma.c"
    for path in (dma, f"{QCE}/dma.h"):
        swap(files, path, "unsigned int max_len)", "int max_ents)")
    swap(files, dma, "\tunsigned int new_len;\n", "")
    swap(files, dma, "sg && max_len)", "sg && max_ents)")
    cut(files, dma, r"\t\tnew_len = [^\n]*\n\t\tsg_set_page[^\n]*\n",
        "\t\tsg_set_page(sg, sg_page(new_sgl), new_sgl->length,\n"
        "\t\t\t    new_sgl->offset);\n")
    swap(files, dma, "max_len -= new_len;", "max_ents--;")
    swap(files, CIPHER, "req->dst, req->cryptlen);\n\tif (IS_ERR",
         "req->dst, rctx->dst_nents - 1);\n\tif (IS_ERR")
    cut(files, CIPHER, r"&rctx->result_sg,\s+QCE_RESULT_BUF_SZ\)", "&rctx->result_sg, 1)")


def undo_1_everywhere(files: Files) -> None:
    """Like ``undo_1``, and the AEAD part passes entries where it has just made one."""
    undo_1(files)
    aead = f"{QCE}/aead.c"
    for entry in ("tbl, &rctx->result_sg", "&rctx->src_tbl, &rctx->adata_sg"):
        files[aead] = re.sub(rf"(qce_sgtable_add\({entry},)\s+[^;]*\);", r"\1 1);", files[aead])
    assert files[aead].count(", 1);") >= 3


def undo_2(files: Files) -> None:
    """No parameter; keys that the engine cannot use jump to the fallback's label."""
    cut(files, KCONFIG, r"config CRYPTO_DEV_QCE_SW_MAX_LEN\n.*?\n(?=config )")
    swap(files, CIPHER, "#include <linux/moduleparam.h>\n", "")
    cut(files, CIPHER, r"static unsigned int aes_sw_max_len.*?\]\"\);\n\n")
    cut(files, CIPHER, r"\tswitch \(__keylen\) \{.*?\n\treturn ret;\n", """\
	switch (__keylen) {
	case AES_KEYSIZE_128:
	case AES_KEYSIZE_256:
		break;
	case AES_KEYSIZE_192:
		goto fallback;
	default:
		return -EINVAL;
	}

	ctx->enc_keylen = keylen;
	memcpy(ctx->enc_key, key, keylen);
	return 0;
fallback:
	ret = crypto_skcipher_setkey(ctx->fallback, key, keylen);
	if (!ret)
		ctx->enc_keylen = keylen;
	return ret;
""")
    rest = XTS_TERM if "% QCE_SECTOR_SIZE" in files[CIPHER] else ""
    cut(files, CIPHER, r"\tif \(IS_AES\(rctx->flags\) &&.*?\) \{\n",
        "\tif (IS_AES(rctx->flags) &&\n\t    ((keylen != AES_KEYSIZE_128 &&\n"
        f"\t      keylen != AES_KEYSIZE_256){rest})) {{\n")


def undo_3(files: Files) -> None:
    """The sector size is private to common.c, and nobody asks for whole sectors."""
    cut(files, f"{QCE}/common.h", r"/\* xts du size \*/\n#define QCE_SECTOR_SIZE\s+512\n\n")
    swap(files, f"{QCE}/common.c", '#include "aead.h"\n',
         '#include "aead.h"\n\n#define QCE_SECTOR_SIZE\t\t512\n')
    cut(files, CIPHER, r"\(\(req->cryptlen <= aes_sw_max_len\) \|\|.*?% QCE_SECTOR_SIZE\)\)",
        "(req->cryptlen <= aes_sw_max_len)")


@pytest.fixture
def today(kernel_tree: Callable[[str], Path]) -> Callable[[str], Files]:
    """The files of the driver as one kernel has them."""

    def read(version: str) -> Files:
        tree = kernel_tree(version)
        paths = [KCONFIG, *(f"{QCE}/{p.name}" for p in (tree / QCE).glob("*.[ch]"))]
        return {path: (tree / path).read_text("utf-8") for path in paths}

    return read


def again(files: Files, numbers: list[int], folder: Path) -> Driver:
    made = plan_series(series(), tree_of(files).base, PlanOptions())
    assert [patch.subject for patch in made.patches] == [SUBJECTS[n - 1] for n in numbers]
    assert [a.number for a in made.applied] == [n for n in (1, 2, 3) if n not in numbers]
    return compile_driver(made.patches[-1].after, folder)


def check_decisions(driver: Driver, *, small_modes: tuple[int, ...]) -> None:
    """The table, with what these kernels answer before they come to it."""
    keys = [(m, k) for m in (CBC, CTR) for k in (16, 24, 32)] + [(XTS, k) for k in (32, 48, 64)]
    lengths = (0, 1, 15, 16, 17, 511, 512, 513, 768, 1024, 1280)
    for (mode, keylen), length, param in itertools.product(keys, lengths, (0, 16, 512, 32768)):
        out = driver.decide(AES | mode, (keylen,), length, param)
        case = (hex(mode), keylen, length, param)
        assert out.setkey == 0, case
        assert (out.fallback_setkeys, out.enc_keylen) == (1, keylen), case
        assert out.copied == (keylen if keylen not in (24, 48) else 0), case
        if length == 0:
            assert out.crypt == 0, case
        elif mode == CBC and length % 16:
            assert out.crypt == -22, case
        else:
            software = keylen in (24, 48) or (mode in small_modes and length <= param) or (
                mode == XTS and length > 512 and length % 512 != 0)
            assert out.crypt == (SOFTWARE if software else HARDWARE), case


def check_budget(driver: Driver) -> None:
    last, slots = driver.add_entries(4, 0, [(16, 0, 50), (17, 8, 50), (18, 0, 9)], 60)
    assert (last, slots[:3]) == (1, [(16, 0, 50), (17, 8, 10), (0, 0, 0)])
    assert driver.add_entries(2, 2, [(16, 0, 50)], 60)[0] == -22


@ONE_VERSION
@pytest.mark.parametrize("undo", [undo_1, undo_1_everywhere])
def test_first_patch_comes_back(version: str, undo: Callable[[Files], None],
                                today: Callable[[str], Files], tmp_path: Path):
    files = today(version)
    undo(files)
    driver = again(files, [1], tmp_path)
    check_budget(driver)
    check_decisions(driver, small_modes=(XTS,))


@ONE_VERSION
def test_second_patch_comes_back_for_all_modes(version: str, today: Callable[[str], Files],
                                               tmp_path: Path):
    files = today(version)
    undo_2(files)
    driver = again(files, [2], tmp_path)
    check_decisions(driver, small_modes=(CBC, CTR, XTS))
    assert driver.parameter[:2] == ("uint", 0o644)


@ONE_VERSION
def test_third_patch_comes_back(version: str, today: Callable[[str], Files], tmp_path: Path):
    files = today(version)
    undo_3(files)
    check_decisions(again(files, [3], tmp_path), small_modes=(XTS,))


@VERSIONS
def test_all_three_come_back(version: str, today: Callable[[str], Files], tmp_path: Path):
    files = today(version)
    for undo in (undo_3, undo_2, undo_1):
        undo(files)
    driver = again(files, [1, 2, 3], tmp_path)
    check_budget(driver)
    check_decisions(driver, small_modes=(CBC, CTR, XTS))


@ONE_VERSION
def test_undone_drivers_are_told_apart(version: str, today: Callable[[str], Files],
                                       tmp_path: Path):
    """Without the series the reversed driver fails each of the checks above."""
    files = today(version)
    for undo in (undo_3, undo_2, undo_1):
        undo(files)
    driver = compile_driver(tree_of(files), tmp_path)
    with pytest.raises(AssertionError):
        check_budget(driver)
    with pytest.raises(AssertionError):
        check_decisions(driver, small_modes=(CBC, CTR, XTS))
