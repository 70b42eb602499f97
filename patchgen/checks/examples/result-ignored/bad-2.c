static int enable(struct engine *eng)
{
	int err;

	err = crypto_register_skcipher(&eng_alg);
	err = start(eng);
	return err;
}
