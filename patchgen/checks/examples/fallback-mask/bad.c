static int eng_init(struct crypto_skcipher *tfm)
{
	struct eng_ctx *ctx = crypto_skcipher_ctx(tfm);

	ctx->fallback = crypto_alloc_skcipher(crypto_tfm_alg_name(&tfm->base), 0, 0);
	return PTR_ERR_OR_ZERO(ctx->fallback);
}

static struct skcipher_alg eng_cbc = {
	.base.cra_name = "cbc(aes)",
	.base.cra_flags = CRYPTO_ALG_NEED_FALLBACK,
	.init = eng_init,
};
