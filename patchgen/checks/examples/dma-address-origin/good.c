static void point(struct engine *eng, struct scatterlist *sg, int entries)
{
	if (!dma_map_sg(eng->dev, sg, entries, DMA_TO_DEVICE))
		return;
	writel(sg_dma_address(sg), eng->base);
	wait(eng);
	dma_unmap_sg(eng->dev, sg, entries, DMA_TO_DEVICE);
}
