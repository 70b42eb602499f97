struct eng_desc {
	__be32 control;
	__be32 length;
	__be32 address;
};
static_assert(sizeof(struct eng_desc) == 12);
