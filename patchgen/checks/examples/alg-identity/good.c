static struct skcipher_alg eng_cbc = {
	.base.cra_name = "cbc(aes)",
	.base.cra_driver_name = "cbc-aes-eng",
	.base.cra_priority = 300,
	.base.cra_ctxsize = sizeof(struct eng_ctx),
	.base.cra_module = THIS_MODULE,
};
