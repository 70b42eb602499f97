static void drop(struct device *dev, struct job *job)
{
	dev_dbg(dev, "dropped %u\n", job->number);
	kfree(job);
}
