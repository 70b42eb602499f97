static int get(struct engine *eng)
{
	eng->clk = devm_clk_get(eng->dev, NULL);
	if (!IS_ERR(eng->clk))
		return PTR_ERR(eng->clk);
	return 0;
}
