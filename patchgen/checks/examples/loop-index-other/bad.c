static void undo(struct device *dev, dma_addr_t *dma, int i, size_t len)
{
	int j;

	for (j = 0; j < i; j++)
		dma_unmap_single(dev, dma[i], len, DMA_TO_DEVICE);
}
