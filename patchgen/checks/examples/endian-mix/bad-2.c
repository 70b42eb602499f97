struct eng_desc {
	__le32 status;
};

static u32 status(struct eng_desc *desc)
{
	return be32_to_cpu(desc->status);
}
