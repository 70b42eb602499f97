static int eng_crypt(struct skcipher_request *req)
{
	push(req);
	return -EINPROGRESS;
}

static struct skcipher_alg eng_cbc = {
	.base.cra_name = "cbc(aes)",
	.base.cra_flags = CRYPTO_ALG_KERN_DRIVER_ONLY,
	.encrypt = eng_crypt,
};
