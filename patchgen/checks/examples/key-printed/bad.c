static void eng_setkey(struct eng_ctx *ctx, const u8 *key, unsigned int keylen)
{
	print_hex_dump_debug("key: ", DUMP_PREFIX_NONE, 16, 1, key, keylen, false);
	memcpy(ctx->key, key, keylen);
}
