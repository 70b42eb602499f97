static struct skcipher_alg eng_cbc = {
	.base.cra_name = "cbc(aes)",
	.ivsize = AES_BLOCK_SIZE,
	.max_keysize = AES_MAX_KEY_SIZE,
};
