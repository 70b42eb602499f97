static irqreturn_t eng_irq(int irq, void *data)
{
	struct engine *eng = data;
	u32 status = readl(eng->base + 8);

	if (!status)
		return IRQ_NONE;
	writel(status, eng->base + 8);
	finish(eng, status);
	return IRQ_HANDLED;
}

static int eng_setup(struct engine *eng)
{
	return devm_request_irq(eng->dev, eng->irq, eng_irq, 0, "eng", eng);
}
