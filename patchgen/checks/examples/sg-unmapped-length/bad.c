static int begin(struct device *dev, struct scatterlist *sg, int entries)
{
	unsigned int len = sg_dma_len(sg);

	if (!dma_map_sg(dev, sg, entries, DMA_TO_DEVICE))
		return -ENOMEM;
	run(sg, len);
	dma_unmap_sg(dev, sg, entries, DMA_TO_DEVICE);
	return 0;
}
