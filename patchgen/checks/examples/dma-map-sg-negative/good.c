static int begin(struct device *dev, struct scatterlist *sg, int entries)
{
	int mapped = dma_map_sg(dev, sg, entries, DMA_TO_DEVICE);

	if (!mapped)
		return -ENOMEM;
	run(sg, mapped);
	dma_unmap_sg(dev, sg, entries, DMA_TO_DEVICE);
	return 0;
}
