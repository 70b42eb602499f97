static void queue(struct engine *eng, void *data, size_t len)
{
	dma_addr_t dma = dma_map_single(eng->dev, data, len, DMA_TO_DEVICE);

	writel(dma, eng->base);
	wait(eng);
	dma_unmap_single(eng->dev, dma, len, DMA_TO_DEVICE);
}
