static int eng_probe(struct platform_device *pdev)
{
	return crypto_register_skcipher(&eng_alg);
}

static void eng_remove(struct platform_device *pdev)
{
	stop(platform_get_drvdata(pdev));
}

static struct platform_driver eng_driver = {
	.probe = eng_probe,
	.remove = eng_remove,
};
