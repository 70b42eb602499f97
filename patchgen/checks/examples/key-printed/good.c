static void eng_setkey(struct eng_ctx *ctx, const u8 *key, unsigned int keylen)
{
	dev_dbg(ctx->dev, "key of %u bytes\n", keylen);
	memcpy(ctx->key, key, keylen);
}
