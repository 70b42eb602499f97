static int setup(struct engine *eng)
{
	eng->ring = kcalloc(16, 32, GFP_KERNEL);
	eng->ring[0].own = 1;
	return 0;
}
