static int push(struct ring *ring, u32 word)
{
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	if (ring->used == ring->size)
		return -EBUSY;
	ring->words[ring->used++] = word;
	spin_unlock_irqrestore(&ring->lock, flags);
	return 0;
}
