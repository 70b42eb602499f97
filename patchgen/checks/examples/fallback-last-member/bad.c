struct eng_reqctx {
	struct skcipher_request soft;
	u32 mode;
};
