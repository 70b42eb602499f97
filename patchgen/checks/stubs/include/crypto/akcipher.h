/* Public keys: ciphers and key agreement. */
struct akcipher_alg {
	int (*sign)(struct akcipher_request *req);
	int (*verify)(struct akcipher_request *req);
	int (*encrypt)(struct akcipher_request *req);
	int (*decrypt)(struct akcipher_request *req);
	int (*set_pub_key)(struct crypto_akcipher *tfm, const void *key, unsigned int keylen);
	int (*set_priv_key)(struct crypto_akcipher *tfm, const void *key, unsigned int keylen);
	unsigned int (*max_size)(struct crypto_akcipher *tfm);
	int (*init)(struct crypto_akcipher *tfm);
	void (*exit)(struct crypto_akcipher *tfm);
	struct crypto_alg base;
};
struct kpp_alg {
	int (*set_secret)(struct crypto_kpp *tfm, const void *buffer, unsigned int len);
	int (*generate_public_key)(struct kpp_request *req);
	int (*compute_shared_secret)(struct kpp_request *req);
	unsigned int (*max_size)(struct crypto_kpp *tfm);
	int (*init)(struct crypto_kpp *tfm);
	void (*exit)(struct crypto_kpp *tfm);
	struct crypto_alg base;
};
struct rng_alg {
	int (*generate)(struct crypto_rng *tfm, const u8 *src, unsigned int slen, u8 *dst, unsigned int dlen);
	int (*seed)(struct crypto_rng *tfm, const u8 *seed, unsigned int slen);
	void (*set_ent)(struct crypto_rng *tfm, const u8 *data, unsigned int len);
	unsigned int seedsize;
	struct crypto_alg base;
};
