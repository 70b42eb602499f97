/* Ways into the functions under test, for Python. Included behind them. */

static int engine_enqueue(struct qce_device *qce, struct crypto_async_request *req)
{
	(void)qce;
	(void)req;
	return 'H';
}

/* A flag inside and one outside of CRYPTO_TFM_REQ_MASK, to see which are passed on */
#define OUTER_FLAGS	0x00000201
#define FALLBACK_FLAGS	0x00000402

/* What one request did, and what the key setting before it left behind. */
struct outcome {
	int setkey;
	int crypt;
	unsigned int fallback_setkeys;
	unsigned int fallback_keylen;
	unsigned int fallback_flags;
	unsigned int enc_keylen;
	unsigned int copied;
	unsigned int software_len;
	unsigned int software_buffers;
};

/* Sets each of the keys in turn (none for count 0), then does one request. */
void decide(unsigned long flags, const unsigned int *keylens, unsigned int count,
	    unsigned int cryptlen, unsigned int param, int encrypt,
	    struct outcome *out)
{
	static char source, destination, iv;
	struct qce_device qce = { .async_req_enqueue = engine_enqueue };
	struct qce_alg_template tmpl = { .alg_flags = flags, .qce = &qce };
	struct transform fallback = { .tmpl = &tmpl, .flags = FALLBACK_FLAGS };
	struct qce_cipher_ctx ctx = { .fallback = &fallback };
	struct transform tfm = { .ctx = &ctx, .tmpl = &tmpl, .flags = OUTER_FLAGS };
	struct qce_cipher_reqctx rctx = { 0 };
	struct request req = { .src = &source, .dst = &destination, .iv = &iv,
			       .cryptlen = cryptlen, .tfm = &tfm, .reqctx = &rctx };
	unsigned int i, j;
	u8 key[256] = { 0 };

	memset(&last_software, 0, sizeof(last_software));
	memset(out, 0, sizeof(*out));
	SET_PARAM(param);
	for (i = 0; i < count; i++) {
		for (j = 0; j < sizeof(key); j++)
			key[j] = 100 * (i + 1) + j;
		out->setkey = SETKEY(&tfm, key, keylens[i]);
	}
	out->crypt = CRYPT(&req, encrypt);
	out->fallback_setkeys = fallback.setkeys;
	out->fallback_keylen = fallback.keylen;
	out->fallback_flags = fallback.flags;
	out->enc_keylen = ctx.enc_keylen;
	while (out->copied < sizeof(ctx.enc_key) &&
	       ctx.enc_key[out->copied] == key[out->copied] && count)
		out->copied++;
	out->software_len = last_software.cryptlen;
	out->software_buffers = last_software.src == &source &&
				last_software.dst == &destination &&
				last_software.iv == &iv;
}

/*
 * Adds entries to a table of some slots, the first `used` of which are taken. Returns the
 * index of the slot that the function names, -1 for NULL, or another negative error.
 */
int add_entries(struct scatterlist *slots, unsigned int slot_count,
		unsigned int used, struct scatterlist *entries,
		unsigned int entry_count, unsigned int budget)
{
	struct sg_table table = { .sgl = slots };
	struct scatterlist *last;
	unsigned int i;

	for (i = 0; i < slot_count; i++) {
		slots[i].last = i + 1 == slot_count;
		if (i < used)
			slots[i].page = (struct page *)1;
	}
	for (i = 0; i < entry_count; i++)
		entries[i].last = i + 1 == entry_count;
	(void)budget;
	last = ADD_ENTRIES(&table, entry_count ? entries : NULL, budget);
	if (!last)
		return -1;
	if ((long)last < 0 && (long)last > -4096)
		return (int)(long)last;
	return (int)(last - slots);
}

const char *description(void)
{
#ifdef HAS_PARAM
	return param_description;
#else
	return "";
#endif
}

const char *parameter_type(void)
{
#ifdef HAS_PARAM
	return param_type;
#else
	return "";
#endif
}

unsigned int parameter_mode(void)
{
#ifdef HAS_PARAM
	return param_mode;
#else
	return 0;
#endif
}
