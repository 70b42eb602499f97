static int count(struct reqctx *rctx, struct skcipher_request *req)
{
	rctx->entries = sg_nents_for_len(req->src, req->cryptlen);
	return map(rctx, req);
}
