/*
 * What the functions under test need of a kernel, of any version: the software cipher and
 * the engine only note that they were called.
 *
 * One structure stands for every kind of transform and one for every kind of request, so
 * that drivers from before and after the move from ablkcipher to skcipher compile.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef unsigned int gfp_t;

#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define min(a, b)		({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); \
				   (void)(&_a == &_b); _a < _b ? _a : _b; })
#define IS_ALIGNED(x, a)	(((x) & ((__typeof__(x))(a) - 1)) == 0)
#define ERR_PTR(error)		((void *)(long)(error))
#define BIT(n)			(1UL << (n))
#define __stringify_1(x)	#x
#define __stringify(x)		__stringify_1(x)

/* include/linux/moduleparam.h */
#define module_param(name, type, mode)	\
	const char param_type[] = #type; const unsigned int param_mode = mode
#define MODULE_PARM_DESC(name, text)	const char param_description[] = text

/* include/crypto/aes.h, des.h */
#define AES_KEYSIZE_128		16
#define AES_KEYSIZE_192		24
#define AES_KEYSIZE_256		32
#define AES_MAX_KEYLENGTH	60
#define DES_EXPKEY_WORDS	32
#define CRYPTO_TFM_REQ_MASK	0x000fff00
#define CRYPTO_TFM_REQ_WEAK_KEY	0x100
#define CRYPTO_TFM_RES_WEAK_KEY	0x100000

/* The driver's own headers */
#define QCE_ALG_DES		BIT(0)
#define QCE_ALG_3DES		BIT(1)
#define QCE_ALG_AES		BIT(2)
#define QCE_MODE_CBC		BIT(8)
#define QCE_MODE_ECB		BIT(9)
#define QCE_MODE_CTR		BIT(10)
#define QCE_MODE_XTS		BIT(11)
#define QCE_ENCRYPT		BIT(30)
#define QCE_DECRYPT		BIT(31)
#define IS_DES(flags)		((flags) & QCE_ALG_DES)
#define IS_3DES(flags)		((flags) & QCE_ALG_3DES)
#define IS_AES(flags)		((flags) & QCE_ALG_AES)
#define IS_CBC(mode)		((mode) & QCE_MODE_CBC)
#define IS_XTS(mode)		((mode) & QCE_MODE_XTS)

#define crypto_tfm		transform
#define crypto_skcipher		transform
#define crypto_ablkcipher	transform
#define crypto_sync_skcipher	transform
#define skcipher_request	request
#define ablkcipher_request	request

struct transform {
	void *ctx;
	struct qce_alg_template *tmpl;
	/* of a software cipher: whether it has a key, and how often it got one */
	bool keyed;
	u32 flags;
	unsigned int setkeys;
	unsigned int keylen;
};

struct crypto_async_request {
	u32 flags;
	void (*complete)(void);
	void *data;
};

struct request {
	struct crypto_async_request base;
	void *src, *dst;
	union { unsigned int cryptlen, nbytes; };
	union { void *iv, *info; };
	struct transform *tfm;
	void *reqctx;
};

struct qce_device {
	int (*async_req_enqueue)(struct qce_device *qce,
				 struct crypto_async_request *req);
};

struct qce_alg_template {
	unsigned long alg_flags;
	struct qce_device *qce;
};

struct qce_cipher_ctx {
	u8 enc_key[64];
	unsigned int enc_keylen;
	struct transform *fallback;
};

struct qce_cipher_reqctx {
	unsigned long flags;
	struct request fallback_req;
};

#define crypto_tfm_ctx(t)			((t)->ctx)
#define crypto_skcipher_ctx(t)			((t)->ctx)
#define crypto_ablkcipher_ctx(t)		((t)->ctx)
#define crypto_skcipher_tfm(t)			(t)
#define crypto_ablkcipher_tfm(t)		(t)
#define crypto_skcipher_reqtfm(r)		((r)->tfm)
#define crypto_ablkcipher_reqtfm(r)		((r)->tfm)
#define crypto_skcipher_blocksize(t)		16
#define crypto_ablkcipher_get_flags(t)		((t)->flags)
#define crypto_ablkcipher_set_flags(t, f)	((t)->flags |= (f))
#define crypto_skcipher_get_flags(t)		((t)->flags)
#define crypto_skcipher_set_flags(t, f)		((t)->flags |= (f))
#define crypto_skcipher_clear_flags(t, f)	((t)->flags &= ~(f))
#define crypto_sync_skcipher_set_flags(t, f)	((t)->flags |= (f))
#define crypto_sync_skcipher_clear_flags(t, f)	((t)->flags &= ~(f))
#define skcipher_request_ctx(r)			((r)->reqctx)
#define ablkcipher_request_ctx(r)		((r)->reqctx)
#define to_cipher_tmpl(t)			((t)->tmpl)
#define des_ekey(schedule, key)			((schedule)[0] = (key)[0], (schedule)[0] != 0)

#define SKCIPHER_REQUEST_ON_STACK(name, t)	\
	struct request name##_memory = { .tfm = (t) }, *name = &name##_memory
#define SYNC_SKCIPHER_REQUEST_ON_STACK		SKCIPHER_REQUEST_ON_STACK
#define skcipher_request_set_tfm(r, t)		((r)->tfm = (t))
#define skcipher_request_set_sync_tfm(r, t)	((r)->tfm = (t))
#define skcipher_request_set_callback(r, f, c, d)	\
	((r)->base.flags = (f))
#define skcipher_request_set_crypt(r, s, d, n, i)	\
	((r)->src = (s), (r)->dst = (d), (r)->cryptlen = (n), (r)->iv = (i))
#define skcipher_request_zero(r)		memset(r, 0, sizeof(*(r)))

static int software_setkey(struct transform *tfm, const u8 *key,
			   unsigned int keylen)
{
	unsigned int half = IS_XTS(tfm->tmpl->alg_flags) ? keylen / 2 : keylen;

	tfm->setkeys++;
	(void)key;
	if ((half != 16 && half != 24 && half != 32) ||
	    (IS_XTS(tfm->tmpl->alg_flags) && keylen % 2))
		return -EINVAL;
	tfm->keyed = true;
	tfm->keylen = keylen;
	return 0;
}
#define crypto_skcipher_setkey		software_setkey
#define crypto_sync_skcipher_setkey	software_setkey

static struct request last_software;

static int software_crypt(struct request *req)
{
	last_software = *req;
	return req->tfm->keyed ? 'S' : -ENOKEY;
}
#define crypto_skcipher_encrypt		software_crypt
#define crypto_skcipher_decrypt		software_crypt

/* include/linux/scatterlist.h: a page is any pointer that is not NULL */
struct page;
struct scatterlist {
	struct page *page;
	unsigned int offset;
	unsigned int length;
	bool last;
};

struct sg_table {
	struct scatterlist *sgl;
};

static struct page *sg_page(struct scatterlist *sg)
{
	return sg->page;
}

static void sg_set_page(struct scatterlist *sg, struct page *page,
			unsigned int length, unsigned int offset)
{
	sg->page = page;
	sg->length = length;
	sg->offset = offset;
}

static struct scatterlist *sg_next(struct scatterlist *sg)
{
	return sg->last ? NULL : sg + 1;
}
