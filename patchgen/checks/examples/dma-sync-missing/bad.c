static int eng_probe(struct platform_device *pdev)
{
	struct engine *eng = setup(pdev);

	eng->dma = dma_map_single(&pdev->dev, eng->ring, 4096, DMA_BIDIRECTIONAL);
	if (dma_mapping_error(&pdev->dev, eng->dma))
		return -ENOMEM;
	return 0;
}

static void eng_remove(struct platform_device *pdev)
{
	struct engine *eng = platform_get_drvdata(pdev);

	dma_unmap_single(&pdev->dev, eng->dma, 4096, DMA_BIDIRECTIONAL);
}

static u32 eng_status(struct engine *eng)
{
	return eng->ring[0];
}

static struct platform_driver eng_driver = {
	.probe = eng_probe,
	.remove = eng_remove,
};
