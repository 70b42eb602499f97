static const struct of_device_id eng_match[] = {
	{ .compatible = "example,engine-1" },
	{ }
};

static struct platform_driver eng_driver = {
	.driver.of_match_table = eng_match,
};
