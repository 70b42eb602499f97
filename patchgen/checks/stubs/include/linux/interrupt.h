/* Interrupts and tasklets. */
struct tasklet_struct {
	struct tasklet_struct *next;
	unsigned long state;
	atomic_t count;
	bool use_callback;
	void (*func)(unsigned long data);
	void (*callback)(struct tasklet_struct *t);
	unsigned long data;
};
int request_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *dev);
int devm_request_irq(struct device *dev, unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *id);
int devm_request_threaded_irq(struct device *dev, unsigned int irq, irq_handler_t handler, irq_handler_t thread, unsigned long flags, const char *name, void *id);
const void *free_irq(unsigned int irq, void *dev);
void tasklet_init(struct tasklet_struct *t, void (*func)(unsigned long), unsigned long data);
void tasklet_setup(struct tasklet_struct *t, void (*callback)(struct tasklet_struct *));
void tasklet_schedule(struct tasklet_struct *t);
void tasklet_kill(struct tasklet_struct *t);
