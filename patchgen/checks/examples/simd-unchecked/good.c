static int example_update(struct shash_desc *desc, const u8 *data, unsigned int len)
{
	if (!crypto_simd_usable())
		return crypto_sha1_update(desc, data, len);
	kernel_neon_begin();
	example_blocks(shash_desc_ctx(desc), data, len / 64);
	kernel_neon_end();
	return 0;
}

static struct shash_alg example_alg = {
	.update = example_update,
};
