static int eng_init(struct crypto_skcipher *tfm)
{
	struct eng_ctx *ctx = crypto_skcipher_ctx(tfm);

	ctx->eng = template_of(tfm)->eng;
	dev_dbg(ctx->eng->dev, "new transform\n");
	return 0;
}

static struct skcipher_alg eng_cbc = {
	.init = eng_init,
};
