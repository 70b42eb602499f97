"""Small drivers in the shapes that kernels from 4.14 to 5.6 had, for the steps to find.

Only what the facts about those versions say is here: which functions there are, what their
parameters are called, how the decisions are written. Nothing is taken from a kernel.
"""

from __future__ import annotations

from dataclasses import dataclass

from patchgen.tree import EmbeddedBase, FileEntry, Tree

QCE = "drivers/crypto/qce"


@dataclass(frozen=True)
class Era:
    """One shape of the driver."""

    name: str
    api: str
    """``ablkcipher`` (to 5.4) or ``skcipher`` (from 5.5)."""
    sync: str
    """``sync_`` since the fallback is a synchronous cipher (4.20), else empty."""
    limited: bool
    """Whether qce_sgtable_add() has the parameter that counts entries (5.6)."""
    xts_halves: bool
    """Whether the key length of XTS is halved before it is compared (5.6)."""
    shared_setkey: bool
    """Whether one function sets AES and DES keys (to 5.0)."""
    choice: bool
    """Whether Kconfig lets one choose the families of algorithms (5.6)."""

    @property
    def cipher(self) -> str:
        """Path of the file with the ciphers."""
        return f"{QCE}/{self.api}.c"

    def files(self) -> dict[str, str]:
        """Path to text of each file that the series looks at."""
        return {
            f"{QCE}/dma.c": _dma(self), f"{QCE}/dma.h": _dma_header(self),
            f"{QCE}/common.c": _COMMON, f"{QCE}/common.h": _COMMON_HEADER,
            self.cipher: _includes(self) + _handle(self) + _setkey(self) + _crypt(self),
            "drivers/crypto/Kconfig": _kconfig(self),
        }

    def tree(self) -> Tree:
        """The files as a tree."""
        return tree_of(self.files())


def tree_of(files: dict[str, str]) -> Tree:
    """A tree that holds these files."""
    return Tree(EmbeddedBase({p: FileEntry(t.encode("utf-8")) for p, t in files.items()}))


ERAS = (
    Era("4.14", "ablkcipher", "", limited=False, xts_halves=False, shared_setkey=True,
        choice=False),
    Era("5.0", "ablkcipher", "sync_", limited=False, xts_halves=False, shared_setkey=True,
        choice=False),
    Era("5.4", "ablkcipher", "sync_", limited=False, xts_halves=False, shared_setkey=False,
        choice=False),
    Era("5.4.y", "ablkcipher", "sync_", limited=True, xts_halves=False, shared_setkey=False,
        choice=False),
    Era("5.5", "skcipher", "sync_", limited=False, xts_halves=False, shared_setkey=False,
        choice=False),
    Era("5.6", "skcipher", "sync_", limited=True, xts_halves=True, shared_setkey=False,
        choice=True),
)


def _dma(era: Era) -> str:
    parameter = ",\n\t\tint max_ents" if era.limited else ""
    left = " && max_ents" if era.limited else ""
    count = "\t\tmax_ents--;\n" if era.limited else ""
    return f"""\
/* SPDX-License-Identifier: GPL-2.0-only */
#include <linux/dmaengine.h>
#include <crypto/scatterwalk.h>

#include "dma.h"

void qce_dma_release(struct qce_dma_data *dma)
{{
	kfree(dma->result_buf);
}}

struct scatterlist *
qce_sgtable_add(struct sg_table *sgt, struct scatterlist *new_sgl{parameter})
{{
	struct scatterlist *sg = sgt->sgl, *sg_last = NULL;

	while (sg && sg_page(sg))
		sg = sg_next(sg);

	if (!sg)
		return ERR_PTR(-EINVAL);

	while (new_sgl && sg{left}) {{
		sg_set_page(sg, sg_page(new_sgl), new_sgl->length,
				new_sgl->offset);
		sg_last = sg;
		sg = sg_next(sg);
		new_sgl = sg_next(new_sgl);
{count}\t}}

	return sg_last;
}}
"""


