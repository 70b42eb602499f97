static void twice(struct engine *eng)
{
	spin_lock(&eng->lock);
	if (eng->busy)
		spin_lock(&eng->lock);
	spin_unlock(&eng->lock);
}
