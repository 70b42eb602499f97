static int eng_enable(void)
{
	return crypto_register_skciphers(eng_algs, ARRAY_SIZE(eng_algs));
}

static void eng_disable(void)
{
	crypto_unregister_skciphers(eng_algs, 2);
}
