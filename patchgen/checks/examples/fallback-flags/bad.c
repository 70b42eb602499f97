static int eng_setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int keylen)
{
	struct eng_ctx *ctx = crypto_skcipher_ctx(tfm);

	return crypto_skcipher_setkey(ctx->fallback, key, keylen);
}
