static struct skcipher_alg eng_ecb = {
	.base.cra_name = "ecb(aes)",
	.base.cra_blocksize = AES_BLOCK_SIZE,
};
