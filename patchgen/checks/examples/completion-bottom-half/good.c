static irqreturn_t eng_thread(int irq, void *data)
{
	struct engine *eng = data;

	local_bh_disable();
	crypto_finalize_skcipher_request(eng->queue, eng->req, 0);
	local_bh_enable();
	return IRQ_HANDLED;
}

static int eng_setup(struct engine *eng)
{
	return devm_request_threaded_irq(eng->dev, eng->irq, NULL, eng_thread, IRQF_ONESHOT, "eng", eng);
}
