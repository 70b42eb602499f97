static int get_irq(struct platform_device *pdev)
{
	unsigned int irq = platform_get_irq(pdev, 0);

	return request(irq);
}
