static int eng_xts_setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int keylen)
{
	int err = xts_verify_key(tfm, key, keylen);

	if (err)
		return err;
	return store(tfm, key, keylen);
}

static struct skcipher_alg eng_xts = {
	.base.cra_name = "xts(aes)",
	.setkey = eng_xts_setkey,
};
