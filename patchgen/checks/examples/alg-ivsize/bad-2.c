static struct skcipher_alg eng_cbc = {
	.base.cra_name = "cbc(aes)",
	.base.cra_blocksize = AES_BLOCK_SIZE,
};
