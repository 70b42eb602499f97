#include <linux/slab.h>

static int lamp_copy(int *to, int **table, int slot)
{
	*to = *table[slot];
	if (!table[slot])
		return -EINVAL;
	return 0;
}
