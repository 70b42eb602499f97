int limit_of(struct request *req);

static int check_request(struct request *req)
{
	unsigned int len;

	if (len > 8192)
		return -EINVAL;
	len = limit_of(req);
	return len ? 0 : -ENODATA;
}
