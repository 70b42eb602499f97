static int enable(struct engine *eng)
{
	int err = crypto_register_skcipher(&eng_alg);

	if (err)
		return err;
	dev_info(eng->dev, "ready\n");
	return 0;
}
