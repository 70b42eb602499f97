static int queue(struct engine *eng, void *data, size_t len)
{
	dma_addr_t dma = dma_map_single(eng->dev, data, len, DMA_TO_DEVICE);

	if (dma_mapping_error(eng->dev, dma))
		return -ENOMEM;
	writel(dma, eng->base);
	wait(eng);
	dma_unmap_single(eng->dev, dma, len, DMA_TO_DEVICE);
	return 0;
}
