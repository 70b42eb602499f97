static int check(struct request *req)
{
	if (!req->len)
		return -EINVAL;
	return 0;
}
