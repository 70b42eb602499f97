static int eng_setkey(struct eng_ctx *ctx, const u8 *key, unsigned int keylen)
{
	struct crypto_aes_ctx aes;
	int err = aes_expandkey(&aes, key, keylen);

	if (err)
		return err;
	memcpy(ctx->decrypt_key, aes.key_dec, keylen);
	return 0;
}
