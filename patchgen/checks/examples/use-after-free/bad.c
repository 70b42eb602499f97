static void drop(struct device *dev, struct job *job)
{
	kfree(job);
	dev_dbg(dev, "dropped %u\n", job->number);
}
