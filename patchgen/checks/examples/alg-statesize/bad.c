static struct ahash_alg eng_sha1 = {
	.init = eng_init,
	.halg = {
		.digestsize = SHA1_DIGEST_SIZE,
		.base = {
			.cra_name = "sha1",
			.cra_driver_name = "sha1-eng",
		},
	},
};
