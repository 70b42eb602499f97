static int count(struct scatterlist *sg, unsigned int len)
{
	int entries;

	entries = sg_nents_for_len(sg, len);
	if (entries < 0)
		return entries;
	return use(sg, entries);
}
