static int eng_setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int keylen)
{
	struct eng_ctx *ctx = crypto_skcipher_ctx(tfm);

	crypto_skcipher_clear_flags(ctx->fallback, CRYPTO_TFM_REQ_MASK);
	crypto_skcipher_set_flags(ctx->fallback, crypto_skcipher_get_flags(tfm) & CRYPTO_TFM_REQ_MASK);
	return crypto_skcipher_setkey(ctx->fallback, key, keylen);
}
