static int setup(struct engine *eng)
{
	int err;

	err = start(eng);
	if (err)
		return -EIO;
	err = -ENOMEM;
	eng->ring = kzalloc(512, GFP_KERNEL);
	if (!eng->ring)
		goto stop;
	err = -EINVAL;
	if (load(eng))
		goto free;
	return 0;
free:
	kfree(eng->ring);
stop:
	halt(eng);
	return err;
}
