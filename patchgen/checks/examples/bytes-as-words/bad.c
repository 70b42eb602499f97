struct eng_state {
	u32 vector[SHA1_DIGEST_SIZE];
	u64 total;
};
