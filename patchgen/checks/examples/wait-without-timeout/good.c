static int eng_do_one(struct crypto_engine *engine, void *areq)
{
	struct engine *eng = engine_of(areq);

	start(eng, areq);
	if (!wait_for_completion_timeout(&eng->done, HZ))
		return reset(eng);
	return 0;
}

static struct crypto_engine_op eng_op = {
	.do_one_request = eng_do_one,
};
