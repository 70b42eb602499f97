static irqreturn_t eng_thread(int irq, void *data)
{
	struct engine *eng = data;

	crypto_finalize_skcipher_request(eng->queue, eng->req, 0);
	return IRQ_HANDLED;
}

static int eng_setup(struct engine *eng)
{
	return devm_request_threaded_irq(eng->dev, eng->irq, NULL, eng_thread, IRQF_ONESHOT, "eng", eng);
}
