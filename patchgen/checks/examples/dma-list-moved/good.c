static int walk(struct device *dev, struct scatterlist *list, int entries)
{
	struct scatterlist *sg = list;

	if (!dma_map_sg(dev, list, entries, DMA_TO_DEVICE))
		return -ENOMEM;
	while (sg) {
		put(sg_dma_address(sg), sg_dma_len(sg));
		sg = sg_next(sg);
	}
	dma_unmap_sg(dev, list, entries, DMA_TO_DEVICE);
	return 0;
}
