static int eng_crypt(struct skcipher_request *req)
{
	return run(req);
}

static struct skcipher_alg eng_cbc = {
	.base.cra_name = "cbc(aes)",
	.base.cra_flags = CRYPTO_ALG_ASYNC,
	.encrypt = eng_crypt,
};
