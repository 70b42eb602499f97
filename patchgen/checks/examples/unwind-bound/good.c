static int enable(void)
{
	int i, err;

	for (i = 0; i < 4; i++) {
		err = crypto_register_skcipher(&eng_algs[i]);
		if (err)
			goto undo;
	}
	return 0;
undo:
	while (i--)
		crypto_unregister_skcipher(&eng_algs[i]);
	return err;
}
