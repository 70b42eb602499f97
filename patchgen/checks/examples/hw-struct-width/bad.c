struct eng_desc {
	__be32 control;
	__be32 length;
	phys_addr_t address;
};
