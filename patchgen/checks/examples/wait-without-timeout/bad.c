static int eng_digest(struct ahash_request *req)
{
	struct engine *eng = engine_of(req);

	start(eng, req);
	wait_for_completion(&eng->done);
	return 0;
}

static struct ahash_alg eng_alg = {
	.digest = eng_digest,
};
