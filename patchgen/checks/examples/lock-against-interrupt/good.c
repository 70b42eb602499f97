static irqreturn_t eng_irq(int irq, void *data)
{
	struct engine *eng = data;

	spin_lock(&eng->lock);
	ack(eng);
	spin_unlock(&eng->lock);
	return IRQ_HANDLED;
}

static void eng_push(struct engine *eng)
{
	unsigned long flags;

	spin_lock_irqsave(&eng->lock, flags);
	put(eng);
	spin_unlock_irqrestore(&eng->lock, flags);
}

static int eng_setup(struct engine *eng)
{
	return devm_request_irq(eng->dev, eng->irq, eng_irq, 0, "eng", eng);
}
