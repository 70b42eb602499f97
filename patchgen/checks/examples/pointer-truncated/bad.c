static void point(struct engine *eng, void *ring)
{
	writel((u32)ring, eng->base);
}
