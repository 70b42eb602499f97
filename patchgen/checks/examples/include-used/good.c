#include <linux/clk.h>
#include <linux/module.h>

static int eng_on(struct engine *eng)
{
	return clk_prepare_enable(eng->clk);
}
