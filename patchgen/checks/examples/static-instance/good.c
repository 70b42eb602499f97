static int eng_probe(struct platform_device *pdev)
{
	struct engine *eng = setup(pdev);
	int i;

	for (i = 0; i < 2; i++)
		eng->templates[i].engine = eng;
	return 0;
}

static struct platform_driver eng_driver = {
	.probe = eng_probe,
};
