static int ecb(struct skcipher_request *req, u32 *rk)
{
	struct skcipher_walk walk;
	int err = skcipher_walk_virt(&walk, req, false);

	while (walk.nbytes) {
		kernel_fpu_begin();
		simd_ecb(walk.dst.virt.addr, walk.src.virt.addr, rk, walk.nbytes / 16);
		kernel_fpu_end();
		err = skcipher_walk_done(&walk, walk.nbytes % 16);
	}
	return err;
}
