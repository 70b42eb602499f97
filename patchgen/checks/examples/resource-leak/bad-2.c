static int start(struct engine *eng)
{
	int err;

	err = clk_prepare_enable(eng->clk);
	if (err)
		return err;
	err = reset(eng);
	if (err)
		return err;
	err = load(eng);
	if (err)
		goto stop;
	return 0;
stop:
	clk_disable_unprepare(eng->clk);
	return err;
}
