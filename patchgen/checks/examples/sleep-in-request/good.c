static int eng_encrypt(struct skcipher_request *req)
{
	struct engine *eng = engine_of(req);

	return crypto_transfer_skcipher_request_to_engine(eng->queue, req);
}

static struct skcipher_alg eng_alg = {
	.encrypt = eng_encrypt,
};
