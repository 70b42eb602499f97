struct eng_reqctx {
	int state;
	struct ahash_request soft;
};

static int eng_software(struct eng_reqctx *rctx)
{
	return crypto_ahash_init(&rctx->soft);
}
