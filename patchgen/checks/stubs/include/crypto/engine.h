/* The crypto engine: a queue and a thread per device. */
struct crypto_engine_op {
	int (*do_one_request)(struct crypto_engine *engine, void *areq);
};
struct skcipher_engine_alg {
	struct skcipher_alg base;
	struct crypto_engine_op op;
};
struct ahash_engine_alg {
	struct ahash_alg base;
	struct crypto_engine_op op;
};
struct aead_engine_alg {
	struct aead_alg base;
	struct crypto_engine_op op;
};
struct akcipher_engine_alg {
	struct akcipher_alg base;
	struct crypto_engine_op op;
};
struct kpp_engine_alg {
	struct kpp_alg base;
	struct crypto_engine_op op;
};
