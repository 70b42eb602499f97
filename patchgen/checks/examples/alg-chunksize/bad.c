static struct skcipher_alg eng_ctr = {
	.base.cra_name = "ctr(aes)",
	.base.cra_blocksize = 1,
	.ivsize = AES_BLOCK_SIZE,
};
