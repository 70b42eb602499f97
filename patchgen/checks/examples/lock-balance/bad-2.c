static int crypt_blocks(struct skcipher_walk *walk, u32 *rk)
{
	kernel_neon_begin();
	if (!walk->nbytes)
		return -EINVAL;
	neon_blocks(walk->dst.virt.addr, walk->src.virt.addr, rk);
	kernel_neon_end();
	return 0;
}
