static int prepare(struct engine *eng, void *zeroes)
{
	eng->zero_dma = dma_map_single(eng->dev, zeroes, 4096, DMA_TO_DEVICE);
	if (dma_mapping_error(eng->dev, eng->zero_dma))
		return -ENOMEM;
	return 0;
}

static void finish(struct engine *eng)
{
	dma_unmap_single(eng->dev, eng->zero_dma, 4096, DMA_TO_DEVICE);
}
