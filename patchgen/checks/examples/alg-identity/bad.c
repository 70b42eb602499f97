static struct skcipher_alg eng_cbc = {
	.base.cra_name = "cbc(aes)",
	.base.cra_driver_name = "ecb-aes-eng",
	.base.cra_priority = 300,
};
