static int eng_encrypt(struct skcipher_request *req)
{
	struct engine *eng = engine_of(req);

	start(eng, req);
	wait_event_timeout(eng->queue, eng->done, HZ);
	return eng->status;
}

static struct skcipher_alg eng_alg = {
	.encrypt = eng_encrypt,
};
