static int eng_init(struct crypto_skcipher *tfm)
{
	struct eng_ctx *ctx = crypto_skcipher_ctx(tfm);

	if (!template_of(tfm)) {
		dev_err(ctx->eng->dev, "no template\n");
		return -ENODEV;
	}
	ctx->eng = template_of(tfm)->eng;
	return 0;
}

static struct skcipher_alg eng_cbc = {
	.init = eng_init,
};
