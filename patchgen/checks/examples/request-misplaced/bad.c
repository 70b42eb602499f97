struct eng_reqctx {
	int state;
	u32 words[80];
};

static int eng_software(struct eng_reqctx *rctx)
{
	struct ahash_request *soft = (struct ahash_request *)&rctx->words[0];

	return crypto_ahash_init(soft);
}
