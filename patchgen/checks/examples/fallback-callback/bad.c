static int eng_software(struct ahash_request *req)
{
	struct eng_reqctx *rctx = ahash_request_ctx(req);

	ahash_request_set_tfm(&rctx->soft, rctx->fallback);
	ahash_request_set_crypt(&rctx->soft, req->src, req->result, req->nbytes);
	return crypto_ahash_digest(&rctx->soft);
}
