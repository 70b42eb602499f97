static struct skcipher_alg eng_ctr = {
	.base.cra_name = "ctr(aes)",
	.base.cra_driver_name = "ctr-aes-eng",
	.base.cra_blocksize = AES_BLOCK_SIZE,
	.chunksize = AES_BLOCK_SIZE,
	.ivsize = AES_BLOCK_SIZE,
};
