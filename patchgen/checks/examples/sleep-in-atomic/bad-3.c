static void update(struct state *state, const u8 *data, unsigned int blocks)
{
	kernel_fpu_begin();
	mutex_lock(&state->lock);
	simd_blocks(state->words, data, blocks);
	mutex_unlock(&state->lock);
	kernel_fpu_end();
}
