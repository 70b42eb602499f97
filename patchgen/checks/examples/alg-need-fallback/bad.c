static struct skcipher_alg eng_cbc = {
	.base.cra_name = "cbc(aes)",
	.base.cra_flags = CRYPTO_ALG_NEED_FALLBACK,
};
