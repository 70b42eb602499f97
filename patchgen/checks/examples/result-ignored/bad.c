static int enable(struct engine *eng)
{
	crypto_register_skcipher(&eng_alg);
	dev_info(eng->dev, "ready\n");
	return 0;
}
