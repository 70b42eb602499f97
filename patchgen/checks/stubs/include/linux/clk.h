/* Clocks. */
int clk_prepare_enable(struct clk *clk);
void clk_disable_unprepare(struct clk *clk);
struct clk *devm_clk_get(struct device *dev, const char *id);
struct clk *devm_clk_get_enabled(struct device *dev, const char *id);
unsigned long clk_get_rate(struct clk *clk);
