static void load(struct engine *eng, const u8 *key)
{
	u32 round_key[8];

	memcpy(round_key, key, 32);
	write_key(eng, round_key);
	memzero_explicit(round_key, sizeof(round_key));
}
