static irqreturn_t eng_irq(int irq, void *data)
{
	struct engine *eng = data;

	complete(&eng->done);
	return IRQ_HANDLED;
}

static int eng_probe(struct platform_device *pdev)
{
	struct engine *eng = setup(pdev);

	init_completion(&eng->done);
	return devm_request_irq(&pdev->dev, eng->irq, eng_irq, 0, "eng", eng);
}
