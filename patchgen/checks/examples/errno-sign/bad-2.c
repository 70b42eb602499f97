static int check(struct reqctx *rctx, struct scatterlist *sg, unsigned int len)
{
	rctx->entries = sg_nents_for_len(sg, len);
	if (rctx->entries < 0) {
		report(rctx);
		return -rctx->entries;
	}
	return 0;
}
