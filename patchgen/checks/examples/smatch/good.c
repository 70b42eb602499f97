#include <linux/slab.h>

static int lamp_copy(int *to, int **table, int slot)
{
	if (!table[slot])
		return -EINVAL;
	*to = *table[slot];
	return 0;
}
