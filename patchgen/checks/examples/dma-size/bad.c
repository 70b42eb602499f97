static int fetch(struct device *dev, void *buf, unsigned int len)
{
	dma_addr_t dma = dma_map_single(dev, buf, len + 16, DMA_TO_DEVICE);

	if (dma_mapping_error(dev, dma))
		return -ENOMEM;
	run(dma);
	dma_unmap_single(dev, dma, len, DMA_TO_DEVICE);
	return 0;
}
