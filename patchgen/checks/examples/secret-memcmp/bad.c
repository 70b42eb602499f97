static int verify(const u8 *expected_tag, const u8 *tag, unsigned int authsize)
{
	return memcmp(expected_tag, tag, authsize) ? -EBADMSG : 0;
}
