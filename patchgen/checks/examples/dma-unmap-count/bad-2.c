static int begin(struct device *dev, struct skcipher_request *req, struct reqctx *rctx)
{
	rctx->entries = sg_nents(req->src);
	rctx->mapped = dma_map_sg(dev, req->src, rctx->entries, DMA_TO_DEVICE);
	if (!rctx->mapped)
		return -ENOMEM;
	return 0;
}

static void end(struct device *dev, struct skcipher_request *req, struct reqctx *rctx)
{
	dma_unmap_sg(dev, req->src, rctx->mapped, DMA_TO_DEVICE);
}
