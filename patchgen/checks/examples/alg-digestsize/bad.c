static struct ahash_alg eng_md5 = {
	.halg.digestsize = SHA1_DIGEST_SIZE,
	.halg.statesize = sizeof(struct md5_state),
	.halg.base.cra_name = "md5",
};
