static int ecb(struct skcipher_request *req, u32 *rk)
{
	struct skcipher_walk walk;
	int err = skcipher_walk_virt(&walk, req, false);

	kernel_fpu_begin();
	while (walk.nbytes) {
		simd_ecb(walk.dst.virt.addr, walk.src.virt.addr, rk, walk.nbytes / 16);
		err = skcipher_walk_done(&walk, walk.nbytes % 16);
	}
	kernel_fpu_end();
	return err;
}
