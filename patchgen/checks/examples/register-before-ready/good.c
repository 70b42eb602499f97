static void eng_remove(struct platform_device *pdev)
{
	struct engine *eng = platform_get_drvdata(pdev);

	crypto_unregister_skcipher(&eng_alg);
	clk_disable_unprepare(eng->clk);
}

static struct platform_driver eng_driver = {
	.remove = eng_remove,
};
