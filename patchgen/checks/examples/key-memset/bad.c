static void load(struct engine *eng, const u8 *key)
{
	u32 round_key[8];

	memcpy(round_key, key, 32);
	write_key(eng, round_key);
	memset(round_key, 0, sizeof(round_key));
}
