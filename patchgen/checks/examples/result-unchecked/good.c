static int setup(struct engine *eng)
{
	eng->ring = kcalloc(16, 32, GFP_KERNEL);
	if (!eng->ring)
		return -ENOMEM;
	eng->ring[0].own = 1;
	return 0;
}
