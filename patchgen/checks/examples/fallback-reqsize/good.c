struct eng_reqctx {
	u32 mode;
	struct skcipher_request soft;
};

static int eng_init(struct crypto_skcipher *tfm)
{
	struct eng_ctx *ctx = crypto_skcipher_ctx(tfm);

	ctx->fallback = crypto_alloc_skcipher("cbc(aes)", 0, CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(ctx->fallback))
		return PTR_ERR(ctx->fallback);
	crypto_skcipher_set_reqsize(tfm, sizeof(struct eng_reqctx) +
				    crypto_skcipher_reqsize(ctx->fallback));
	return 0;
}
