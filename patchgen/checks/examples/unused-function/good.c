static void eng_unmap(struct engine *eng)
{
	unmap(eng);
}

void eng_done(struct engine *eng)
{
	eng_unmap(eng);
}
