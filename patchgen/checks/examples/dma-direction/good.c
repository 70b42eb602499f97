static int fetch(struct device *dev, struct job *job)
{
	job->dma = dma_map_single(dev, job->buf, job->len, DMA_FROM_DEVICE);
	if (dma_mapping_error(dev, job->dma))
		return -ENOMEM;
	run(job);
	dma_unmap_single(dev, job->dma, job->len, DMA_FROM_DEVICE);
	return 0;
}
