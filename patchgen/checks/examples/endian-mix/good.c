struct eng_desc {
	__be32 control;
};

static void start(struct eng_desc *desc, u32 length)
{
	desc->control = cpu_to_be32(length);
}
