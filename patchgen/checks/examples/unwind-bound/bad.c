static int enable(void)
{
	int i, j, err;

	for (i = 0; i < 4; i++) {
		err = crypto_register_skcipher(&eng_algs[i]);
		if (err)
			goto undo;
	}
	return 0;
undo:
	for (j = 0; j <= i; j++)
		crypto_unregister_skcipher(&eng_algs[j]);
	return err;
}
