/* SPDX-License-Identifier: GPL-2.0-only */
/* What Python calls: it prepares a request or a ring and runs one function of the driver. */
static struct scatterlist lists[2][256];

static struct scatterlist *make_list(int which, const u32 *lengths, unsigned int count)
{
	struct scatterlist *sg = lists[which];
	unsigned int i;
	u64 address = 0x100000;

	for (i = 0; i < count; i++) {
		sg[i].length = lengths[i];
		sg[i].offset = i;
		sg[i].address = address;
		sg[i].next = i + 1 < count ? &sg[i + 1] : NULL;
		address += 0x100000;
	}
	return sg;
}

struct shared_request { unsigned int finished, run; int bounce; };

int is_scattered(const u32 *lengths, unsigned int count, unsigned int cryptlen)
{
	struct skcipher_request req = { .cryptlen = cryptlen };

	req.src = make_list(0, lengths, count);
	return rtce_skcipher_is_scattered(&req);
}

void plan(struct shared_request *shared, const u32 *src, unsigned int nsrc, const u32 *dst,
	  unsigned int ndst, unsigned int cryptlen, u32 mode, u8 *iv)
{
	struct rtce_skcipher_reqctx rctx = { .finished = shared->finished };
	struct skcipher_request req = { .cryptlen = cryptlen, .iv = iv, .ctx = &rctx };

	req.src = make_list(0, src, nsrc);
	req.dst = make_list(1, dst, ndst);
	rtce_skcipher_plan(&req, mode);
	shared->run = rctx.run;
	shared->bounce = rctx.bounce;
}

int setkey(const u32 *words, const u8 *key, unsigned int keylen, int verdict, u8 *enc, u8 *dec)
{
	struct rtce_skcipher_ctx ctx = { 0 };
	struct crypto_skcipher tfm = { .ctx = &ctx };
	int ret;

	memcpy(schedule, words, sizeof(schedule));
	fallback_verdict = verdict;
	ret = rtce_skcipher_setkey(&tfm, key, keylen);
	memcpy(enc, ctx.enc_key, sizeof(ctx.enc_key));
	memcpy(dec, ctx.dec_key, sizeof(ctx.dec_key));
	return ret ? ret : (int)ctx.keylen;
}

void count(u8 *iv, unsigned int blocks)
{
	rtce_skcipher_count(iv, blocks);
}

unsigned int pad(u8 *out, unsigned int nbytes, int md5)
{
	return rtce_ahash_pad(out, nbytes, md5);
}

/* One engine with rings that Python looks at */
static struct rtce engine;
static struct rtce_src_desc src_ring[RTCE_SRC_SLOTS];
static struct rtce_dst_desc dst_ring[RTCE_DST_SLOTS];
static struct device device;
static int early_start;

/* The engine may start when it owns the first descriptor: nothing may follow that */
void barrier_reached(void)
{
	early_start |= src_ring[engine.src_head].opmode != 0;
}

int map_src(const u32 *lengths, unsigned int count, unsigned int skip, unsigned int len,
	    int failing, u64 *addresses, u32 *sizes, int *left_mapped)
{
	struct rtce_chan *chan = &engine.chans[0];
	unsigned int i;
	int ret;

	memset(mapped, 0, sizeof(mapped));
	maps_done = 0;
	failing_map = failing;
	engine.dev = &device;
	chan->eng = &engine;
	rtce_begin(chan, 0, len);
	chan->nsegs = 2;
	ret = rtce_map_src(chan, make_list(0, lengths, count), skip, len);
	for (i = 0; i < chan->ndata; i++) {
		addresses[i] = chan->segs[chan->data + i].addr;
		sizes[i] = chan->segs[chan->data + i].len;
	}
	count = chan->ndata;
	if (!ret)
		rtce_unmap(chan);
	*left_mapped = mapped[DMA_TO_DEVICE] + mapped[DMA_FROM_DEVICE];
	return ret ? ret : (int)count;
}

unsigned int fill(u8 *src_out, u8 *dst_out, u32 opmode, unsigned int total, const u32 *lengths,
		  unsigned int count, unsigned int dst_len, unsigned int src_head,
		  unsigned int dst_head)
{
	struct rtce_chan *chan = &engine.chans[0];
	unsigned int i;

	engine.src_ring = src_ring;
	engine.dst_ring = dst_ring;
	engine.src_head = src_head;
	engine.dst_head = dst_head;
	memset(src_ring, 0, sizeof(src_ring));
	memset(dst_ring, 0, sizeof(dst_ring));
	chan->scratch_dma = 0x5000;
	rtce_begin(chan, opmode, total);
	for (i = 0; i < count; i++)
		chan->segs[chan->nsegs++] = (struct rtce_seg){ 0x10000 * (i + 1), lengths[i] };
	chan->dst = 0xabcd0000;
	chan->dst_len = dst_len;
	early_start = 0;
	rtce_fill(&engine, chan);
	memcpy(src_out, src_ring, sizeof(src_ring));
	memcpy(dst_out, dst_ring, sizeof(dst_ring));
	return early_start << 31 | engine.src_head << 16 | engine.dst_head;
}
