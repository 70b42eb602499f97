static void point(struct engine *eng, dma_addr_t ring)
{
	writel(lower_32_bits(ring), eng->base);
}
