static int get_irq(struct platform_device *pdev, struct engine *eng)
{
	int irq = platform_get_irq(pdev, 0);

	if (irq < 0)
		return irq;
	eng->irq = irq;
	return 0;
}
