static void eng_exit(struct eng_ctx *ctx)
{
	kfree(ctx->key);
}
