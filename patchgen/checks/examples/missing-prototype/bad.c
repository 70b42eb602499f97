int eng_start(struct engine *eng)
{
	return run(eng);
}
