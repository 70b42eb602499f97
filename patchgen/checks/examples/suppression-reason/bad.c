static int eng_on(struct engine *eng)
{
	/* patchgen: ignore result-ignored */
	clk_prepare_enable(eng->clk);
	return 0;
}
