/* Platform drivers: what a driver fills in. */
struct platform_driver {
	int (*probe)(struct platform_device *device);
	int (*remove)(struct platform_device *device);
	void (*remove_new)(struct platform_device *device);
	void (*shutdown)(struct platform_device *device);
	int (*suspend)(struct platform_device *device, pm_message_t state);
	int (*resume)(struct platform_device *device);
	struct device_driver driver;
	const struct platform_device_id *id_table;
	bool prevent_deferred_probe;
};
int platform_driver_register(struct platform_driver *driver);
void platform_driver_unregister(struct platform_driver *driver);
int platform_get_irq(struct platform_device *device, unsigned int index);
int platform_get_irq_optional(struct platform_device *device, unsigned int index);
int platform_get_irq_byname(struct platform_device *device, const char *name);
void *devm_platform_ioremap_resource(struct platform_device *device, unsigned int index);
void *platform_get_drvdata(const struct platform_device *device);
void platform_set_drvdata(struct platform_device *device, void *data);
struct resource *platform_get_resource(struct platform_device *device, unsigned int type, unsigned int index);
