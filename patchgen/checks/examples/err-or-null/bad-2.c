static int get_base(struct platform_device *pdev, struct engine *eng)
{
	eng->base = devm_platform_ioremap_resource(pdev, 0);
	if (!eng->base)
		return -ENOMEM;
	return 0;
}
