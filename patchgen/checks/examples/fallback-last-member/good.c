struct eng_reqctx {
	u32 mode;
	struct skcipher_request soft;
};
