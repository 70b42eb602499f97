static int count(struct reqctx *rctx, struct skcipher_request *req)
{
	rctx->entries = sg_nents_for_len(req->src, req->cryptlen);
	if (rctx->entries < 0)
		return rctx->entries;
	return map(rctx, req);
}
