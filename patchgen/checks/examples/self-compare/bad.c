static int fits(struct ring *ring, unsigned int want)
{
	unsigned int pos = ring->pos;

	if (ring->pos < pos)
		return 0;
	return want < ring->size;
}
