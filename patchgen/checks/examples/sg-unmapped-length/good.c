static int begin(struct device *dev, struct scatterlist *sg, int entries)
{
	if (!dma_map_sg(dev, sg, entries, DMA_TO_DEVICE))
		return -ENOMEM;
	run(sg, sg_dma_len(sg));
	dma_unmap_sg(dev, sg, entries, DMA_TO_DEVICE);
	return 0;
}
