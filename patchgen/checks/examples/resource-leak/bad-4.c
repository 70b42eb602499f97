static int register_hashes(void)
{
	return crypto_register_ahashes(eng_hashes, ARRAY_SIZE(eng_hashes));
}

static void unregister_hashes(void)
{
	crypto_unregister_ahashes(eng_hashes, ARRAY_SIZE(eng_hashes));
}

static int register_all(void)
{
	int err = register_hashes();

	if (err)
		return err;
	err = crypto_register_skcipher(&eng_alg);
	return err;
}
