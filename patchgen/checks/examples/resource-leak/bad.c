static int send(struct engine *eng, void *data, size_t len)
{
	dma_addr_t address;
	int err;

	address = dma_map_single(eng->dev, data, len, DMA_TO_DEVICE);
	if (dma_mapping_error(eng->dev, address))
		return -ENOMEM;
	err = take_slot(eng);
	if (err)
		return err;
	run(eng, address, len);
	dma_unmap_single(eng->dev, address, len, DMA_TO_DEVICE);
	return 0;
}
