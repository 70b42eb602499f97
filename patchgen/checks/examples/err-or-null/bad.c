static int get_clock(struct engine *eng)
{
	eng->clk = devm_clk_get(eng->dev, NULL);
	if (IS_ERR_OR_NULL(eng->clk))
		return -ENODEV;
	return 0;
}
