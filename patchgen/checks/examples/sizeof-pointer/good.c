static void forget(u8 *key, size_t len)
{
	memzero_explicit(key, len);
}
