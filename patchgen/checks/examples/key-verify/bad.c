static int eng_xts_setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int keylen)
{
	return store(tfm, key, keylen);
}

static struct skcipher_alg eng_xts = {
	.base.cra_name = "xts(aes)",
	.setkey = eng_xts_setkey,
};
