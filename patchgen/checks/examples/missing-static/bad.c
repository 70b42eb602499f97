unsigned int eng_threshold = 256;

static int small(unsigned int len)
{
	return len < eng_threshold;
}
