static void pieces(struct skcipher_request *req)
{
	struct scatterlist *dst = req->dst;

	while (dst) {
		bool inplace = dst == req->src;

		piece(dst, inplace);
		dst = sg_next(dst);
	}
}
