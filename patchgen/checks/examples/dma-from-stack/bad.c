static int pad(struct device *dev, unsigned int len)
{
	u8 block[64];
	dma_addr_t dma;

	fill(block, len);
	dma = dma_map_single(dev, block, sizeof(block), DMA_TO_DEVICE);
	if (dma_mapping_error(dev, dma))
		return -ENOMEM;
	run(dma);
	dma_unmap_single(dev, dma, sizeof(block), DMA_TO_DEVICE);
	return 0;
}
