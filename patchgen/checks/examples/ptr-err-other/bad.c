static int get(struct engine *eng)
{
	eng->rst = devm_reset_control_get(eng->dev, NULL);
	if (IS_ERR(eng->rst))
		return PTR_ERR(eng->clk);
	return 0;
}
