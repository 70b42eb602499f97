static int push(struct ring *ring, u32 word)
{
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&ring->lock, flags);
	if (ring->used == ring->size)
		err = -EBUSY;
	else
		ring->words[ring->used++] = word;
	spin_unlock_irqrestore(&ring->lock, flags);
	return err;
}
