static int prepare(struct engine *eng, void *zeroes)
{
	dma_map_single(eng->dev, zeroes, 4096, DMA_TO_DEVICE);
	return 0;
}

static void finish(struct engine *eng)
{
	dma_unmap_single(eng->dev, eng->other, 4096, DMA_TO_DEVICE);
}
