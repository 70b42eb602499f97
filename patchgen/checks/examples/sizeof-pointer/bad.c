static void forget(u8 *key)
{
	memzero_explicit(key, sizeof(key));
}
