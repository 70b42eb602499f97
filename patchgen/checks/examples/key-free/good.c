static void eng_exit(struct eng_ctx *ctx)
{
	kfree_sensitive(ctx->key);
}
