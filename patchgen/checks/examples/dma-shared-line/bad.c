struct eng_ctx {
	struct engine *eng;
	u8 key[32];
	unsigned int keylen;
};

static int map_key(struct eng_ctx *ctx, dma_addr_t *dma)
{
	*dma = dma_map_single(ctx->eng->dev, ctx->key, 32, DMA_TO_DEVICE);
	return dma_mapping_error(ctx->eng->dev, *dma);
}
