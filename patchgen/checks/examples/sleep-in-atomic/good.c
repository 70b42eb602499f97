static int add(struct queue *queue)
{
	struct entry *entry;

	entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	if (!entry)
		return -ENOMEM;
	spin_lock(&queue->lock);
	list_add(&entry->node, &queue->list);
	spin_unlock(&queue->lock);
	return 0;
}
