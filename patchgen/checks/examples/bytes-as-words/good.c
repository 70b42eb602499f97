struct eng_state {
	u32 vector[SHA1_DIGEST_SIZE / sizeof(u32)];
	u64 total;
};
