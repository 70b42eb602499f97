static void blocks(u32 *state, const u8 *data)
{
	simd_blocks(state, data);
	kernel_neon_end();
}
