static int eng_probe(struct platform_device *pdev)
{
	struct engine *eng = devm_kzalloc(&pdev->dev, sizeof(*eng), GFP_KERNEL);

	if (!eng)
		return -ENOMEM;
	if (start(eng)) {
		kfree(eng);
		return -EIO;
	}
	return 0;
}
