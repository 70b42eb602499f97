// SPDX-License-Identifier: GPL-2.0-only
/* A small correct driver of the usual make: one engine, one request, a tasklet. */

#include <linux/clk.h>
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/mod_devicetable.h>
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>
#include <linux/scatterlist.h>

#include <crypto/aes.h>
#include <crypto/engine.h>
#include <crypto/internal/skcipher.h>

#define ENG_CTRL	0x00
#define ENG_STATUS	0x04
#define ENG_RING	0x08
#define ENG_DONE	BIT(0)
#define ENG_SLOTS	16

struct eng_desc {
	__le32 control;
	__le32 length;
	__le32 source;
	__le32 target;
};

static_assert(sizeof(struct eng_desc) == 16);

struct eng {
	struct device *dev;
	void __iomem *base;
	struct clk *clk;
	struct crypto_engine *queue;
	struct tasklet_struct done;
	spinlock_t lock;
	struct skcipher_request *req;
	struct eng_desc *ring;
	dma_addr_t ring_dma;
	u32 status;
	int irq;
};

struct eng_ctx {
	struct eng *eng;
	struct crypto_skcipher *fallback;
	unsigned int keylen;
	u32 key[AES_MAX_KEY_SIZE / sizeof(u32)];
};

struct eng_reqctx {
	int src_entries;
	int dst_entries;
	int src_mapped;
	int dst_mapped;
	bool encrypt;
	struct skcipher_request soft;
};

static struct eng *eng_device;

static unsigned int min_size = 256;
module_param(min_size, uint, 0644);
MODULE_PARM_DESC(min_size, "Smallest request for the engine in bytes");

static int eng_map(struct eng *eng, struct skcipher_request *req)
{
	struct eng_reqctx *rctx = skcipher_request_ctx(req);

	rctx->src_entries = sg_nents_for_len(req->src, req->cryptlen);
	if (rctx->src_entries < 0)
		return rctx->src_entries;
	rctx->dst_entries = sg_nents_for_len(req->dst, req->cryptlen);
	if (rctx->dst_entries < 0)
		return rctx->dst_entries;

	rctx->src_mapped = dma_map_sg(eng->dev, req->src, rctx->src_entries, DMA_TO_DEVICE);
	if (!rctx->src_mapped)
		return -ENOMEM;
	rctx->dst_mapped = dma_map_sg(eng->dev, req->dst, rctx->dst_entries, DMA_FROM_DEVICE);
	if (!rctx->dst_mapped)
		goto unmap_src;
	return 0;

unmap_src:
	dma_unmap_sg(eng->dev, req->src, rctx->src_entries, DMA_TO_DEVICE);
	return -ENOMEM;
}

static void eng_unmap(struct eng *eng, struct skcipher_request *req)
{
	struct eng_reqctx *rctx = skcipher_request_ctx(req);

	dma_unmap_sg(eng->dev, req->dst, rctx->dst_entries, DMA_FROM_DEVICE);
	dma_unmap_sg(eng->dev, req->src, rctx->src_entries, DMA_TO_DEVICE);
}

static void eng_fill(struct eng *eng, struct skcipher_request *req)
{
	struct eng_desc *desc = eng->ring;

	desc->length = cpu_to_le32(req->cryptlen);
	desc->source = cpu_to_le32(lower_32_bits(sg_dma_address(req->src)));
	desc->target = cpu_to_le32(lower_32_bits(sg_dma_address(req->dst)));
	dma_wmb();
	desc->control = cpu_to_le32(1);
}

static void eng_tasklet(struct tasklet_struct *t)
{
	struct eng *eng = from_tasklet(eng, t, done);
	struct skcipher_request *req;
	u32 status;

	spin_lock_irq(&eng->lock);
	req = eng->req;
	status = eng->status;
	eng->req = NULL;
	spin_unlock_irq(&eng->lock);

	if (!req)
		return;
	eng_unmap(eng, req);
	crypto_finalize_skcipher_request(eng->queue, req, status & ENG_DONE ? 0 : -EIO);
}

static irqreturn_t eng_interrupt(int irq, void *data)
{
	struct eng *eng = data;
	u32 status = readl(eng->base + ENG_STATUS);

	if (!status)
		return IRQ_NONE;
	writel(status, eng->base + ENG_STATUS);

	spin_lock(&eng->lock);
	eng->status = status;
	spin_unlock(&eng->lock);
	tasklet_schedule(&eng->done);
	return IRQ_HANDLED;
}

