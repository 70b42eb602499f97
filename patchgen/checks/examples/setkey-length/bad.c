static int eng_setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int keylen)
{
	struct eng_ctx *ctx = crypto_skcipher_ctx(tfm);

	memcpy(ctx->key, key, keylen);
	return 0;
}

static struct skcipher_alg eng_cbc = {
	.base.cra_name = "cbc(aes)",
	.setkey = eng_setkey,
	.min_keysize = AES_MIN_KEY_SIZE,
	.max_keysize = AES_MAX_KEY_SIZE,
};
