struct eng_ctx {
	struct engine *eng;
	unsigned int keylen;
	u8 key[32] __aligned(ARCH_DMA_MINALIGN);
};

static int map_key(struct eng_ctx *ctx, dma_addr_t *dma)
{
	*dma = dma_map_single(ctx->eng->dev, ctx->key, 32, DMA_TO_DEVICE);
	return dma_mapping_error(ctx->eng->dev, *dma);
}