static int eng_do_one(struct crypto_engine *queue, void *areq)
{
	struct skcipher_request *req = skcipher_request_cast(areq);
	struct eng_ctx *ctx = crypto_skcipher_ctx(crypto_skcipher_reqtfm(req));
	struct eng *eng = ctx->eng;
	unsigned long flags;
	int ret;

	ret = pm_runtime_resume_and_get(eng->dev);
	if (ret < 0)
		return ret;
	ret = eng_map(eng, req);
	if (ret)
		goto put;

	spin_lock_irqsave(&eng->lock, flags);
	eng->req = req;
	eng_fill(eng, req);
	writel(1, eng->base + ENG_CTRL);
	spin_unlock_irqrestore(&eng->lock, flags);
	pm_runtime_put_autosuspend(eng->dev);
	return 0;

put:
	pm_runtime_put_autosuspend(eng->dev);
	return ret;
}

static int eng_software(struct skcipher_request *req, bool encrypt)
{
	struct eng_ctx *ctx = crypto_skcipher_ctx(crypto_skcipher_reqtfm(req));
	struct eng_reqctx *rctx = skcipher_request_ctx(req);

	skcipher_request_set_tfm(&rctx->soft, ctx->fallback);
	skcipher_request_set_callback(&rctx->soft, req->base.flags, req->base.complete,
				      req->base.data);
	skcipher_request_set_crypt(&rctx->soft, req->src, req->dst, req->cryptlen, req->iv);
	return encrypt ? crypto_skcipher_encrypt(&rctx->soft) :
			 crypto_skcipher_decrypt(&rctx->soft);
}

static int eng_crypt(struct skcipher_request *req, bool encrypt)
{
	struct eng_ctx *ctx = crypto_skcipher_ctx(crypto_skcipher_reqtfm(req));
	struct eng_reqctx *rctx = skcipher_request_ctx(req);

	if (req->cryptlen < READ_ONCE(min_size))
		return eng_software(req, encrypt);
	rctx->encrypt = encrypt;
	return crypto_transfer_skcipher_request_to_engine(ctx->eng->queue, req);
}

static int eng_encrypt(struct skcipher_request *req)
{
	return eng_crypt(req, true);
}

static int eng_decrypt(struct skcipher_request *req)
{
	return eng_crypt(req, false);
}

static int eng_setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int keylen)
{
	struct eng_ctx *ctx = crypto_skcipher_ctx(tfm);
	struct crypto_aes_ctx aes;
	int ret;

	ret = aes_expandkey(&aes, key, keylen);
	if (ret)
		return ret;
	memcpy(ctx->key, aes.key_enc, keylen);
	ctx->keylen = keylen;
	memzero_explicit(&aes, sizeof(aes));

	crypto_skcipher_clear_flags(ctx->fallback, CRYPTO_TFM_REQ_MASK);
	crypto_skcipher_set_flags(ctx->fallback,
				  crypto_skcipher_get_flags(tfm) & CRYPTO_TFM_REQ_MASK);
	return crypto_skcipher_setkey(ctx->fallback, key, keylen);
}

static int eng_init(struct crypto_skcipher *tfm)
{
	struct eng_ctx *ctx = crypto_skcipher_ctx(tfm);
	const char *name = crypto_tfm_alg_name(crypto_skcipher_tfm(tfm));

	ctx->eng = eng_device;
	ctx->fallback = crypto_alloc_skcipher(name, 0, CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(ctx->fallback)) {
		dev_err(ctx->eng->dev, "no software version of %s\n", name);
		return PTR_ERR(ctx->fallback);
	}
	crypto_skcipher_set_reqsize(tfm, sizeof(struct eng_reqctx) +
				    crypto_skcipher_reqsize(ctx->fallback));
	return 0;
}

static void eng_exit(struct crypto_skcipher *tfm)
{
	struct eng_ctx *ctx = crypto_skcipher_ctx(tfm);

	crypto_free_skcipher(ctx->fallback);
}

