static const struct of_device_id eng_match[] = {
	{ .compatible = "example,engine-1" },
	{ }
};
MODULE_DEVICE_TABLE(of, eng_match);

static struct platform_driver eng_driver = {
	.driver.name = "eng",
	.driver.of_match_table = eng_match,
};
