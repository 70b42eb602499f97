/* Requests on the stack are declarations in disguise. */
#define SHASH_DESC_ON_STACK(desc, tfm) char __##desc##_desc[512]; struct shash_desc *desc = (struct shash_desc *)__##desc##_desc
#define AHASH_REQUEST_ON_STACK(name, tfm) struct ahash_request *name = __request_on_stack(tfm)
#define HASH_REQUEST_ON_STACK(name, tfm) struct ahash_request *name = __request_on_stack(tfm)
#define SYNC_SKCIPHER_REQUEST_ON_STACK(name, tfm) struct skcipher_request *name = __request_on_stack(tfm)
#define SKCIPHER_REQUEST_ON_STACK(name, tfm) struct skcipher_request *name = __request_on_stack(tfm)