def _dma_header(era: Era) -> str:
    parameter = ",\n\t\tint max_ents" if era.limited else ""
    return f"""\
#ifndef _DMA_H_
#define _DMA_H_

void qce_dma_release(struct qce_dma_data *dma);
struct scatterlist *
qce_sgtable_add(struct sg_table *sgt, struct scatterlist *sg_add{parameter});

#endif
"""


_COMMON = """\
#include <linux/err.h>
#include "common.h"

#define QCE_SECTOR_SIZE		512

static inline u32 qce_read(struct qce_device *qce, u32 offset)
{
	return readl(qce->base + offset);
}
"""

_COMMON_HEADER = """\
#ifndef _COMMON_H_
#define _COMMON_H_

#include <linux/types.h>
#include <crypto/aes.h>

/* key size in bytes */
#define QCE_SHA_HMAC_KEY_SIZE		64
#define QCE_MAX_CIPHER_KEY_SIZE		AES_KEYSIZE_256

#endif
"""


def _includes(era: Era) -> str:
    return f"""\
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/types.h>
#include <crypto/aes.h>
#include <crypto/des.h>
#include <crypto/internal/skcipher.h>

#include "cipher.h"

static LIST_HEAD({era.api}_algs);

"""


def _handle(era: Era) -> str:
    length = "nbytes" if era.api == "ablkcipher" else "cryptlen"
    iv = "info" if era.api == "ablkcipher" else "iv"
    first = ", rctx->dst_nents - 1" if era.limited else ""
    second = ", 1" if era.limited else ""
    return f"""\
static int
qce_{era.api}_async_req_handle(struct crypto_async_request *async_req)
{{
	struct {era.api}_request *req = {era.api}_request_cast(async_req);
	struct qce_cipher_reqctx *rctx = {era.api}_request_ctx(req);
	struct scatterlist *sg;
	int ret;

	rctx->iv = req->{iv};
	rctx->cryptlen = req->{length};

	rctx->src_nents = sg_nents_for_len(req->src, req->{length});
	if (req->src != req->dst)
		rctx->dst_nents = sg_nents_for_len(req->dst, req->{length});
	else
		rctx->dst_nents = rctx->src_nents;

	rctx->dst_nents += 1;
	ret = sg_alloc_table(&rctx->dst_tbl, rctx->dst_nents, GFP_ATOMIC);
	if (ret)
		return ret;

	sg_init_one(&rctx->result_sg, qce->dma.result_buf, QCE_RESULT_BUF_SZ);

	sg = qce_sgtable_add(&rctx->dst_tbl, req->dst{first});
	if (IS_ERR(sg))
		goto error_free;

	sg = qce_sgtable_add(&rctx->dst_tbl, &rctx->result_sg{second});
	if (IS_ERR(sg))
		goto error_free;

	return 0;

error_free:
	sg_free_table(&rctx->dst_tbl);
	return PTR_ERR(sg);
}}

"""


def _setkey(era: Era) -> str:
    length = "IS_XTS(flags) ? keylen >> 1 : keylen" if era.xts_halves else "keylen"
    switch = f"""\
switch ({length}) {{
case AES_KEYSIZE_128:
case AES_KEYSIZE_256:
	break;
default:
	goto fallback;
}}
"""
    template = "tfm" if era.api == "ablkcipher" else "ablk"
    weak = ""
    if era.shared_setkey:
        body = f"""\
if (IS_AES(flags)) {{
{_indent(switch)}}} else if (IS_DES(flags)) {{
	u32 tmp[DES_EXPKEY_WORDS];

	ret = des_ekey(tmp, key);
	if (!ret && crypto_{era.api}_get_flags(ablk) &
		CRYPTO_TFM_REQ_WEAK_KEY)
		goto weakkey;
}}
"""
        weak = f"""\
weakkey:
	crypto_{era.api}_set_flags(ablk, CRYPTO_TFM_RES_WEAK_KEY);
	return -EINVAL;
"""
    else:
        body = switch
    return f"""\
static int qce_{era.api}_setkey(struct crypto_{era.api} *ablk, const u8 *key,
					unsigned int keylen)
{{
	struct crypto_tfm *tfm = crypto_{era.api}_tfm(ablk);
	struct qce_cipher_ctx *ctx = crypto_tfm_ctx(tfm);
	unsigned long flags = to_cipher_tmpl({template})->alg_flags;
	int ret;

	if (!key || !keylen)
		return -EINVAL;

{_indent(body)}
	ctx->enc_keylen = keylen;
	memcpy(ctx->enc_key, key, keylen);
	return 0;
fallback:
	ret = crypto_{era.sync}skcipher_setkey(ctx->fallback, key, keylen);
	if (!ret)
		ctx->enc_keylen = keylen;
	return ret;
{weak}}}

"""


