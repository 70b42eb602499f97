static struct skcipher_alg eng_ctr = {
	.base.cra_name = "ctr(aes)",
	.base.cra_driver_name = "ctr-aes-eng",
	.base.cra_blocksize = 1,
	.chunksize = AES_BLOCK_SIZE,
	.ivsize = AES_BLOCK_SIZE,
};
