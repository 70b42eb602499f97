static int map_pieces(struct job *job, struct scatterlist *sg)
{
	struct piece *piece;

	for (; sg; sg = sg_next(sg)) {
		piece = &job->pieces[job->count];
		piece->dma = dma_map_page(job->dev, sg_page(sg), sg->offset, sg->length,
					  DMA_TO_DEVICE);
		if (dma_mapping_error(job->dev, piece->dma))
			return -ENOMEM;
		job->count++;
	}
	return 0;
}

static int job_start(struct skcipher_request *req)
{
	struct job *job = skcipher_request_ctx(req);

	return map_pieces(job, req->src);
}

static void job_end(struct job *job)
{
	while (job->count--)
		dma_unmap_page(job->dev, job->pieces[job->count].dma, 64, DMA_TO_DEVICE);
}

static struct skcipher_alg eng_alg = {
	.encrypt = job_start,
};
