static int request(struct device *dev, struct engine *eng)
{
	int err;

	err = pm_runtime_resume_and_get(dev);
	if (err < 0)
		return err;
	if (!eng->ready)
		return 0;
	run(eng);
	pm_runtime_put(dev);
	return 0;
}
