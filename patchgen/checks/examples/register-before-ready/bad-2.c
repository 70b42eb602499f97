static int eng_probe(struct platform_device *pdev)
{
	struct engine *eng = setup(pdev);
	int err;

	err = crypto_register_skcipher(&eng_alg);
	if (err)
		return err;
	init_completion(&eng->done);
	return 0;
}

static struct platform_driver eng_driver = {
	.probe = eng_probe,
};
