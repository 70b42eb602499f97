static int pad(struct device *dev, struct reqctx *rctx, unsigned int len)
{
	dma_addr_t dma;

	fill(rctx->block, len);
	dma = dma_map_single(dev, rctx->block, 64, DMA_TO_DEVICE);
	if (dma_mapping_error(dev, dma))
		return -ENOMEM;
	run(dma);
	dma_unmap_single(dev, dma, 64, DMA_TO_DEVICE);
	return 0;
}
