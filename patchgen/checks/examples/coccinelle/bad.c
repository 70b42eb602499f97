#include <linux/device.h>
#include <linux/slab.h>

static int lamp_probe(struct device *dev)
{
	void *levels = devm_kzalloc(dev, 64, GFP_KERNEL);

	if (!levels)
		return -ENOMEM;
	kfree(levels);
	return 0;
}
