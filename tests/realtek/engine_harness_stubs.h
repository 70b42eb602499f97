/* SPDX-License-Identifier: GPL-2.0-only */
/* Just enough of the kernel to run single functions of the driver in user space. */
#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef uint32_t __be32;
typedef uint64_t dma_addr_t;
typedef struct { int counter; } refcount_t;
typedef struct { int counter; } atomic_t;
typedef struct { int unused; } spinlock_t;
typedef struct { int unused; } wait_queue_head_t;
struct completion { int unused; };
struct delayed_work { int unused; };
struct list_head { struct list_head *next, *prev; };
struct page { int unused; };

#define __iomem
#define __aligned(n)		__attribute__((aligned(n)))
#define static_assert(test)	_Static_assert(test, #test)
#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define GENMASK(high, low)	((~0UL >> (63 - (high))) & (~0UL << (low)))
#define FIELD_PREP(mask, value)	(((u32)(value) << __builtin_ctzl(mask)) & (mask))
#define IS_ALIGNED(x, a)	(((x) & ((a) - 1)) == 0)
#define round_up(x, a)		((((x) - 1) | ((a) - 1)) + 1)
#define round_down(x, a)	((x) & ~((a) - 1))
#define min(a, b)		((a) < (b) ? (a) : (b))
#define min_t(type, a, b)	((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define lower_32_bits(n)	((u32)(n))
#define cpu_to_be32(n)		htobe32(n)
#define DMA_TO_DEVICE		1
#define DMA_FROM_DEVICE		2
#define AES_BLOCK_SIZE		16
#define AES_MAX_KEY_SIZE	32
#define SHA1_BLOCK_SIZE		64

void barrier_reached(void);
#define dma_wmb()		barrier_reached()

static inline u32 get_unaligned_be32(const u8 *p)
{
	u32 n;

	memcpy(&n, p, sizeof(n));
	return be32toh(n);
}

static inline u64 get_unaligned_be64(const u8 *p)
{
	u64 n;

	memcpy(&n, p, sizeof(n));
	return be64toh(n);
}

static inline void put_unaligned_be64(u64 n, u8 *p)
{
	n = htobe64(n);
	memcpy(p, &n, sizeof(n));
}

static inline void put_unaligned_le64(u64 n, u8 *p)
{
	n = htole64(n);
	memcpy(p, &n, sizeof(n));
}

static inline void put_unaligned_le32(u32 n, u8 *p)
{
	n = htole32(n);
	memcpy(p, &n, sizeof(n));
}

static void memzero_explicit(void *p, size_t len)
{
	memset(p, 0, len);
}

/* A scatterlist entry is a number of bytes at an address */
struct scatterlist {
	unsigned int length;
	unsigned int offset;
	u64 address;
	struct scatterlist *next;
};

static struct scatterlist *sg_next(struct scatterlist *sg)
{
	return sg->next;
}

static struct page *sg_page(struct scatterlist *sg)
{
	return (struct page *)(uintptr_t)sg->address;
}

/* Mapping number `failing_map` fails; what is mapped is counted per direction */
static int failing_map = -1, maps_done;
static int mapped[3];

struct device { int unused; };

static dma_addr_t dma_map_page(struct device *dev, struct page *page, unsigned int offset,
			       unsigned int len, int direction)
{
	if (maps_done++ == failing_map)
		return ~0ULL;
	mapped[direction] += len;
	return (uintptr_t)page + offset;
}

static int dma_mapping_error(struct device *dev, dma_addr_t addr)
{
	return addr == ~0ULL;
}

static void dma_unmap_page(struct device *dev, dma_addr_t addr, unsigned int len, int direction)
{
	mapped[direction] -= len;
}

struct crypto_async_request { int unused; };
struct crypto_skcipher { void *ctx; };

struct crypto_aes_ctx {
	u32 key_enc[60];
	u32 key_dec[60];
	u32 key_length;
};

static void *crypto_skcipher_ctx(struct crypto_skcipher *tfm)
{
	return tfm->ctx;
}

/* The schedule comes from the reference implementation, as the kernel stores it */
static u32 schedule[60];

static int aes_expandkey(struct crypto_aes_ctx *aes, const u8 *key, unsigned int keylen)
{
	if (keylen != 16 && keylen != 24 && keylen != 32)
		return -EINVAL;
	memcpy(aes->key_enc, schedule, sizeof(schedule));
	return 0;
}

static int fallback_verdict;

struct skcipher_request {
	unsigned int cryptlen;
	u8 *iv;
	struct scatterlist *src;
	struct scatterlist *dst;
	void *ctx;
};

static void *skcipher_request_ctx(struct skcipher_request *req)
{
	return req->ctx;
}
