static void eng_done(struct tasklet_struct *t)
{
	struct engine *eng = from_tasklet(eng, t, done);

	mutex_lock(&eng->lock);
	finish(eng);
	mutex_unlock(&eng->lock);
}

static void eng_setup(struct engine *eng)
{
	tasklet_setup(&eng->done, eng_done);
}
