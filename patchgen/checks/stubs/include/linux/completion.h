/* Completions. */
void init_completion(struct completion *c);
void reinit_completion(struct completion *c);
void complete(struct completion *c);
void wait_for_completion(struct completion *c);
unsigned long wait_for_completion_timeout(struct completion *c, unsigned long timeout);
