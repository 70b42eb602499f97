static int eng_setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int keylen)
{
	return store(tfm, key, keylen);
}

static struct skcipher_alg eng_cbc = {
	.setkey = eng_setkey,
};
