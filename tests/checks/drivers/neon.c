// SPDX-License-Identifier: GPL-2.0-only
/* Correct glue of SIMD code: a block mode, a hash, an AEAD tag check. */

#include <linux/module.h>
#include <linux/cpufeature.h>

#include <asm/neon.h>
#include <asm/simd.h>
#include <crypto/aes.h>
#include <crypto/internal/aead.h>
#include <crypto/internal/hash.h>
#include <crypto/internal/simd.h>
#include <crypto/internal/skcipher.h>
#include <crypto/scatterwalk.h>
#include <crypto/sha1_base.h>

asmlinkage void example_ecb(u8 *out, const u8 *in, const u32 *rk, int rounds, int blocks);
asmlinkage void example_sha1(u32 *state, const u8 *data, int blocks);

struct example_ctx {
	struct crypto_aes_ctx aes;
};

static int example_setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int keylen)
{
	struct example_ctx *ctx = crypto_skcipher_ctx(tfm);

	return aes_expandkey(&ctx->aes, key, keylen);
}

static int example_ecb_encrypt(struct skcipher_request *req)
{
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(req);
	struct example_ctx *ctx = crypto_skcipher_ctx(tfm);
	int rounds = 6 + ctx->aes.key_length / 4;
	struct skcipher_walk walk;
	unsigned int blocks;
	int err;

	err = skcipher_walk_virt(&walk, req, false);
	while ((blocks = walk.nbytes / AES_BLOCK_SIZE)) {
		kernel_neon_begin();
		example_ecb(walk.dst.virt.addr, walk.src.virt.addr, ctx->aes.key_enc, rounds,
			    blocks);
		kernel_neon_end();
		err = skcipher_walk_done(&walk, walk.nbytes % AES_BLOCK_SIZE);
	}
	return err;
}

static int example_update(struct shash_desc *desc, const u8 *data, unsigned int len)
{
	struct sha1_state *state = shash_desc_ctx(desc);

	if (!crypto_simd_usable())
		return crypto_sha1_update(desc, data, len);
	if (!state)
		return -EINVAL;
	kernel_neon_begin();
	example_sha1(state->state, data, len / SHA1_BLOCK_SIZE);
	kernel_neon_end();
	return 0;
}

static int example_check(struct aead_request *req, const u8 *tag, unsigned int authsize)
{
	u8 expected[AES_BLOCK_SIZE];

	scatterwalk_map_and_copy(expected, req->src, req->assoclen + req->cryptlen - authsize,
				 authsize, 0);
	return crypto_memneq(tag, expected, authsize) ? -EBADMSG : 0;
}

static int example_decrypt(struct aead_request *req)
{
	u8 tag[AES_BLOCK_SIZE];

	kernel_neon_begin();
	example_ecb(tag, req->iv, NULL, 10, 1);
	kernel_neon_end();
	return example_check(req, tag, AES_BLOCK_SIZE);
}

static struct skcipher_alg example_alg = {
	.base.cra_name = "__ecb(aes)",
	.base.cra_driver_name = "__ecb-aes-example",
	.base.cra_priority = 200,
	.base.cra_flags = CRYPTO_ALG_INTERNAL,
	.base.cra_blocksize = AES_BLOCK_SIZE,
	.base.cra_ctxsize = sizeof(struct example_ctx),
	.base.cra_module = THIS_MODULE,
	.min_keysize = AES_MIN_KEY_SIZE,
	.max_keysize = AES_MAX_KEY_SIZE,
	.setkey = example_setkey,
	.encrypt = example_ecb_encrypt,
	.decrypt = example_ecb_encrypt,
};

static struct shash_alg example_hash = {
	.digestsize = SHA1_DIGEST_SIZE,
	.update = example_update,
	.descsize = sizeof(struct sha1_state),
	.base.cra_name = "sha1",
	.base.cra_driver_name = "sha1-example",
	.base.cra_priority = 200,
	.base.cra_blocksize = SHA1_BLOCK_SIZE,
	.base.cra_module = THIS_MODULE,
};

static struct aead_alg example_aead = {
	.decrypt = example_decrypt,
	.base.cra_name = "gcm(aes)",
	.base.cra_driver_name = "gcm-aes-example",
	.base.cra_priority = 200,
	.base.cra_ctxsize = sizeof(struct example_ctx),
	.base.cra_module = THIS_MODULE,
};

static int __init example_init(void)
{
	int err;

	err = crypto_register_skcipher(&example_alg);
	if (err)
		return err;
	err = crypto_register_shash(&example_hash);
	if (err)
		goto drop_cipher;
	err = crypto_register_aead(&example_aead);
	if (err)
		goto drop_hash;
	return 0;

drop_hash:
	crypto_unregister_shash(&example_hash);
drop_cipher:
	crypto_unregister_skcipher(&example_alg);
	return err;
}

static void __exit example_exit(void)
{
	crypto_unregister_aead(&example_aead);
	crypto_unregister_shash(&example_hash);
	crypto_unregister_skcipher(&example_alg);
}

module_cpu_feature_match(AES, example_init);
module_exit(example_exit);

MODULE_DESCRIPTION("Example of SIMD glue");
MODULE_LICENSE("GPL");
