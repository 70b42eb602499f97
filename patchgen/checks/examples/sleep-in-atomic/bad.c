static int add(struct queue *queue)
{
	struct entry *entry;

	spin_lock(&queue->lock);
	entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	if (entry)
		list_add(&entry->node, &queue->list);
	spin_unlock(&queue->lock);
	return entry ? 0 : -ENOMEM;
}
