struct eng_desc {
	__be32 control;
	__be32 address;
};
static_assert(sizeof(struct eng_desc) == 8);
