static void pieces(struct skcipher_request *req)
{
	bool inplace = req->dst == req->src;
	struct scatterlist *dst = req->dst;

	while (dst) {
		piece(dst, inplace);
		dst = sg_next(dst);
	}
}