def _crypt(era: Era) -> str:
    length = "nbytes" if era.api == "ablkcipher" else "cryptlen"
    iv = "info" if era.api == "ablkcipher" else "iv"
    keylen = "keylen" if era.xts_halves else "ctx->enc_keylen"
    halved = ("\tkeylen = IS_XTS(rctx->flags) ? ctx->enc_keylen >> 1 : ctx->enc_keylen;\n"
              if era.xts_halves else "")
    template = "tfm" if era.api == "skcipher" else f"crypto_{era.api}_tfm(tfm)"
    local = "\tint keylen;\n" if era.xts_halves else ""
    return f"""\
static int qce_{era.api}_crypt(struct {era.api}_request *req, int encrypt)
{{
	struct crypto_{era.api} *tfm = crypto_{era.api}_reqtfm(req);
	struct qce_cipher_ctx *ctx = crypto_{era.api}_ctx(tfm);
	struct qce_cipher_reqctx *rctx = {era.api}_request_ctx(req);
	struct qce_alg_template *tmpl = to_cipher_tmpl({template});
{local}	int ret;

	rctx->flags = tmpl->alg_flags;
	rctx->flags |= encrypt ? QCE_ENCRYPT : QCE_DECRYPT;
{halved}
	if (IS_AES(rctx->flags) && {keylen} != AES_KEYSIZE_128 &&
		{keylen} != AES_KEYSIZE_256) {{
		{era.sync.upper()}SKCIPHER_REQUEST_ON_STACK(subreq, ctx->fallback);

		skcipher_request_set_{era.sync}tfm(subreq, ctx->fallback);
		skcipher_request_set_callback(subreq, req->base.flags,
						NULL, NULL);
		skcipher_request_set_crypt(subreq, req->src, req->dst,
						req->{length}, req->{iv});
		ret = encrypt ? crypto_skcipher_encrypt(subreq) :
				crypto_skcipher_decrypt(subreq);
		skcipher_request_zero(subreq);
		return ret;
	}}

	return tmpl->qce->async_req_enqueue(tmpl->qce, &req->base);
}}
"""


def _kconfig(era: Era) -> str:
    chosen = """\
config CRYPTO_DEV_QCE_SKCIPHER
	bool

config CRYPTO_DEV_QCE_SHA
	bool

choice
	prompt "Algorithms"
	default CRYPTO_DEV_QCE_ENABLE_ALL
	depends on CRYPTO_DEV_QCE
	help
		Which families of algorithms there shall be.

	config CRYPTO_DEV_QCE_ENABLE_ALL
		bool "All"
		select CRYPTO_DEV_QCE_SKCIPHER
		select CRYPTO_DEV_QCE_SHA

	config CRYPTO_DEV_QCE_ENABLE_SHA
		bool "Hashes"
		select CRYPTO_DEV_QCE_SHA
endchoice

"""
    return f"""\
menuconfig CRYPTO_HW
	bool "Engines"

if CRYPTO_HW

config CRYPTO_DEV_QCE
	tristate "Qualcomm engine"
	depends on ARCH_QCOM || COMPILE_TEST
	help
		The engine.

{chosen if era.choice else ""}config CRYPTO_DEV_QCOM_RNG
	tristate "Qualcomm random numbers"
	help
		Random numbers.

endif
"""


def _indent(text: str) -> str:
    return "".join(f"\t{line}" if line.strip() else line for line in text.splitlines(True))
