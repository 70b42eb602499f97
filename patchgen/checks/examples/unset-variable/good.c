int limit_of(struct request *req);

static int check_request(struct request *req)
{
	unsigned int len = limit_of(req);

	if (len > 8192)
		return -EINVAL;
	return len ? 0 : -ENODATA;
}
