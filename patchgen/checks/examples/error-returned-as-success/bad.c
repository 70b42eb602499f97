static int setup(struct engine *eng)
{
	int err;

	err = start(eng);
	if (err)
		return -EIO;
	err = 0;
	eng->ring = kzalloc(512, GFP_KERNEL);
	if (!eng->ring)
		goto stop;
	err = -EINVAL;
	if (load(eng))
		goto stop;
	return 0;
stop:
	halt(eng);
	return err;
}
