static void eng_unmap(struct engine *eng)
{
	unmap(eng);
}