static struct skcipher_engine_alg eng_algs[] = {
	{
		.base.setkey = eng_setkey,
		.base.encrypt = eng_encrypt,
		.base.decrypt = eng_decrypt,
		.base.init = eng_init,
		.base.exit = eng_exit,
		.base.min_keysize = AES_MIN_KEY_SIZE,
		.base.max_keysize = AES_MAX_KEY_SIZE,
		.base.ivsize = AES_BLOCK_SIZE,
		.base.base = {
			.cra_name = "cbc(aes)",
			.cra_driver_name = "cbc-aes-eng",
			.cra_priority = 300,
			.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |
				     CRYPTO_ALG_KERN_DRIVER_ONLY,
			.cra_blocksize = AES_BLOCK_SIZE,
			.cra_ctxsize = sizeof(struct eng_ctx),
			.cra_module = THIS_MODULE,
		},
		.op.do_one_request = eng_do_one,
	},
};

static int eng_start(struct eng *eng)
{
	int ret;

	ret = clk_prepare_enable(eng->clk);
	if (ret)
		return ret;
	eng->ring = dma_alloc_coherent(eng->dev, ENG_SLOTS * sizeof(*eng->ring), &eng->ring_dma,
				       GFP_KERNEL);
	if (!eng->ring) {
		ret = -ENOMEM;
		goto disable;
	}
	writel(lower_32_bits(eng->ring_dma), eng->base + ENG_RING);
	return 0;

disable:
	clk_disable_unprepare(eng->clk);
	return ret;
}

static void eng_stop(struct eng *eng)
{
	writel(0, eng->base + ENG_CTRL);
	dma_free_coherent(eng->dev, ENG_SLOTS * sizeof(*eng->ring), eng->ring, eng->ring_dma);
	clk_disable_unprepare(eng->clk);
}

static int eng_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct eng *eng;
	int ret;

	eng = devm_kzalloc(dev, sizeof(*eng), GFP_KERNEL);
	if (!eng)
		return -ENOMEM;
	eng->dev = dev;
	spin_lock_init(&eng->lock);
	tasklet_setup(&eng->done, eng_tasklet);

	eng->base = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(eng->base))
		return PTR_ERR(eng->base);
	eng->clk = devm_clk_get(dev, NULL);
	if (IS_ERR(eng->clk))
		return PTR_ERR(eng->clk);
	eng->irq = platform_get_irq(pdev, 0);
	if (eng->irq < 0)
		return eng->irq;

	ret = eng_start(eng);
	if (ret)
		return ret;
	eng->queue = crypto_engine_alloc_init(dev, true);
	if (!eng->queue) {
		ret = -ENOMEM;
		goto stop;
	}
	ret = request_irq(eng->irq, eng_interrupt, 0, dev_name(dev), eng);
	if (ret)
		goto exit_queue;
	ret = crypto_engine_start(eng->queue);
	if (ret)
		goto free_irq;

	platform_set_drvdata(pdev, eng);
	eng_device = eng;
	pm_runtime_enable(dev);
	ret = crypto_engine_register_skciphers(eng_algs, ARRAY_SIZE(eng_algs));
	if (ret)
		goto disable_pm;
	return 0;

disable_pm:
	pm_runtime_disable(dev);
free_irq:
	free_irq(eng->irq, eng);
exit_queue:
	crypto_engine_exit(eng->queue);
stop:
	eng_stop(eng);
	return ret;
}

static void eng_remove(struct platform_device *pdev)
{
	struct eng *eng = platform_get_drvdata(pdev);

	crypto_engine_unregister_skciphers(eng_algs, ARRAY_SIZE(eng_algs));
	pm_runtime_disable(&pdev->dev);
	free_irq(eng->irq, eng);
	tasklet_kill(&eng->done);
	crypto_engine_exit(eng->queue);
	eng_stop(eng);
}

static const struct of_device_id eng_match[] = {
	{ .compatible = "example,engine-1" },
	{ }
};
MODULE_DEVICE_TABLE(of, eng_match);

static struct platform_driver eng_driver = {
	.probe = eng_probe,
	.remove = eng_remove,
	.driver = {
		.name = "eng",
		.of_match_table = eng_match,
	},
};
module_platform_driver(eng_driver);

MODULE_DESCRIPTION("Example crypto engine");
MODULE_LICENSE("GPL");
