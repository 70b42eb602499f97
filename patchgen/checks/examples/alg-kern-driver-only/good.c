static int eng_map(struct device *dev, struct scatterlist *sg, int entries)
{
	return dma_map_sg(dev, sg, entries, DMA_TO_DEVICE) ? 0 : -ENOMEM;
}

static struct skcipher_alg eng_cbc = {
	.base.cra_name = "cbc(aes)",
	.base.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_KERN_DRIVER_ONLY,
};
